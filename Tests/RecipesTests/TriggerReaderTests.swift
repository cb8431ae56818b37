import Foundation
import Schedules
import Testing

@testable import Plans
@testable import RecipeModel
@testable import RecipePlanning
@testable import RecipeSyntax

@Suite struct TriggerReaderTests {
  private func planning(_ on: String, inputs: String = "{ path: { type: string, default: x } }") -> Planning {
    Planner.standard().plan(
      SourceText(
        path: "folder/r.yaml",
        text: "inputs: \(inputs)\non: \(on)\nsteps: [{ uses: template, with: { text: x } }]\n"))
  }

  private func schedule(_ keys: String) throws -> Plans.Schedule {
    let planning = planning("{ schedule: { \(keys) } }")
    guard case .schedule(let schedule) = try #require(planning.plan?.triggers.first, "\(planning.summary)").kind else {
      throw CancellationError()
    }
    return schedule
  }

  @Test(arguments: [
    ("once: 2026-12-24T18:00", ["2026-12-24T18:00:00+01:00"]),
    ("once: [2027-01-01T08:00, 2026-12-24]", ["2026-12-24T00:00:00+01:00", "2027-01-01T08:00:00+01:00"]),
    ("once: 2026-12-24, at: \"09:30\"", ["2026-12-24T09:30:00+01:00"]),
    ("once: \"2026-12-24T18:00:00Z\"", ["2026-12-24T19:00:00+01:00"]),
    ("sun: sunset-30m, place: \"47.37,8.54\"", ["2026-11-23T16:12:29+01:00"]),
    ("every: 90m, anchor: 2026-11-23T09:05", ["2026-11-23T10:35:00+01:00", "2026-11-23T12:05:00+01:00"]),
    ("every: 2h, start: 2026-11-23T11:15", ["2026-11-23T11:15:00+01:00", "2026-11-23T13:15:00+01:00"]),
    (
      "rrule: \"FREQ=DAILY;COUNT=2\", start: 2026-11-24, at: \"09:00\"",
      ["2026-11-24T09:00:00+01:00", "2026-11-25T09:00:00+01:00"]
    ),
    (
      "rrule: \"FREQ=WEEKLY;INTERVAL=2\", start: 2026-11-18T07:00",
      ["2026-12-02T07:00:00+01:00", "2026-12-16T07:00:00+01:00"]
    ),
    (
      "cron: \"0 7 * * *\", end: 2026-11-25", ["2026-11-24T07:00:00+01:00", "2026-11-25T07:00:00+01:00"]
    ),
    (
      "cron: \"0 7 * * *\", exceptions: [2026-11-24, 2026-11-26]",
      ["2026-11-25T07:00:00+01:00", "2026-11-27T07:00:00+01:00"]
    ),
  ])
  func aScheduleHasThesePoints(keys: String, expected: [String]) throws {
    let points = try schedule(keys + ", timezone: Europe/Zurich").points()
    let now = try #require(Zone.moment(rfc3339: "2026-11-23T10:00:00+01:00"))
    let found = points.occurrences(after: now).prefix(2).map { points.zone.rfc3339($0) }
    #expect(found.prefix(expected.count) == expected[...])
    if keys.hasPrefix("once") || keys.contains("COUNT") || keys.contains("end:") {
      #expect(found.count == expected.count)
    }
  }

  @Test func aCalendarSaysWhenAScheduleRests() throws {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/rest.ics"
    try """
    BEGIN:VCALENDAR\r
    BEGIN:VEVENT\r
    UID:1\r
    DTSTART;VALUE=DATE:20261124\r
    DTEND;VALUE=DATE:20261126\r
    END:VEVENT\r
    END:VCALENDAR\r

    """.write(toFile: file, atomically: true, encoding: .utf8)
    let schedule = try schedule("cron: \"0 7 * * *\", timezone: UTC, exceptions: \(file)")
    let now = try #require(Zone.moment(rfc3339: "2026-11-23T10:00:00Z"))
    #expect(try schedule.points().next(after: now) == Zone.moment(rfc3339: "2026-11-26T07:00:00Z"))
    try FileManager.default.removeItem(atPath: file)
    #expect(throws: ScheduleError.self) { try schedule.points() }
  }

  @Test(arguments: [
    ("overlap: queue", Plans.Schedule.Overlap.queue(limit: 1)), ("overlap: { queue: all }", .queue(limit: 1000)),
    ("overlap: { queue: 7 }", .queue(limit: 7)), ("overlap: allow", .allow(limit: 1000)),
    ("overlap: { allow: 3 }", .allow(limit: 3)), ("overlap: cancel", .cancel), ("overlap: skip", .skip),
  ])
  func overlapsAreWords(keys: String, expected: Plans.Schedule.Overlap) throws {
    #expect(try schedule("every: 15m, \(keys)").overlap == expected)
  }

  @Test func aScheduleKeepsItsPolicies() throws {
    let schedule = try schedule("every: 1h, jitter: 5m, pause_after: 3, catch_up: { points: all, window: 2d, cap: 7 }")
    #expect(schedule.jitter == 300 && schedule.pauseAfter == 3)
    #expect(schedule.catchUp == .all && schedule.catchUpWindow == 172_800 && schedule.catchUpCap == 7)
  }

  @Test func whatNamesAScheduleIsItsPointsAndNotItsPlace() throws {
    let first = try schedule("every: 1h")
    #expect(first.facts == (try schedule("every: 60m, overlap: allow, catch_up: none")).facts)
    #expect(first.facts != (try schedule("every: 61m")).facts)
    #expect(first.facts != (try schedule("every: 1h, end: 2027-01-01")).facts)
  }

  @Test(arguments: [
    ("{ recipe: \"*\", failed: true }", "* failed,needs_attention"),
    ("recipe: { name: \"di*\", failed: false }", "di* succeeded"),
    ("recipe: { name: digest, ended: [needs_attention, any] }", "digest any,needs_attention"),
  ])
  func endsOfOtherRecipesAreNamedInSeveralWays(written: String, read: String) throws {
    let planning = planning("\n  - \(written)\n")
    guard case .recipe(let end)? = planning.plan?.triggers.first?.kind else {
      Issue.record("\(planning.summary)")
      return
    }
    #expect("\(end.recipe) \(end.endings)" == read)
  }

  @Test(arguments: [
    "{ recipe: \"*\", failed: true, ended: any }", "{ recipe: digest, failed: perhaps }",
    "{ recipe: digest, ended: [] }",
    "{ recipe: digest, ended: [failed, gone] }", "{ failed: true }",
  ])
  func endsThatContradictAreErrors(written: String) {
    #expect(planning("\n  - \(written)\n").hasErrors)
  }

  @Test func eventsAreRead() throws {
    let planning = planning(
      """

        - file: "inbox/*.pdf"
        - file: { path: /srv/drop/, settle: 5s, filter: event.size > 10, inputs: { path: "{{ event.path }}" } }
        - webhook: { name: deploy, secret: HOOK, signature: github, limit: 2M }
        - { recipe: other, ended: failed }
        - recipe: { name: other, ended: any }
        - weather.changed: { provider: home, with: { place: Bern }, filter: "{{ event.wind > 3 }}" }
        - mail: { event: new, filter: "event.message.bulk" }
      """)
    let triggers = try #require(planning.plan, "\(planning.summary)").triggers
    let kinds = triggers.map { "\($0.kind)" }
    #expect(triggers.count == 7)
    guard case .file(let pdf) = triggers[0].kind, case .file(let drop) = triggers[1].kind,
      case .webhook(let hook) = triggers[2].kind, case .recipe(let failed) = triggers[3].kind,
      case .recipe(let any) = triggers[4].kind, case .plugin(let weather) = triggers[5].kind
    else {
      Issue.record("wrong kinds: \(kinds)")
      return
    }
    #expect(pdf.folder == "folder/inbox" && pdf.match == "*.pdf" && pdf.settle == 1)
    #expect(drop.folder == "/srv/drop" && drop.match == "*" && drop.settle == 5)
    #expect(triggers[1].filter != nil && triggers[1].inputs.map(\.name) == ["path"])
    #expect(hook.name == "deploy" && hook.signature == .github && hook.limit == 2 << 20)
    #expect(failed == RecipeEnd(recipe: "other", ended: [.failed]) && any.ended == [.any])
    #expect(weather.trigger == "weather.changed" && weather.provider == "home" && weather.settings.contains("Bern"))
    #expect(triggers[5].filter != nil && triggers[6].filter != nil)
  }

  @Test(arguments: [
    ("{ schedule: { rrule: «\"FREQ=DAILY;COUNT=3\"» } }", "invalid_trigger"),
    ("{ schedule: { sun: «sunset» } }", "invalid_trigger"),
    ("{ schedule: { sun: «noon», place: \"47,8\" } }", "invalid_trigger"),
    ("{ schedule: { every: «0.5» } }", "invalid_trigger"),
    ("{ schedule: { cron: \"@daily\", «anchor»: 2026-01-01 } }", "invalid_trigger"),
    ("{ schedule: { cron: \"@daily\", start: 2027-01-01, end: «2026-12-01» } }", "invalid_trigger"),
    ("{ schedule: { cron: \"@daily\", exceptions: [«tomorrow»] } }", "invalid_trigger"),
    ("{ schedule: { cron: \"@daily\", overlap: { queue: «0» } } }", "invalid_value"),
    ("{ file: «\"in*/a.pdf\"» }", "invalid_trigger"),
    ("{ webhook: { name: «\"a/b\"», secret: X } }", "invalid_trigger"),
    ("{ webhook: { «name»: a } }", "missing_key"),
    ("{ manual: ~, «ended»: failed }", "invalid_trigger"),
    ("{ file: { path: a, inputs: { «pth»: x } } }", "unknown_input"),
    ("{ file: { path: a, filter: «size(event.name)» } }", "wrong_type"),
  ])
  func whatIsWrongIsTold(on: String, code: String) {
    let marked = MarkedText(
      "inputs: { path: { type: string, default: x } }\non: \(on)\nsteps: [{ uses: template, with: { text: x } }]\n")
    let planning = Planner.standard().plan(marked.source)
    #expect(planning.diagnostics.map(Finding.init) == [Finding(code, marked.ranges.first)], "\(planning.summary)")
  }

  @Test func aRecipeThatStartsItselfIsRefused() {
    let marked = MarkedText("name: bb\non: { recipe: «bb» }\nsteps: [{ uses: template, with: { text: x } }]\n")
    let planning = Planner.standard().plan(marked.source)
    #expect(planning.diagnostics.map(Finding.init) == [Finding("invalid_trigger", marked.ranges.first)])
  }

  @Test(arguments: [
    ("*.pdf", "a.pdf", true), ("*.pdf", "a.pdf.part", false), ("*", ".hidden", false), (".*", ".hidden", true),
    ("a?c*", "abcd", true), ("a?c*", "ac", false), ("*a*b*c*", "xxaxxbxxc", true), ("*a*b*c*", "xxaxxc", false),
    ("übung.txt", "übung.txt", true),
  ])
  func namesMatch(pattern: String, name: String, isMatch: Bool) {
    #expect(FileEvent(folder: "/", match: pattern).matches(name) == isMatch)
  }

  @Test(arguments: [
    ("8080", "127.0.0.1:8080"), ("0.0.0.0:80", "0.0.0.0:80"), ("[::1]:9000", "[::1]:9000"),
    ("host.example:1", "host.example:1"),
    ("127.0.0.1", nil), (":80", nil), ("a b:80", nil), ("127.0.0.1:0", nil), ("127.0.0.1:99999", nil),
  ])
  func addressesAreRead(text: String, expected: String?) {
    #expect(ListenAddress(text)?.description == expected)
  }
}
