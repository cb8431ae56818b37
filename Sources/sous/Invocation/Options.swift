import ArgumentParser
import Localization

/// The language of all texts. The option may be written before the command too.
struct LanguageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      say(
        "The language of all texts: en or de (default: from LANG).",
        de: "Die Sprache aller Texte: en oder de (Vorgabe: aus LANG)."), valueName: "tag"))
  var lang: String?

  mutating func validate() throws {
    guard let lang, Language(tag: lang) == nil else { return }
    throw ValidationError(
      say("unknown language '\(lang)': use en or de", de: "unbekannte Sprache '\(lang)': en oder de"))
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

  @Flag(
    help: ArgumentHelp(
      say(
        "Trust the configuration for this call: its libraries, programs, hosts and secrets (for CI; see 'sous trust').",
        de:
          "Der Konfiguration für diesen Aufruf vertrauen: Bibliotheken, Programmen, Rechnern und Geheimnissen (für CI; "
          + "siehe 'sous trust').")))
  var trustWorkspace = false

  @OptionGroup var language: LanguageOptions
}

/// Whether a command answers in a form for machines.
struct FormatOptions: ParsableArguments {
  @Flag(help: ArgumentHelp(say("Answer as JSON.", de: "Als JSON antworten.")))
  var json = false

  /// Whether `--json` was given, also where the command line is wrong otherwise.
  static var isJSONWanted: Bool {
    CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")
  }
}
