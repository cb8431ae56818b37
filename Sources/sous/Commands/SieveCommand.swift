import ArgumentParser
import Builtins
import Expressions
import Foundation
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schedules
import Sieve
import UseCases

/// `sous sieve`: filters from Sieve scripts, and Sieve scripts from filters.
struct SieveCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sieve",
      abstract: say("Take over Sieve scripts, and write them.", de: "Sieve-Skripte übernehmen und schreiben."),
      subcommands: [SieveImportCommand.self, SieveExportCommand.self])
  }
}

/// Where a translation goes, and what becomes of one that is not complete.
struct TranslationOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      say("The file to write; default: standard output.", de: "Die Zieldatei; Vorgabe: die Standardausgabe."),
      valueName: "file"))
  var output: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Leave out what cannot be translated, and write the rest.",
        de: "Weglassen, was sich nicht übersetzen lässt, und den Rest schreiben.")))
  var partial = false

  /// Writes a translation and what is to be said about it.
  ///
  /// - Throws: ``CommandError`` if something cannot be translated, unless the rest was asked for; `UseCaseError` if the file
  ///   may not be written.
  func finish(
    _ text: String?, _ key: String, _ diagnostics: [Diagnostic], of source: SourceText, isJSON: Bool,
    in workspace: Workspace
  ) throws {
    let isComplete = !diagnostics.contains { $0.severity == .error }
    guard let text, isComplete || partial else {
      let message =
        text == nil
        ? LocalizedText(
          "\(source.path): nothing can be translated; nothing was written",
          de: "\(source.path): nichts lässt sich übersetzen; es wurde nichts geschrieben")
        : LocalizedText(
          "\(source.path): not everything can be translated; --partial leaves that out",
          de: "\(source.path): nicht alles lässt sich übersetzen; --partial lässt das weg")
      if isJSON {
        throw CommandError(ExitStatus.wrongInput, message, diagnostics: diagnostics.map(\.json))
      }
      report(diagnostics, source)
      throw CommandError(ExitStatus.wrongInput, message)
    }
    if let output { try OutputFile.write(text, to: output, in: workspace) }
    if isJSON {
      var answer: ValueMap = ["complete": .bool(isComplete), "diagnostics": .list(diagnostics.map(\.json))]
      answer[key] = .string(text)
      writeJSON(.map(answer))
      return
    }
    report(diagnostics, source)
    if output == nil { writeOutput(text) }
  }

  private func report(_ diagnostics: [Diagnostic], _ source: SourceText) {
    writeError(
      DiagnosticReport(terminal: Terminal(descriptor: 2)).text(diagnostics, sources: [source.path: source]))
  }
}

/// `sous sieve import`: a Sieve script as a recipe of kind `mail-filter`.
struct SieveImportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: say(
        "Translate a Sieve script into a recipe of kind mail-filter.",
        de: "Ein Sieve-Skript in ein Rezept der Art mail-filter übersetzen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The script; - for standard input.", de: "Das Skript; - für die Standardeingabe."), valueName: "file"))
  var file: String

  @Option(
    help: ArgumentHelp(
      say("The recipe's name; default: by the file.", de: "Der Name des Rezepts; Vorgabe: nach der Datei.")))
  var name: String?

  @Option(
    name: .customLong("address"),
    help: ArgumentHelp(
      say(
        "An address of the mailbox's owner, for automatic answers; may be given more than once.",
        de: "Eine Adresse des Postfachs, für automatische Antworten; mehrfach möglich."), valueName: "address"))
  var addresses: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "The time zone of dates without one (default: that of this computer).",
        de: "Die Zeitzone von Daten ohne eigene (Vorgabe: die dieses Rechners)."), valueName: "zone"))
  var zone: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The separator of folder levels in the script (default: /).",
        de: "Was im Skript die Ebenen von Ordnernamen trennt (Vorgabe: /)."), valueName: "character"))
  var separator: String?

  @OptionGroup var translation: TranslationOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let workspace = try Workspace(global)
    let source = try MessageArgument.source(file, limit: SieveImport.limit)
    let base = file == "-" ? "mail" : URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    for address in addresses where !address.contains("@") {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("'\(address)' is not a mail address", de: "'\(address)' ist keine Mailadresse"))
    }
    let options = SieveImport.Options(
      name: name ?? base, addresses: addresses, zone: zone ?? Zone.current.identifier, separator: separator)
    let result = SieveImport(source, options)
    try translation.finish(result.recipe, "recipe", result.diagnostics, of: source, isJSON: format.json, in: workspace)
  }
}

/// `sous sieve export`: a recipe of kind `mail-filter` as a Sieve script.
struct SieveExportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: say(
        "Write a recipe of kind mail-filter as a Sieve script.",
        de: "Ein Rezept der Art mail-filter als Sieve-Skript schreiben."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The recipe; - for standard input.", de: "Das Rezept; - für die Standardeingabe."), valueName: "recipe"))
  var recipe: String

  @OptionGroup var translation: TranslationOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let workspace = try Workspace(global)
    let source = try MessageArgument.source(recipe, limit: YAMLLimits.standard.size)
    // The problems of the recipe itself; a script does not depend on the mailbox.
    let builtins = BuiltinActions()
    let catalog = ActionCatalog(contracts: BundledContract.all) { name in
      name.map { builtins.signature(named: $0).map { [$0] } ?? [] } ?? builtins.signatures
    }
    let planning = Planner(catalog: catalog).plan(source)
    if planning.hasErrors {
      let errors = planning.diagnostics.filter { $0.severity == .error }
      try translation.finish(nil, "script", errors, of: source, isJSON: format.json, in: workspace)
    }
    let result = SieveExport(source)
    try translation.finish(result.script, "script", result.diagnostics, of: source, isJSON: format.json, in: workspace)
  }
}
