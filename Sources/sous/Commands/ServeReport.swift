import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// Reports started runs while recipes are served.
struct ServeReport: Sendable {
  let json: Bool

  func take(_ event: WorkspaceEvent.ServeEvent) {
    // Counted in the metrics.
    if case .pushedTraces = event { return }
    if json {
      guard case .map(var line) = event.json else { return }
      line["at"] = .string(SystemTime().now.rfc3339Milliseconds)
      return writeJSON(.map(line), pretty: false)
    }
    switch event {
    case .begins(let recipes, let schedules, let triggers, let unwatched):
      let parts = [
        LocalizedText.count(recipes, "recipe", "recipes", de: "Rezept", "Rezepte"),
        .count(schedules, "schedule", "schedules", de: "Zeitplan", "Zeitpläne"),
        .count(triggers, "trigger", "triggers", de: "Auslöser", "Auslöser"),
      ].map(\.spoken)
      let rest = Self.rest(unwatched)
      write(
        say("serving \(parts.joined(separator: ", "))", de: "bereit: \(parts.joined(separator: ", "))") + rest + "\n")
    case .foundGone(let server):
      writeError(
        say(
          "process \(server.pid) on \(server.host) served before and ended without a word; last seen "
            + "\(server.beatAt.spokenLocalTime)\n",
          de:
            "Prozess \(server.pid) auf \(server.host) lief zuvor als Server und endete ohne Abmeldung; zuletzt gesehen "
            + "\(server.beatAt.spokenLocalTime)\n"))
    case .servesBeside(let server):
      writeError(
        say(
          "'sous serve' is running for this project already: process \(server.pid) on \(server.host), since "
            + "\(server.beganAt.spokenLocalTime); both share schedules, triggers and runs\n",
          de: "'sous serve' läuft für dieses Projekt schon: Prozess \(server.pid) auf \(server.host), seit "
            + "\(server.beganAt.spokenLocalTime); beide teilen sich Zeitpläne, Auslöser und Läufe\n"))
    case .occurred(let occurrence, let recipe):
      let run = occurrence.run.map { "  \($0)" } ?? ""
      write("▸ \(recipe.singleLine)  \(occurrence.at.spokenLocalTime)  \(occurrence.outcome.spoken)\(run)\n")
    case .passed(let points, let recipe):
      let range = points.count == 1 ? "" : " – \(points.last.spokenLocalTime) (\(points.count))"
      write("- \(recipe.singleLine)  \(points.first.spokenLocalTime)\(range)  \(points.outcome.spoken)\n")
    case .triggered(let run, let recipe, let word): write("▸ \(recipe.singleLine)  \(Self.spoken(word))  \(run)\n")
    case .paused(let schedule):
      writeError(
        say(
          "\(schedule.recipe.singleLine): paused, as \(schedule.failures) runs failed in a row; go on with 'sous schedules "
            + "resume \(schedule.source)'\n",
          de:
            "\(schedule.recipe.singleLine): angehalten, da \(schedule.failures) Läufe in Folge scheiterten; weiter mit "
            + "'sous schedules resume \(schedule.source)'\n"))
    case .loaded(let path, let name, let unwatched):
      write(
        say("loaded \(name.singleLine) from \(path)", de: "\(name.singleLine) aus \(path) geladen")
          + Self.rest(unwatched)
          + "\n")
    case .renamed(let former, let path):
      write(
        say(
          "\(former) is now \(path); its schedules and triggers go on\n",
          de: "\(former) heißt jetzt \(path); Zeitpläne und Auslöser gehen weiter\n"))
    case .problem(let path, let message): writeError("\(path): \(message.spoken.singleLine)\n")
    case .putBack(let recipe, let run):
      write(
        say(
          "- \(recipe.singleLine)  ignores a message that run \(run.singleLine) has put back\n",
          de: "- \(recipe.singleLine)  übergeht eine Nachricht, die Lauf \(run.singleLine) zurückgelegt hat\n"))
    case .listens(let address):
      write(say("listening at \(address)\n", de: "wartet auf Anfragen an \(address)\n"))
    case .answered(let request):
      // The others are in --json alone.
      guard request.status >= 500 else { return }
      writeError("\(request.method) \(request.path.singleLine)  \(request.status)  \(request.id)\n")
    case .serverFails(let message): writeError(message.spoken.singleLine + "\n")
    case .synced(let report):
      let files = LocalizedText.count(report.changes.count, "file", "files", de: "Datei", "Dateien").spoken
      let commit = "\(report.commit.prefix(12))"
      write(
        say(
          "recipes synced: \(files), commit \(commit) of \(report.author.singleLine)\n",
          de: "Rezepte synchronisiert: \(files), Commit \(commit) von \(report.author.singleLine)\n"))
    case .pushedTraces: break
    case .tracesFail(let message, let refused):
      let rest =
        refused > 0
        ? say("; given up: ", de: "; aufgegeben: ")
          + LocalizedText.count(refused, "run", "runs", de: "Lauf", "Läufe").spoken
        : ""
      writeError(say("traces: ", de: "Traces: ") + message.spoken.singleLine + rest + "\n")
    case .triggerFails(let recipe, let provider, let message):
      writeError("\(recipe.singleLine)  \(provider): \(message.spoken.singleLine)\n")
    }
  }
}

