import ArgumentParser
import Engine
import Expressions
import Localization
import RecordJSON
import RunStore
import UseCases

/// `sous status`: what runs, what is next, what has failed.
struct StatusCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "status",
      abstract: say(
        "Show what runs, what is next and what has failed.", de: "Zeigen, was läuft, was ansteht und was fehlschlägt."))
  }

  /// Schedules that are shown as next.
  private static let shownSchedules = 10

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let status = try await Workspace(global).servingStatus()
    let now = SystemTime().now
    if format.json {
      writeJSON(status.json(at: now, in: Speech.language))
    } else {
      for line in Self.servers(status, now) + Self.runs(status) + Self.next(status) + Self.ills(status, now) {
        for part in line.singleLine.fitted(to: Terminal()) { write(part + "\n") }
      }
    }
    if !status.isWell(at: now) { throw CommandError(ExitStatus.runFailed) }
  }

  private static func servers(_ status: ServingStatus, _ now: Timestamp) -> [String] {
    let alive = status.servers.filter { $0.isAlive(at: now) }
    guard !alive.isEmpty else {
      return [say("✗ no server is running: start 'sous serve'", de: "✗ kein Server läuft: 'sous serve' starten")]
    }
    return alive.map { server in
      let recipes = LocalizedText.count(server.recipes, "recipe", "recipes", de: "Rezept", "Rezepte").spoken
      return say(
        "✓ serving \(recipes) since \(server.beganAt.spokenLocalTime), process \(server.pid) on \(server.host)",
        de: "✓ \(recipes) aktiv seit \(server.beganAt.spokenLocalTime), Prozess \(server.pid) auf \(server.host)")
    }
  }

  private static func runs(_ status: ServingStatus) -> [String] {
    status.runs.filter { $0.status != .needsAttention }.map { run in
      let due = run.dueAt.map { say("  until \($0.spokenLocalTime)", de: "  bis \($0.spokenLocalTime)") } ?? ""
      let state = status.questions[run.id]?.spokenQuestion ?? run.status.spoken + due
      return "\(Terminal().mark(run.status)) \(run.recipe)  \(run.id.short)  \(state)"
    }
  }

  private static func next(_ status: ServingStatus) -> [String] {
    let coming = status.schedules.filter { $0.nextDue != nil && !$0.isPaused && !status.isDisabled($0) }
      .sorted { ($0.nextDue ?? $0.cursor) < ($1.nextDue ?? $1.cursor) }
    return coming.prefix(shownSchedules).map { schedule in
      say(
        "next: \(schedule.spokenNext)  \(schedule.recipe)",
        de: "als Nächstes: \(schedule.spokenNext)  \(schedule.recipe)")
    }
  }

  private static func ills(_ status: ServingStatus, _ now: Timestamp) -> [String] {
    var lines: [String] = []
    for server in status.servers where server.isAlive(at: now) {
      for problem in server.problems { lines.append("✗ \(problem.path): \(problem.message.spoken)") }
    }
    for server in status.servers where !server.isAlive(at: now) {
      if server.isThere {
        lines.append(
          say(
            "✗ process \(server.pid) on \(server.host) runs and cannot write its signs of life; last seen "
              + "\(server.beatAt.spokenLocalTime): is the disk full, or does another process write for long?",
            de:
              "✗ Prozess \(server.pid) auf \(server.host) läuft und kann kein Lebenszeichen schreiben; zuletzt gesehen "
              + "\(server.beatAt.spokenLocalTime): ist die Platte voll, oder schreibt ein anderer Prozess lange?"))
        continue
      }
      lines.append(
        say(
          "! process \(server.pid) on \(server.host) ended without a word; last seen \(server.beatAt.spokenLocalTime)",
          de: "! Prozess \(server.pid) auf \(server.host) endete ohne Abmeldung; zuletzt gesehen "
            + server.beatAt.spokenLocalTime))
    }
    for schedule in status.schedules where schedule.failures > 0 {
      lines.append("✗ \(schedule.recipe)  \(schedule.spokenTrouble)  \(schedule.source.shownPath)")
    }
    for trigger in status.triggers {
      if let trouble = trigger.trouble { lines.append("✗ \(trigger.recipe)  \(trigger.provider): \(trouble.spoken)") }
    }
    for trigger in status.triggers where trigger.isWebhook && trigger.reconnects > 0 {
      lines.append("! \(trigger.recipe)  \(trigger.provider): \(trigger.spokenReconnects)")
    }
    for ping in status.pings {
      lines.append(
        say(
          "! \(ping.recipe)  ping of \(ping.at.spokenLocalTime): \(ping.reason.spoken)",
          de: "! \(ping.recipe)  Ping von \(ping.at.spokenLocalTime): \(ping.reason.spoken)"))
    }
    for run in status.runs where run.status == .needsAttention {
      lines.append("\(Terminal().mark(run.status)) \(run.recipe)  \(run.id.short)  \(run.status.spoken)")
    }
    if status.unread > 0 {
      let count = LocalizedText.count(
        status.unread, "unread notification", "unread notifications", de: "ungelesene Benachrichtigung",
        "ungelesene Benachrichtigungen"
      ).spoken
      lines.append("● \(count): sous notifications")
    }
    return lines
  }
}
