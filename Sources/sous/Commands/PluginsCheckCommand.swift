import ArgumentParser
import Expressions
import Localization
import PluginConformance
import PluginHost
import UseCases

/// `sous plugins check`: the public conformance suite, for authors of plugins.
///
/// The plugin runs in worker processes, so that one that crashes or hangs is reported like any other defect, and is kept
/// from the network unless the user says otherwise.
struct PluginsCheckCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "check",
      abstract: say(
        "Run the conformance suite on a plugin.", de: "Die Konformitätsprüfung an einem Plugin durchführen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("A plugin's id, or the path of its library.", de: "Die ID eines Plugins, oder der Pfad seiner Bibliothek."),
      valueName: "plugin"))
  var plugin: String

  @Option(
    help: ArgumentHelp(
      say(
        "Use the settings of this provider of sous.yaml.",
        de: "Die Einstellungen dieses Providers aus sous.yaml verwenden."), valueName: "name"))
  var provider: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Use these settings, a JSON object (default: made up from the plugin's schema).",
        de: "Diese Einstellungen verwenden, ein JSON-Objekt (Vorgabe: aus dem Schema des Plugins erdacht)."),
      valueName: "json"))
  var settings: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Also call actions that change something.", de: "Auch Aktionen aufrufen, die etwas verändern.")))
  var effects = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Let the plugin reach its hosts, with made-up input; without it every connection is refused.",
        de: "Das Plugin seine Rechner erreichen lassen, mit erdachten Eingaben; sonst wird jede Verbindung abgelehnt."))
  )
  var live = false

  @Option(
    help: ArgumentHelp(
      say("Calls of each action in the check of memory.", de: "Aufrufe jeder Aktion bei der Speicherprüfung."),
      valueName: "count"))
  var calls = 10_000

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard (1...10_000_000).contains(calls) else {
      throw ValidationError(say("--calls takes 1 to 10000000", de: "--calls nimmt 1 bis 10000000"))
    }
    if settings != nil, provider != nil {
      throw ValidationError(say("give --settings or --provider", de: "--settings oder --provider angeben"))
    }
  }

  func run() async throws {
    var report = ConformanceReport(isJSON: format.json)
    let check: PluginCheck
    do throws(UseCaseError) {
      check = try PluginCheck(try Project(try Workspace(global)), plugin: plugin, provider: provider, settings: made())
    } catch {
      guard let failed = PluginCheck.failedCheck(error) else { throw error }
      try refuse(error, by: failed)
    }
    var prepared = check
    prepared.includesEffects = effects
    prepared.isLive = live
    prepared.memoryCalls = calls
    let actions = LocalizedText.count(check.manifest.actions.count, "action", "actions", de: "Aktion", "Aktionen")
    let triggers = check.manifest.triggers.count
    report.show(
      CheckResult(
        .handshake,
        actions
          + LocalizedText(
            triggers == 0 ? "" : ", triggers: \(triggers)", de: triggers == 0 ? "" : ", Auslöser: \(triggers)"))
    )
    try await prepared.run(willRun: { report.begin($0) }, report: { report.show($0) })
    report.finish()
    if report.hasFailed { throw CommandError(ExitStatus.runFailed) }
  }

  /// The settings that were given.
  private func made() throws(UseCaseError) -> Value? {
    guard let settings else { return nil }
    let value: Value
    do throws(ExpressionError) {
      value = try Value(json: Array(settings.utf8))
    } catch {
      throw UseCaseError(.wrongInput, LocalizedText(verbatim: "--settings: ") + error.message)
    }
    guard case .map = value else {
      throw UseCaseError(
        .wrongInput, LocalizedText("--settings takes a JSON object", de: "--settings nimmt ein JSON-Objekt"))
    }
    return value
  }

  /// Reports a plugin that cannot even be loaded: nothing further can be looked at.
  private func refuse(_ error: UseCaseError, by check: Check) throws(CommandError) -> Never {
    var report = ConformanceReport(isJSON: format.json)
    if check != .handshake {
      report.show(CheckResult(.handshake, LocalizedText("the library loads", de: "die Bibliothek lädt")))
    }
    let summary = LocalizedText("cannot be used", de: "nicht zu gebrauchen")
    report.show(CheckResult(check, summary, [.error(error.message)]))
    report.finish()
    throw CommandError(ExitStatus.runFailed)
  }
}
