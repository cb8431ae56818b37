import ArgumentParser
import Foundation
import Localization

/// The command line of Sous.
struct Sous: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sous",
      abstract: say(
        "Runs declarative recipes with native provider plugins and keeps a durable run log.",
        de: "Führt deklarative Rezepte mit nativen Provider-Plugins aus und führt ein dauerhaftes Laufprotokoll."),
      subcommands: [
        RunCommand.self, ValidateCommand.self, TestCommand.self, ExplainCommand.self, EvalCommand.self,
        RunsCommand.self,
        ShowCommand.self, LogsCommand.self,
        PluginsCommand.self, InitCommand.self, VersionCommand.self,
      ])
  }
}

/// The options every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      say(
        "The configuration file (default: sous.yaml, searched upwards).",
        de: "Die Konfigurationsdatei (Vorgabe: sous.yaml, aufwärts gesucht)."), valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The folder of the run log (default: .sous beside the configuration).",
        de: "Der Ordner des Laufprotokolls (Vorgabe: .sous neben der Konfiguration)."), valueName: "folder"))
  var state: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The language of all texts: en or de (default: from LANG).",
        de: "Die Sprache aller Texte: en oder de (Vorgabe: aus LANG)."), valueName: "tag"))
  var lang: String?

  mutating func validate() throws {
    if let lang, Language(tag: lang) == nil {
      throw ValidationError(
        say("unknown language '\(lang)': use en or de", de: "unbekannte Sprache '\(lang)': en oder de"))
    }
  }
}

/// Whether a command answers in a form for machines.
struct FormatOptions: ParsableArguments {
  @Flag(help: ArgumentHelp(say("Answer as JSON.", de: "Als JSON antworten.")))
  var json = false
}

extension Sous {
  /// Reads the command line, runs the command, and ends the process with its exit status.
  static func start() async -> Never {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      Foundation.exit(ExitStatus.success)
    } catch let error as CommandError {
      if let message = error.message {
        writeError(Terminal(descriptor: 2).styled(say("error: ", de: "Fehler: "), .red) + message.spoken + "\n")
      }
      Foundation.exit(error.status)
    } catch {
      let status = exitCode(for: error)
      let text = HelpTexts.localized(fullMessage(for: error))
      if status == .success {
        write(text + "\n")
        Foundation.exit(ExitStatus.success)
      }
      writeError(text + "\n")
      Foundation.exit(status == .validationFailure ? ExitStatus.wrongInput : ExitStatus.environment)
    }
  }
}

/// The words that the argument parser itself writes, in the language of the process.
enum HelpTexts {
  static func localized(_ text: String) -> String {
    guard Speech.language == .german else { return text }
    let words = [
      ("OVERVIEW:", "ÜBERSICHT:"), ("USAGE:", "AUFRUF:"), ("Usage:", "Aufruf:"), ("ARGUMENTS:", "ARGUMENTE:"),
      ("OPTIONS:", "OPTIONEN:"), ("SUBCOMMANDS:", "BEFEHLE:"), ("Error:", "Fehler:"),
      ("Show help information.", "Hilfe zeigen."), ("Unknown option", "Unbekannte Option"),
      ("Unexpected argument", "Unerwartetes Argument"), ("Missing expected argument", "Es fehlt das Argument"),
      ("Missing value for", "Es fehlt der Wert für"), ("Did you mean", "Meinten Sie"),
      ("for more information.", "zeigt mehr."), ("(default:", "(Vorgabe:"),
      ("See 'sous --help' for", "'sous --help' zeigt"),
      ("  See 'sous help <subcommand>' for detailed help.", "  'sous help <Befehl>' zeigt Einzelheiten."),
    ]
    return words.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}
