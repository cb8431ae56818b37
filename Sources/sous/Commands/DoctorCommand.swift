import ArgumentParser
import Expressions
import Localization
import Upkeep
import UseCases

/// `sous doctor`: what works on this machine, and the remedy for what does not.
struct DoctorCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "doctor",
      abstract: say("Check what works on this machine.", de: "Prüfen, was auf diesem Rechner funktioniert."),
      discussion: say(
        "Looks at the kernel, the time zone, the disk, the run log, the vault, all providers and the daemon, and names the "
          + "remedy for each problem. Changes nothing. Ends with 1 if something does not work.",
        de:
          "Prüft Kernel, Zeitzone, Platte, Laufprotokoll, Tresor, alle Provider und den Dienst, und nennt zu jedem Fehler "
          + "die Abhilfe. Ändert nichts. Endet mit 1, wenn etwas nicht funktioniert."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let findings = try await Interruption.untilInterrupted { await workspace.examine() }
    if format.json {
      writeJSON(
        .list(
          findings.map { finding in
            [
              "subject": .string(finding.subject.rawValue), "state": .string(finding.state.rawValue),
              "text": .string(finding.text.spoken), "remedy": finding.remedy.map { .string($0.spoken) } ?? .null,
            ]
          }))
    } else {
      let terminal = Terminal()
      var table = TextTable()
      for finding in findings {
        let mark = Self.mark(of: finding.state, terminal)
        table.append(["\(mark) \(Self.name(of: finding.subject))", finding.text.spoken])
        guard finding.state != .fine, let remedy = finding.remedy else { continue }
        table.append(["", "→ \(remedy.spoken)"])
      }
      write(table.text(terminal))
    }
    if findings.contains(where: { $0.state == .problem }) { throw CommandError(ExitStatus.runFailed) }
  }

  private static func mark(of state: HealthFinding.State, _ terminal: Terminal) -> String {
    switch state {
    case .fine: terminal.styled("✓", .green)
    case .unused: "–"
    case .warning: terminal.styled("!", .yellow)
    case .problem: terminal.styled("✗", .red)
    }
  }

  private static func name(of subject: HealthFinding.Subject) -> String {
    switch subject {
    case .files: say("program", de: "Programm")
    case .fences: say("plugins", de: "Plugins")
    case .timeZone: say("time zone", de: "Zeitzone")
    case .disk: say("disk", de: "Platte")
    case .configuration: say("configuration", de: "Konfiguration")
    case .runLog: say("run log", de: "Laufprotokoll")
    case .vault: say("vault", de: "Tresor")
    case .mail: say("mail", de: "Mail")
    case .models: say("models", de: "Modelle")
    case .providers: say("providers", de: "Provider")
    case .service: say("service", de: "Dienst")
    }
  }
}