extension ServeReport {
  /// The end of a line that names the triggers that do not watch yet; empty if all do.
  private static func rest(_ unwatched: [String]) -> String {
    guard !unwatched.isEmpty else { return "" }
    let names = unwatched.map(\.singleLine).joined(separator: ", ")
    return say("; not watching yet: \(names)", de: "; noch ohne Beobachtung: \(names)")
  }

  /// The trigger of a run, for people.
  private static func spoken(_ word: String) -> String {
    switch word {
    case "mail": say("new mail", de: "neue Post")
    case "file": say("new file", de: "neue Datei")
    case "webhook": say("request", de: "Anfrage")
    case "recipe": say("end of another recipe", de: "Ende eines anderen Rezepts")
    default: word.singleLine
    }
  }
}

extension OccurrenceOutcome {
  /// The outcome for people.
  var spoken: String {
    switch self {
    case .run: say("due", de: "fällig")
    case .caughtUp: say("caught up", de: "nachgeholt")
    case .skipped: say("skipped", de: "ausgelassen")
    case .missed: say("missed", de: "verpasst")
    }
  }
}

extension WorkspaceEvent.ServeEvent {
  fileprivate var json: Value {
    switch self {
    case .begins(let recipes, let schedules, let triggers, let unwatched):
      [
        "event": "begins", "recipes": .int(Int64(recipes)), "schedules": .int(Int64(schedules)),
        "triggers": .int(Int64(triggers)), "not_watching": .list(unwatched.map(Value.string)),
      ]
    case .listens(let address): ["event": "listens", "address": .string(address)]
    case .answered(let request):
      [
        "event": "answered", "request": .string(request.id), "method": .string(request.method),
        "path": .string(request.path), "status": .int(Int64(request.status)),
        "ms": .double((request.seconds * 1e6).rounded() / 1000),
        "user": request.user.map { .string($0) } ?? .null, "address": .string(request.address),
      ]
    case .synced(let report):
      [
        "event": "synced", "files": .int(Int64(report.changes.count)), "commit": .string(report.commit),
        "author": .string(report.author),
      ]
    case .serverFails(let message): ["event": "server_fails", "message": .string(message.spoken)]
    case .pushedTraces(let count): ["event": "pushed_traces", "count": .int(Int64(count))]
    case .tracesFail(let message, let refused):
      ["event": "traces_fail", "message": .string(message.spoken), "refused": .int(Int64(refused))]
    case .foundGone(let server):
      [
        "event": "found_gone", "host": .string(server.host), "pid": .int(Int64(server.pid)),
        "seen_at": .string(server.beatAt.rfc3339),
      ]
    case .servesBeside(let server):
      [
        "event": "serves_beside", "host": .string(server.host), "pid": .int(Int64(server.pid)),
        "began_at": .string(server.beganAt.rfc3339),
      ]
    case .occurred(let occurrence, let recipe):
      [
        "event": "occurred", "recipe": .string(recipe), "source": .string(occurrence.source),
        "at": .string(occurrence.at.rfc3339), "outcome": .string(occurrence.outcome.rawValue),
        "run": occurrence.run.map { .string($0.rawValue) } ?? .null,
      ]
    case .passed(let points, let recipe):
      [
        "event": "passed", "recipe": .string(recipe), "first": .string(points.first.rfc3339),
        "last": .string(points.last.rfc3339), "count": .int(Int64(points.count)),
        "outcome": .string(points.outcome.rawValue),
      ]
    case .triggered(let run, let recipe, let word):
      ["event": "triggered", "recipe": .string(recipe), "run": .string(run.rawValue), "by": .string(word)]
    case .paused(let schedule):
      [
        "event": "paused", "recipe": .string(schedule.recipe), "source": .string(schedule.source),
        "failures": .int(Int64(schedule.failures)),
      ]
    case .loaded(let path, let name, let unwatched):
      [
        "event": "loaded", "path": .string(path), "recipe": .string(name),
        "not_watching": .list(unwatched.map(Value.string)),
      ]
    case .renamed(let former, let path): ["event": "renamed", "from": .string(former), "path": .string(path)]
    case .problem(let path, let message):
      ["event": "problem", "path": .string(path), "message": .string(message.spoken)]
    case .putBack(let recipe, let run):
      ["event": "put_back", "recipe": .string(recipe), "run": .string(run)]
    case .triggerFails(let recipe, let provider, let message):
      [
        "event": "trigger_fails", "recipe": .string(recipe), "provider": .string(provider),
        "message": .string(message.spoken),
      ]
    }
  }
}
