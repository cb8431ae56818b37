import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// What `sous top` shows: running, waiting, next, problems; as lines of a width. Pure.
struct TopView {
  let status: ServingStatus
  let now: Timestamp
  let terminal: Terminal
  /// Columns to fill.
  let width: Int
  /// Lines to fill at most; `nil` for as many as it takes.
  let height: Int?

  private struct Section {
    var title: String
    var rows: [String]
  }

  /// Lines that every section gets before the others are served.
  private static let leastRows = 3

  /// The lines, none wider than ``width``.
  var lines: [String] {
    let header = headers.map { $0.cut(to: width) }
    let sections = [running, waiting, next, problems].filter { !$0.rows.isEmpty }
    var result = header
    let counts = rowsOfSections(sections, free: height.map { $0 - header.count - sections.count * 2 })
    for (section, count) in zip(sections, counts) {
      result.append("")
      result.append(terminal.styled("\(section.title) (\(section.rows.count))".cut(to: width), .bold))
      let isCut = section.rows.count > count
      for row in section.rows.prefix(isCut ? max(0, count - 1) : count) { result.append(row) }
      if isCut, count > 0 {
        let left = section.rows.count - count + 1
        result.append(say("  … and \(left) more", de: "  … und \(left) weitere").cut(to: width))
      }
    }
    guard let height else { return result }
    return Array(result.prefix(max(0, height)))
  }

  /// How many lines each section gets: a few for each first, then from top to bottom what is left.
  private func rowsOfSections(_ sections: [Section], free: Int?) -> [Int] {
    guard var free, free < sections.reduce(0, { $0 + $1.rows.count }) else { return sections.map(\.rows.count) }
    var counts = sections.map { section in
      let count = max(0, min(section.rows.count, Self.leastRows, free))
      free -= count
      return count
    }
    for index in sections.indices where free > 0 {
      let more = min(free, sections[index].rows.count - counts[index])
      counts[index] += more
      free -= more
    }
    return counts
  }

  // MARK: - Parts

  private var headers: [String] {
    let alive = status.servers.filter { $0.isAlive(at: now) }
    var lines = alive.map { server in
      let recipes = LocalizedText.count(server.recipes, "recipe", "recipes", de: "Rezept", "Rezepte").spoken
      let age = max(0, now.seconds(since: server.beganAt)).spokenDuration
      return "\(terminal.styled("✓", .green)) "
        + say(
          "\(recipes) · process \(server.pid) on \(server.host) · for \(age)",
          de: "\(recipes) · Prozess \(server.pid) auf \(server.host) · seit \(age)")
    }
    if lines.isEmpty {
      lines.append(
        terminal.styled("✗", .red) + " "
          + say("no server is running: start 'sous serve'", de: "kein Server läuft: 'sous serve' starten"))
    }
    var facts = [now.spokenLocalTime]
    if status.unread > 0 {
      facts.append(
        LocalizedText.count(
          status.unread, "unread notification", "unread notifications", de: "ungelesene Benachrichtigung",
          "ungelesene Benachrichtigungen"
        ).spoken)
    }
    lines.append(facts.joined(separator: " · "))
    return lines
  }

  private var running: Section {
    let runs = status.runs.filter { $0.status == .running }
    return Section(
      title: say("running", de: "läuft"),
      rows: runs.map { run in
        row(
          terminal.mark(run.status), run.recipe, "\(run.stepsSucceeded)/\(run.stepCount)",
          max(0, now.seconds(since: run.startedAt)).spokenDuration, run.id.rawValue)
      })
  }

  private var waiting: Section {
    let runs = status.runs.filter { [.queued, .waiting, .interrupted].contains($0.status) }
    return Section(
      title: say("waiting", de: "wartet"),
      rows: runs.map { run in
        let isAsking = status.questions[run.id]?.contains { $0.wait.kind == .approval } ?? false
        let until =
          isAsking
          ? say("asks: sous answer", de: "fragt: sous answer")
          : run.dueAt.map { say("until \($0.spokenLocalTime)", de: "bis \($0.spokenLocalTime)") } ?? run.status.spoken
        return row(
          terminal.mark(run.status), run.recipe, "\(run.stepsSucceeded)/\(run.stepCount)", until, run.id.rawValue)
      })
  }

  private var next: Section {
    let coming = status.schedules.filter { schedule in
      schedule.nextDue != nil && !schedule.isPaused
        && !status.disabled.contains { schedule.source.hasPrefix($0 + "#") }
    }.sorted { ($0.nextDue ?? $0.cursor, $0.source) < ($1.nextDue ?? $1.cursor, $1.source) }
    return Section(
      title: say("next", de: "als Nächstes"),
      rows: coming.map { schedule in
        let left = schedule.nextDue.map { max(0, $0.seconds(since: now)).spokenDuration } ?? ""
        return row(" ", schedule.recipe, "", say("in \(left)", de: "in \(left)"), schedule.spokenNext)
      })
  }

  private var problems: Section {
    var rows: [String] = []
    let bad = terminal.styled("✗", .red)
    for server in status.servers {
      guard server.isAlive(at: now) else {
        rows.append(
          "! "
            + say(
              "process \(server.pid) on \(server.host) ended without a word, last seen \(server.beatAt.spokenLocalTime)",
              de: "Prozess \(server.pid) auf \(server.host) endete ohne Abmeldung, zuletzt gesehen "
                + server.beatAt.spokenLocalTime))
        continue
      }
      for problem in server.problems { rows.append("\(bad) \(problem.path): \(problem.message.spoken)") }
    }
    for schedule in status.schedules where schedule.failures > 0 {
      rows.append("\(bad) \(schedule.recipe)  \(schedule.spokenTrouble)")
    }
    for trigger in status.triggers {
      if let trouble = trigger.trouble {
        rows.append("\(bad) \(trigger.recipe)  \(trigger.provider): \(trouble.spoken)")
      }
    }
    for run in status.runs where run.status == .needsAttention {
      rows.append("\(terminal.mark(run.status)) \(run.recipe)  \(run.status.spoken)  sous show \(run.id.short)")
    }
    return Section(title: say("problems", de: "Probleme"), rows: rows.map { fitted($0) })
  }

  // MARK: - Rows

  /// Columns of a run's name and of steps and times; the recipe gets what is left.
  private static let (stepColumns, timeColumns, idColumns) = (7, 26, 26)

  private func row(_ mark: String, _ recipe: String, _ steps: String, _ time: String, _ last: String) -> String {
    // Below this width the name of the run goes: the recipe matters more.
    let hasLast = width >= 90
    let rest = width - 2 - Self.stepColumns - Self.timeColumns - (hasLast ? Self.idColumns + 2 : 0) - 2
    let name = recipe.cut(to: max(8, rest))
    var text = "\(mark) \(name.padded(to: max(8, rest)))  \(steps.padded(to: Self.stepColumns))"
    text += time.cut(to: Self.timeColumns).padded(to: Self.timeColumns)
    if hasLast { text += "  " + last.cut(to: Self.idColumns) }
    return fitted(text)
  }

  /// A line that is cut only if it is too wide, as cutting takes its colours.
  private func fitted(_ line: String) -> String {
    let line = line.singleLine
    return line.columns > width ? line.cut(to: width) : line
  }
}

extension String {
  /// The text with spaces behind it, up to so many columns.
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}
