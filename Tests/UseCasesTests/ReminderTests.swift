import Builtins
import Engine
import Expressions
import Foundation
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RunStore
import Schedules
import TestWorkspace
import Testing

@testable import UseCases

/// Reminders: kept, delivered, repeated, put off, acknowledged. Nothing waits: what is to come is woken by putting it off
/// to a moment that has passed.
@Suite(.timeLimit(.minutes(5))) struct ReminderTests {
  private let place: TestWorkspace.Place
  private let zone: Zone
  /// Monday.
  private let now: Date

  init() throws {
    place = try TestWorkspace.Place(
      configuration:
        "providers: {}\nreminders: { deliver: [{ command: [sh, -c, 'echo \"$0\" >>told', \"{{ text }}\"] }] }\n")
    zone = try #require(Zone("Europe/Zurich"))
    now = try zone.moment(#require(LocalTime(iso: "2026-11-23T10:00")))
  }

  private var past: Timestamp { SystemTime().now.adding(seconds: -1) }

  private func draft(_ sentence: String, now: Date = Date()) throws -> ReminderDraft {
    try #require(try ReminderWish(sentence, zone: zone).readings(now: now).first).draft
  }

  private func told() -> [String] { place.text("told").split(separator: "\n").map(String.init) }

  // MARK: Import

  private func calendar(_ summary: String, _ more: String) throws -> [ReminderDraft] {
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:one@example.com", "SUMMARY:" + summary, more, "END:VEVENT",
      "END:VCALENDAR",
    ]
    return try ReminderCalendar.read(lines.joined(separator: "\r\n") + "\r\n", zone: zone, now: now).drafts
  }

  @Test(arguments: ["DTSTART:20990105T090000", "DTSTART:20990105T090000\r\nRRULE:FREQ=WEEKLY"])
  func anEntryOfACalendarIsImportedOnce(_ time: String) async throws {
    let outcomes = try await place.withSession { session in
      var outcomes: [String] = []
      for (summary, more) in [("a", time), ("a", time), ("b", time), ("b", time)] {
        for draft in try calendar(summary, more) {
          outcomes.append("\(try await session.importReminder(draft))")
        }
      }
      return outcomes
    }
    #expect(outcomes == ["kept", "known", "changed", "known"])
    let open = try await Project(place.workspace).reminders()
    #expect(open.filter { $0.state == .coming }.map(\.title) == ["b"])
  }

  /// Earlier versions wrote the UID as a comment, and the times in any zone.
  @Test func anEntryThatAnEarlierVersionImportedIsKnown() async throws {
    let text = """
      # UID: "one@example.com"
      kind: reminder
      name: "a"
      text: "a"
      at: 2099-01-05T08:00:00Z
      deliver:
        - {"command":["sh","-c","echo \\"$0\\" >>told","{{ text }}"]}

      """
    let outcomes = try await place.withSession { session in
      let plan = try session.project.plan(of: SourceText(path: "reminder.yaml", text: text), from: .reminder)
      try await session.engine.enqueue(plan, RunRequest(id: .new(), trigger: "remind"))
      var outcomes: [String] = []
      for (summary, hour) in [("a", "09"), ("a", "10")] {
        for draft in try calendar(summary, "DTSTART:20990105T\(hour)0000") {
          outcomes.append("\(try await session.importReminder(draft))")
        }
      }
      return outcomes
    }
    #expect(outcomes == ["known", "changed"])
  }

  /// The record of a reminder needs no plan.
  @Test func anEntryIsKnownAlsoIfItsWayIsNotConfiguredAnyMore() throws {
    let draft = try #require(try calendar("a {{ b }}", "DTSTART:20990105T090000").first)
    var more = draft
    (more.note, more.leads, more.every) = ("two\nlines", [3600, 60], 600)
    let ways: [Value] = [["notify": ["provider": "gone"]]]
    for draft in [draft, more] {
      let text = ReminderText(draft: draft, ways: ways)
      let read = try #require(
        ReminderRecord(SourceText(path: "r.yaml", text: text.once(at: Date(timeIntervalSince1970: 4e9)))))
      #expect(read.untimed == text.record)
      #expect(read.at?.seconds == 4_000_000_000 && read.uid == "one@example.com" && read.ways == ways)
      #expect(read.text == (draft.note.isEmpty ? draft.title : draft.title + "\n" + draft.note))
      #expect(read.note == draft.note && read.leads == draft.leads && read.repetition?.every == draft.every)
    }
    #expect(ReminderRecord(SourceText(path: "r.yaml", text: "kind: send\nmail: { to: a@example.com }\n")) == nil)
  }

  // MARK: Words

  @Test(arguments: [
    ("Zahnarzt morgen um 9", "Zahnarzt", "2026-11-24T09:00:00"),
    ("remind me to call Ada in 2 hours", "call Ada", "2026-11-23T12:00:00"),
    ("am 3.5.2027 um 14 Uhr Steuer abgeben", "Steuer abgeben", "2027-05-03T14:00:00"),
    ("water the plants on Friday at 18:00", "water the plants", "2026-11-27T18:00:00"),
  ])
  func aSentenceIsSplitIntoTextAndTime(_ sentence: String, _ title: String, _ time: String) throws {
    let readings = try ReminderWish(sentence, zone: zone).readings(now: now)
    #expect(readings.count == 1)
    let draft = try #require(readings.first).draft
    #expect(draft.title == title)
    #expect(try zone.local(#require(draft.first(after: now))).description == time)
  }

  @Test(arguments: [
    "Zahnarzt", "gestern um 9 Zahnarzt", "morgen um 9", "Zahnarzt am 23.11.2026 um 9:00", "every day",
    "Call Bob in 2 hours tomorrow at 9", "jeden Tag um 25 Uhr x", "x tomorrow at 9:75", "x am 31.13.2027",
  ])
  func whatCannotBeKeptIsRefused(_ sentence: String) async throws {
    let (zone, now) = (zone, now)
    #expect(
      await code { _ = try ReminderWish(sentence, zone: zone).readings(now: now) } == "wrong_input", "\(sentence)")
  }

  @Test func wordsWithSeveralMeaningsGiveAllOfThem() throws {
    let readings = try ReminderWish("Zahnarzt nächsten Freitag", zone: zone).readings(now: now)
    #expect(
      try readings.map { try zone.local(#require($0.draft.first(after: now))).description } == [
        "2026-11-27T09:00:00", "2026-12-04T09:00:00",
      ])
  }

  @Test func theTimeMayStandApart() throws {
    var wish = ReminderWish("Monday is bin day", zone: zone)
    wish.at = "2026-11-24 07:30"
    let draft = try #require(try wish.readings(now: now).first).draft
    #expect(draft.title == "Monday is bin day")
    #expect(try zone.local(#require(draft.first(after: now))).description == "2026-11-24T07:30:00")
    wish.at = "tomorrow at 9 sharp"
    #expect(throws: UseCaseError.self) { try wish.readings(now: now) }
  }

  // MARK: Once

  @Test func oneThatComesOnceWaitsAndIsDeliveredOnce() async throws {
    let draft = try draft("Zahnarzt in 3 Tagen")
    try await place.withSession { session in
      guard case .run(let run) = try await session.remind(draft) else {
        Issue.record("it is kept as a recipe")
        return
      }
      var listed = try await session.project.reminders()
      #expect(listed.map(\.title) == ["Zahnarzt"])
      #expect(listed.first?.state == .coming)
      #expect(listed.first?.id == run.rawValue)
      let due = try #require(draft.first(after: Date())).timeIntervalSince1970
      #expect(listed.first?.next?.seconds == Int64(due))
      try await session.workUntilIdle()
      #expect(told().isEmpty)
      #expect(try await session.store.status(of: run) == .waiting)
      // Woken early.
      _ = try await session.snooze("zahn", until: past)
      try await session.workUntilIdle()
      #expect(told() == ["Zahnarzt"])
      #expect(try await session.store.status(of: run) == .succeeded)
      listed = try await session.project.reminders()
      #expect(listed.isEmpty)
      #expect(try await session.project.reminders(includesPast: true).map(\.state) == [.delivered])
    }
  }

  @Test func leadTimesAreDeliveredToo() async throws {
    var draft = try draft("Zahnarzt in 3 Tagen")
    draft.leads = [86_400]
    try await place.withSession { session in
      guard case .run(let run) = try await session.remind(draft) else { return }
      try await session.workUntilIdle()
      let due = try #require(draft.first(after: Date())).timeIntervalSince1970
      let listed = try #require(try await session.project.reminders().first)
      #expect(listed.next?.seconds == Int64(due) - 86_400)
      #expect(listed.round == 0)
      #expect(try await session.store.status(of: run) == .waiting)
      // A notice at another time takes nothing of the reminder away.
      _ = try await session.snooze("zahn", until: past)
      try await session.workUntilIdle()
      #expect(told().count { $0.hasPrefix("Zahnarzt") } == 1)
      let next = try #require(try await session.project.reminders().first)
      #expect(next.next?.seconds == Int64(due) - 86_400)
      #expect(next.at?.seconds == Int64(due))
    }
  }

  @Test func oneThatWasMissedIsDeliveredOnceWithItsLateness() async throws {
    try place.write(
      "late.yaml",
      """
      kind: reminder
      name: late
      text: Zahnarzt
      at: 2026-01-05T09:00:00Z
      lead: [2h, 1h]
      deliver: { command: [sh, -c, 'echo "$0" >>told', "{{ text }}"] }
      """)
    try await place.withSession { session in
      #expect(try await session.run("late.yaml").result.status == .succeeded)
      try await session.workUntilIdle()
    }
    // A receiver shows a text of one line as a title: the note is on the same line.
    let told = told()
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("Zahnarzt (due ") == true && told.first?.hasSuffix(" late)") == true)
  }

  /// The run log alone has the recipe of a reminder that comes once.
  @Test func aFileOfTheSameNameIsAnotherRecipe() async throws {
    let draft = try draft("Zahnarzt in 3 Tagen")
    try FileManager.default.createDirectory(
      atPath: place.folder + "/recipes", withIntermediateDirectories: true)
    try place.write(
      "recipes/reminder.yaml", "kind: reminder\nname: water\ntext: water\non: { schedule: { cron: \"0 9 * * *\" } }\n")
    try await place.withSession { session in
      let path = session.project.servedFolders.first.map { $0 + "/reminder.yaml" } ?? ""
      let plan = try session.project.plan(
        of: SourceText(
          path: path,
          text: ReminderText(draft: draft, ways: try session.project.reminderWays()).once(
            at: Date(timeIntervalSince1970: 4e9))),
        from: .reminder)
      let run = RunID.new()
      try await session.engine.enqueue(plan, RunRequest(id: run, trigger: "remind"))
      _ = try await session.deleteReminder("water", by: "test")
      #expect(try await session.store.status(of: run) == .queued)
    }
  }

  /// Of two recipes of one name only the first would be served.
  @Test func severalRemindersOfOneTitleHaveNamesOfTheirOwn() async throws {
    try await place.withSession { session in
      _ = try await session.remind(try draft("jeden Dienstag um 7 Müll"))
      await #expect(throws: UseCaseError.self) { _ = try await session.remind(try draft("jeden Dienstag um 7 Müll")) }
      _ = try await session.remind(try draft("jeden Freitag um 8 Müll"))
      let names = session.project.servedRecipes(now: SystemTime().now).map(\.plan.name).sorted()
      #expect(names == ["Müll", "Müll 2"])
    }
  }

  // MARK: Repeated until acknowledged

  private static let nagging = """
    kind: reminder
    name: nagging
    text: Tablets
    deliver: { command: [sh, -c, 'echo "$0" >>told', "{{ text }}"] }
    repeat: { every: 1h, until: acknowledged, limit: 3 }
    """

  @Test func itIsRepeatedUntilItsLimit() async throws {
    try place.write("nagging.yaml", Self.nagging)
    try await place.withSession { session in
      #expect(try await session.run("nagging.yaml").result.status == .succeeded)
      for count in 1...3 {
        try await session.workUntilIdle()
        #expect(told().count { $0.hasPrefix("Tablets") } == count)
        let listed = try await session.project.reminders()
        #expect(listed.map(\.state) == (count < 3 ? [.due] : []))
        #expect(listed.first.map(\.round) == (count < 3 ? count + 1 : nil))
        guard count < 3 else { break }
        _ = try await session.snooze("nagging", until: past)
      }
    }
  }

  @Test func anAcknowledgementEndsIt() async throws {
    try place.write("nagging.yaml", Self.nagging)
    try await place.withSession { session in
      _ = try await session.run("nagging.yaml")
      // Before anybody has claimed the next delivery.
      _ = try await session.acknowledge("nagging", by: "Ada")
      #expect(try await session.project.reminders().isEmpty)
      #expect(await code { _ = try await session.acknowledge("nagging", by: "Ada") } == "run_state")
      // And once somebody has.
      _ = try await session.run("nagging.yaml")
      try await session.workUntilIdle()
      _ = try await session.acknowledge("nagging", by: "Ada")
      try await session.workUntilIdle()
      #expect(told().count { $0.hasPrefix("Tablets") } == 2)
    }
  }

  @Test func anEventAcknowledgesItFromAnywhere() async throws {
    try place.write("nagging.yaml", Self.nagging)
    try await place.withSession { session in
      _ = try await session.run("nagging.yaml")
      try await session.workUntilIdle()
      let reminder = try #require(try await session.project.reminders().first)
      guard case .taken = try await Events(session.store).deliver("acknowledged", key: reminder.id) else {
        Issue.record("nobody takes it")
        return
      }
      try await session.workUntilIdle()
      #expect(told().count == 1)
      #expect(try await session.project.reminders(includesPast: true).map(\.state) == [.done])
    }
  }

  /// A day's reminder that nobody acknowledged is not repeated beside that of the next day.
  @Test func anOldRoundEndsWhenTheNextReminderOfItsFileBegins() async throws {
    try place.write("nagging.yaml", Self.nagging)
    try place.write("other.yaml", Self.nagging)
    try await place.withSession { session in
      let first = try await beginBySchedule("nagging.yaml", session)
      // The same name in another file is another reminder.
      let other = try await beginBySchedule("other.yaml", session)
      #expect(try await rounds(session).map(\.round.reminder) == [first, other])
      let second = try await beginBySchedule("nagging.yaml", session)
      #expect(try await rounds(session).map(\.round.reminder) == [other, second])
      let ended = try await ReminderRun.all(in: session.store, areOpen: false)
        .filter { $0.round.reminder == first && $0.round.round == 2 }
      #expect(ended.map(\.summary.status) == [.cancelled])
      #expect(told().count == 3)
      _ = try await session.acknowledge(second.rawValue, by: "Ada")
      #expect(try await rounds(session).map(\.round.reminder) == [other])
    }
  }

  /// Begins a run at a point of a schedule that has come, as the daemon does, and works on it.
  private func beginBySchedule(_ file: String, _ session: Session) async throws -> RunID {
    let plan = try session.project.plan(file)
    let now = SystemTime().now
    var random = SystemRandomNumberGenerator()
    var start = try session.start(
      of: plan,
      RunRequest(
        id: RunID(at: now, using: &random), inputs: try plan.inputs(from: [:]), trigger: "schedule",
        event: ["type": "schedule", "at": .string(now.rfc3339), "late_seconds": 0]))
    start.isQueued = true
    try await session.store.record([.runStarted(start)], durability: .synced)
    try await session.workUntilIdle()
    return start.run
  }

  /// The deliveries that wait for an acknowledgement, by their reminders.
  private func rounds(_ session: Session) async throws -> [ReminderRun] {
    try await ReminderRun.all(in: session.store, areOpen: true).filter { $0.round.wait == .acknowledgement }
      .sorted { $0.round.reminder < $1.round.reminder }
  }

  @Test func oneThatWasDeliveredComesOnceMoreWhereItIsPutOff() async throws {
    try place.write("plain.yaml", Self.nagging.split(separator: "\n").dropLast().joined(separator: "\n"))
    try await place.withSession { session in
      _ = try await session.run("plain.yaml")
      #expect(try await session.project.reminders().isEmpty)
      let later = SystemTime().now.adding(seconds: 7200)
      _ = try await session.snooze("nagging", until: later)
      _ = try await session.snooze("nagging", until: later)
      #expect(try await session.project.reminders().map(\.next?.seconds) == [later.seconds])
      _ = try await session.snooze("nagging", until: past)
      try await session.workUntilIdle()
      #expect(told().count == 2)
    }
  }

  // MARK: Several ways

  @Test func anotherWayIsTriedWhereOneFails() async throws {
    try place.write(
      "ways.yaml",
      """
      kind: reminder
      name: ways
      text: x
      retry: 1
      deliver:
        - command: [sh, -c, "exit 3"]
          otherwise: [{ command: [sh, -c, "exit 4"] }, { command: [sh, -c, "echo second >>told"] }]
        - command: [sh, -c, "echo other >>told"]
          otherwise: { command: [sh, -c, "echo never >>told"] }
      """)
    try await place.withSession { session in
      let status = try await session.run("ways.yaml").result.status
      #expect(status == .succeeded)
    }
    #expect(told().sorted() == ["other", "second"])
  }

  @Test func aDeliveryThatFailsOnAllItsWaysFailsTheRunAndHoldsUpNoOther() async throws {
    try place.write(
      "ways.yaml",
      """
      kind: reminder
      name: ways
      text: x
      retry: 1
      deliver:
        - command: [sh, -c, "exit 3"]
          otherwise: { command: [sh, -c, "exit 4"] }
        - command: [sh, -c, "echo other >>told"]
      """)
    try await place.withSession { session in
      let status = try await session.run("ways.yaml").result.status
      #expect(status == .failed)
    }
    #expect(told() == ["other"])
  }

  // MARK: Again and again

  @Test(arguments: [
    ("every Tuesday at 7 bins out", "rrule"), ("jeden Montag um 8 Müll", "rrule"), ("every 15 minutes stretch", "cron"),
    ("last day of every month pay rent", "rrule"),
  ])
  func oneThatRepeatsBecomesARecipeThatComesAtItsTimes(_ sentence: String, _ key: String) async throws {
    let draft = try draft(sentence, now: now)
    let now = now
    try await place.withSession { session in
      guard case .recipe(let path, _) = try await session.remind(draft, now: now) else {
        Issue.record("it is kept as a run")
        return
      }
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("\(key): "), "\(text)")
      let moment = Timestamp(seconds: Int64(now.timeIntervalSince1970))
      let listed = try await session.project.reminders(now: moment)
      #expect(listed.map(\.title) == [draft.title])
      #expect(listed.first?.next?.seconds == draft.first(after: now).map { Int64($0.timeIntervalSince1970) })
      // A second one takes the place of no other.
      var second = draft
      second.note = "the second"
      guard case .recipe(let other, _) = try await session.remind(second, now: now) else { return }
      #expect(other != path)
      _ = try await session.deleteReminder(other, by: "Ada", now: moment)
      #expect(!FileManager.default.fileExists(atPath: other) && FileManager.default.fileExists(atPath: path))
    }
  }

  // MARK: .ics

  @Test func eventsAndTasksBecomeReminders() throws {
    let file = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VEVENT
      UID:1
      DTSTART;TZID=Europe/Zurich:20261124T090000
      SUMMARY:Zahnarzt
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT1H
      END:VALARM
      END:VEVENT
      BEGIN:VTODO
      UID:2
      DUE:20261201T170000Z
      SUMMARY:Steuer
      BEGIN:VALARM
      TRIGGER;RELATED=END:-P1D
      END:VALARM
      END:VTODO
      BEGIN:VEVENT
      UID:3
      DTSTART:20200101T090000Z
      SUMMARY:Old
      END:VEVENT
      BEGIN:VEVENT
      UID:4
      DTSTART:20261124T090000Z
      RRULE:FREQ=DAILY
      EXDATE:20261125T090000Z
      SUMMARY:Series
      END:VEVENT
      END:VCALENDAR
      """
    let (drafts, remarks) = try ReminderCalendar.read(file, zone: zone, now: now)
    #expect(drafts.map(\.title) == ["Zahnarzt", "Steuer", "Series"])
    #expect(drafts.map(\.leads) == [[3600], [86_400], []])
    #expect(
      try drafts.map { try zone.local(#require($0.first(after: now))).description } == [
        "2026-11-24T09:00:00", "2026-12-01T18:00:00", "2026-11-24T10:00:00",
      ])
    #expect(remarks.map(\.line) == [20])
    #expect(remarks.map(\.title) == ["Old"])
    #expect(throws: UseCaseError.self) { try ReminderCalendar.read("no calendar", zone: zone, now: now) }
  }

  /// Calendars write `PT9H` for nine on the day itself and `-PT15H` for nine on the day before.
  @Test(arguments: [("-PT15H", 86_400.0), ("-PT9H", 64_800), ("PT9H", nil), ("PT0S", 32_400)])
  func alarmsOfAWholeDayCountFromMidnight(_ trigger: String, _ lead: Double?) throws {
    let drafts = try calendar(
      "Birthday", "DTSTART;VALUE=DATE:20261210\r\nBEGIN:VALARM\r\nTRIGGER:\(trigger)\r\nEND:VALARM")
    #expect(drafts.map(\.leads) == [lead.map { [$0] } ?? []])
    #expect(try zone.local(#require(drafts.first?.first(after: now))).description == "2026-12-10T09:00:00")
  }

  private static let standup = [
    "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:s", "SUMMARY:Standup", "DESCRIPTION:Room 3\\n{{ x }}",
    "DTSTART;TZID=Europe/Zurich:20980106T093000", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU",
    "EXDATE;TZID=Europe/Zurich:20980107T093000", "RDATE;TZID=Europe/Zurich:20980118T120000", "END:VEVENT",
    "BEGIN:VEVENT", "UID:s", "SUMMARY:Standup moved", "RECURRENCE-ID;TZID=Europe/Zurich:20980113T093000",
    "DTSTART;TZID=Europe/Zurich:20980113T110000", "END:VEVENT", "END:VCALENDAR",
  ].joined(separator: "\r\n")

  /// The times of the reminders of a project in order, with their titles.
  private func times(_ session: Session, after moment: Date, _ count: Int) -> [String] {
    var found: [(Date, String)] = []
    for recipe in session.project.reminderRecipes(now: Timestamp(seconds: 0)) {
      for trigger in session.project.planning(recipe.path).plan?.triggers ?? [] {
        guard case .schedule(let schedule) = trigger.kind, let points = try? schedule.points() else { continue }
        found += points.occurrences(after: moment).prefix(count).map { ($0, recipe.plan.name) }
      }
    }
    return found.sorted { $0.0 < $1.0 }.prefix(count).map { "\(zone.local($0.0)) \($0.1)" }
  }

  @Test func aSeriesKeepsItsExceptionsOnBothWays() async throws {
    let (drafts, remarks) = try ReminderCalendar.read(Self.standup, zone: zone, now: now)
    #expect(remarks.isEmpty && drafts.map(\.title) == ["Standup", "Standup moved"])
    let moment = try zone.moment(#require(LocalTime(iso: "2098-01-01T00:00")))
    let expected = [
      "2098-01-06T09:30:00 Standup", "2098-01-14T09:30:00 Standup", "2098-01-18T12:00:00 Standup",
      "2098-01-20T09:30:00 Standup",
    ]
    try await place.withSession { session in
      for draft in drafts { #expect(try await session.importReminder(draft) == .kept) }
      for draft in drafts { #expect(try await session.importReminder(draft) == .known) }
      #expect(times(session, after: moment, 4) == expected)
      let (text, others) = try await session.exportReminders()
      #expect(others.isEmpty)
      #expect(text.contains("DESCRIPTION:Room 3\\n{{ x }}"))
      let back = try ReminderCalendar.read(text, zone: zone, now: now)
      #expect(back.remarks.isEmpty && back.drafts.count == 2)
      for draft in back.drafts { #expect(try await session.importReminder(draft) == .known) }
      let series = try #require(back.drafts.first { $0.isRepeated })
      guard case .repeated(let schedule) = series.when else { return }
      #expect(schedule.occurrences(after: moment).prefix(4).map { "\(zone.local($0)) Standup" } == expected)
    }
  }

  @Test func aMovedTimeWithoutItsSeriesIsLeftOut() throws {
    let lone = Self.standup.replacing("UID:s\r\nSUMMARY:Standup\r\n", with: "UID:t\r\nSUMMARY:Standup\r\n")
    let (drafts, remarks) = try ReminderCalendar.read(lone, zone: zone, now: now)
    #expect(drafts.map(\.title) == ["Standup"] && remarks.map(\.title) == ["Standup moved"])
  }

  @Test func whatIsExportedIsReadAgain() async throws {
    var draft = try draft("Zahnarzt in 3 Tagen")
    draft.leads = [7200]
    let series = try self.draft("every Tuesday at 7 bins out")
    try await place.withSession { session in
      _ = try await session.remind(draft)
      _ = try await session.remind(series)
      let (text, remarks) = try await session.exportReminders()
      #expect(remarks.isEmpty)
      let (drafts, others) = try ReminderCalendar.read(text, zone: zone, now: Date())
      #expect(others.isEmpty)
      #expect(Set(drafts.map(\.title)) == ["Zahnarzt", "bins out"])
      let once = try #require(drafts.first { !$0.isRepeated })
      #expect(once.leads == [7200])
      let seconds = draft.first(after: Date()).map { Int64($0.timeIntervalSince1970) }
      #expect(once.first(after: Date()).map { Int64($0.timeIntervalSince1970) } == seconds)
      let again = try #require(drafts.first { $0.isRepeated })
      #expect(again.first(after: Date()) == series.first(after: Date()))
    }
  }

  @Test func anOwnExportChangesNothingWhereItIsImported() async throws {
    let once = try draft("Zahnarzt in 3 Tagen")
    let series = try self.draft("every Tuesday at 7 bins out")
    let foreign = try #require(
      try calendar("Foreign", "DTSTART:20990105T090000Z").first)
    try await place.withSession { session in
      _ = try await session.remind(once)
      _ = try await session.remind(series)
      _ = try await session.importReminder(foreign)
      let (text, _) = try await session.exportReminders()
      let uids = Self.uids(text)
      #expect(uids.count == 3 && uids.contains("one@example.com"))
      #expect(Self.uids(try await session.exportReminders(now: Date().addingTimeInterval(3600)).text) == uids)
      let before = try await session.project.reminders().map(\.id)
      for draft in try ReminderCalendar.read(text, zone: zone, now: Date()).drafts {
        guard case .known = try await session.importReminder(draft) else {
          Issue.record("\(draft.title) is new")
          continue
        }
      }
      #expect(try await session.project.reminders().map(\.id) == before)
      // Changed elsewhere, it is refused: two would come.
      let changed = text.replacing("SUMMARY:", with: "SUMMARY:New ")
      for draft in try ReminderCalendar.read(changed, zone: zone, now: Date()).drafts where draft.title != "New Foreign"
      {
        #expect(await code { _ = try await session.importReminder(draft) } == "wrong_input")
      }
      #expect(try await session.project.reminders().map(\.id) == before)
    }
  }

  private static func uids(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("UID:") }.map { String($0.dropFirst(4)) })
  }
}
