import ArgumentParser
import Catalog
import Expressions
import Foundation
import Localization
import RecipeSyntax
import UseCases

/// `sous catalog import`
struct CatalogImportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: say(
        "Import a catalog from JSON; all of it or nothing.",
        de: "Einen Katalog aus JSON importieren; ganz oder gar nicht."),
      discussion: say(
        """
        Reads CatalogExport version 1 and the arrays of older storage (config.ai.preprompts and others). In imported texts \
        '{{' is text and no expression, unless --expressions says to trust the file.
        """,
        de: """
          Liest CatalogExport Version 1 und die Arrays älterer Ablagen (config.ai.preprompts und andere). In importierten \
          Texten ist '{{' Text und kein Ausdruck, außer --expressions sagt, dass der Datei zu trauen ist.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say("The file; - for standard input.", de: "Die Datei; - für die Standardeingabe."), valueName: "file"))
  var file: String

  @Flag(
    help: ArgumentHelp(say("In place of all that is in the catalog.", de: "Anstelle von allem, was im Katalog ist.")))
  var replace = false

  @Flag(help: ArgumentHelp(say("Only check and tell.", de: "Nur prüfen und berichten.")))
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Take '{{ }}' for expressions where the export says so.",
        de: "'{{ }}' als Ausdrücke nehmen, wo der Export das sagt.")))
  var expressions = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let bytes = try MessageArgument.source(file, limit: CatalogStore.importLimit).bytes
    let store = try Workspace.catalogue(global)
    let result = try cataloguing { () throws(CatalogError) in
      try store.importCatalog(bytes, replaces: replace, readsExpressions: expressions, isTrial: dryRun)
    }
    if format.json {
      var counts = ValueMap()
      for (name, count) in result.counts { counts[name] = .int(Int64(count)) }
      return writeJSON([
        "counts": .map(counts), "remarks": .list(result.remarks.map { .string($0.spoken) }),
        "files": .list(result.files.map { .string($0) }), "written": .bool(!dryRun),
      ])
    }
    for remark in result.remarks { writeError("- \(remark.spoken)\n") }
    if result.files.isEmpty {
      return write(say("all of it is in the catalog already\n", de: "alles davon ist schon im Katalog\n"))
    }
    let words = result.counts.filter { $0.count > 0 }.map { Self.words($0.name, $0.count) }.joined(separator: ", ")
    write(
      dryRun
        ? say("would import \(words)\n", de: "würde importieren: \(words)\n")
        : say("imported \(words) into \(store.folder)/\n", de: "importiert nach \(store.folder)/: \(words)\n"))
  }

  private static func words(_ name: String, _ count: Int) -> String {
    let words: (String, String, de: String, String) =
      switch name {
      case "menuItems": ("menu item", "menu items", "Menüeintrag", "Menüeinträge")
      case "presets": ("preset", "presets", "Preset", "Presets")
      case "recipes": ("composition", "compositions", "Komposition", "Kompositionen")
      case "cookbooks": ("cookbook", "cookbooks", "Kochbuch", "Kochbücher")
      default: ("cookbook entry", "cookbook entries", "Kochbucheintrag", "Kochbucheinträge")
      }
    return LocalizedText.count(count, words.0, words.1, de: words.2, words.3).spoken
  }
}

/// `sous catalog export`
struct CatalogExportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: say(
        "Export the catalog as JSON (CatalogExport version 1).",
        de: "Den Katalog als JSON exportieren (CatalogExport Version 1)."))
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("The file (default: standard output).", de: "Die Datei (Vorgabe: Standardausgabe)."), valueName: "file"))
  var output: String?

  @Flag(help: .hidden) var json = false
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let value = try cataloguing { () throws(CatalogError) in try store.exportCatalog(now: Date()) }
    let text = CatalogStore.text(of: value)
    guard let output else { return StandardOutput.write(String(decoding: text, as: UTF8.self).escapingControls) }
    let target = try OutputFile(output, in: try Workspace(global))
    try target.write(text)
    try target.finish()
  }
}
