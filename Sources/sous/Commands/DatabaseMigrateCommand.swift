import ArgumentParser
import Expressions
import Localization
import RunStore
import Schemas
import Upkeep
import UseCases

/// `sous db migrate`: brings the run log of an older version to the schema of this one.
struct DatabaseMigrateCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "migrate",
      abstract: say(
        "Bring the run log of an older version to the schema of this one, after a copy. The first command of a new version does "
          + "it too.",
        de:
          "Das Laufprotokoll einer älteren Version auf das Schema dieser Version bringen, nach einer Kopie. Auch der erste "
          + "Befehl einer neuen Version macht das."))
  }

  @Flag(
    help: ArgumentHelp(
      say(
        "Ask daemons of the older version to end (SIGTERM), and wait for their steps. Start them again afterwards.",
        de:
          "Dienste der älteren Version beenden (SIGTERM) und auf ihre Schritte warten. Danach sind sie wieder zu starten."
      )))
  var stop = false

  @Option(
    help: ArgumentHelp(
      say(
        "How long to wait for processes of the older version (default: 2m with --stop, else 10s).",
        de: "Wie lange auf Prozesse der älteren Version gewartet wird (Vorgabe: 2m mit --stop, sonst 10s)."),
      valueName: "duration"))
  var wait: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The copy (default: beside the run log, named by its schema version).",
        de: "Die Kopie (Vorgabe: neben dem Laufprotokoll, nach der Schemaversion benannt)."), valueName: "file"))
  var copy: String?

  @Flag(
    name: .customLong("no-copy"),
    help: ArgumentHelp(
      say("Make no copy; there is no way back then.", de: "Keine Kopie machen; dann gibt es keinen Rückweg.")))
  var noCopy = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard copy == nil || !noCopy else {
      throw ValidationError(
        say("'--copy' and '--no-copy' exclude each other", de: "'--copy' und '--no-copy' schließen sich aus"))
    }
    if let wait, DurationText.seconds(wait) == nil {
      throw ValidationError(
        say("--wait takes a duration such as 30s or 5m", de: "--wait nimmt eine Dauer wie 30s oder 5m"))
    }
  }

  func run() async throws {
    var options = UpgradeOptions()
    if noCopy { options.copy = .none }
    if let copy { options.copy = .file(copy) }
    options.patience = wait.flatMap(DurationText.seconds) ?? (stop ? 120 : nil)
    let progress = UpgradeProgress()
    let report = try await Workspace(global).upgradeRunLog(options, stopsServers: stop) { progress.show($0) }
    if format.json {
      writeJSON(
        .map([
          "from": .int(Int64(report.from)), "to": .int(Int64(report.to)),
          "copy": report.copy.map { .string($0) } ?? .null,
          "stopped": .list(
            report.stopped.map { ["pid": .int(Int64($0.pid)), "start": .string($0.start)] }),
        ]))
      return
    }
    if report.from == report.to {
      write(
        say(
          "the run log has schema version \(report.to) already\n",
          de: "das Laufprotokoll hat schon die Schemaversion \(report.to)\n"))
    }
    for daemon in report.stopped {
      write(
        say(
          "daemon \(daemon.pid) was stopped; this starts it again: \(daemon.start)\n",
          de: "Dienst \(daemon.pid) wurde beendet; so startet er wieder: \(daemon.start)\n"))
    }
  }
}
