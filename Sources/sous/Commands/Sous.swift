import ArgumentParser
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
        RunCommand.self, ValidateCommand.self, RunsCommand.self, ShowCommand.self, LogsCommand.self,
        PluginsCommand.self, InitCommand.self, VersionCommand.self,
      ])
  }
}

/// The options every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      say("The configuration file (default: sous.yaml, searched upwards).",
        de: "Die Konfigurationsdatei (Vorgabe: sous.yaml, aufwärts gesucht)."), valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      say("The folder of the run log (default: .sous beside the configuration).",
        de: "Der Ordner des Laufprotokolls (Vorgabe: .sous neben der Konfiguration)."), valueName: "folder"))
  var state: String?

  @Option(
    help: ArgumentHelp(
      say("The language of all texts: en or de (default: from LANG).",
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
