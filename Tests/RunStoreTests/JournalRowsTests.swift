import Engine
import Expressions
import Localization
import Plans
import TestSupport
import Testing

@testable import RunStore

/// Rows of the journal, however its entries meet in transactions.
@Suite(.timeLimit(.minutes(5)))
struct JournalRowsTests {
  let folder: TemporaryFolder
  let time = ManualTime()

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String) throws -> RunStore { try RunStore(path: folder(name), time: time) }

  /// Every row that a run consists of, as text.
  private static func rows(_ path: String) async throws -> [String] {
    let probe = try DatabaseProbe(path)
    var rows: [String] = []
    for (table, columns) in [
      ("runs", ["id", "status", "started_at", "ended_at", "inputs", "outputs", "failure_kind", "failure_message"]),
      (
        "steps",
        [
          "run", "position", "id", "action", "effect", "status", "started_at", "ended_at", "item_count",
          "items_succeeded", "items_failed", "carried_from", "failure_kind", "failure_message", "failure_message_de",
          "failure_advice", "failure_advice_de", "phase", "undo_of",
        ]
      ),
      (
        "attempts",
        [
          "run", "step", "item", "number", "kind", "provider", "idempotency_key", "status", "started_at", "ended_at",
          "duration_ms", "input_bytes", "output_bytes", "failure_kind", "failure_message", "failure_message_de",
          "failure_advice", "failure_advice_de", "retry_after_ms", "retry_delay_ms", "uncertain",
        ]
      ),
      ("outputs", ["run", "step", "item", "bytes", "value", "blob"]),
      ("logs", ["id", "run", "step", "item", "attempt", "level", "message", "at"]),
    ] {
      let fields = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
      rows += try await probe.texts("SELECT '\(table) ' || \(fields) FROM \(table) ORDER BY 1")
    }
    return rows
  }

  // MARK: - Transactions

  @Test(arguments: [1, 2, 3, 5, 8])
  func rowsAreTheSameInOneTransactionAndInMany(size: Int) async throws {
    let entries = SampleRun.complete("01AAA")
    let together = try open("together.db")
    try await together.record(entries, durability: .committed)
    try await together.close()

    let apart = try open("apart.db")
    try await apart.record(entries, inPiecesOf: size)
    try await apart.close()
    let expected = try await Self.rows(apart.path)
    #expect(expected.count == 16)
    #expect(try await Self.rows(together.path) == expected)
  }

  @Test(arguments: [1, 2, 3, 7, 12])
  func stepsAreTheSameHoweverTheirBeginningsAndEndsLie(size: Int) async throws {
    let first = RunID(rawValue: "01AAA")
    let second = RunID(rawValue: "01BBB")
    let steps = [
      RunStart.Step(id: "text", action: "template", effect: .pure),
      RunStart.Step(id: "more", action: "template", effect: .pure),
      RunStart.Step(id: "send", action: "mail.send", effect: .once),
      RunStart.Step(id: "back", action: "mail.delete", effect: .once, phase: .undo(of: 2)),
      RunStart.Step(id: "tell", action: "log", effect: .pure, phase: .finally),
    ]
    var carried = StepEnd(run: second, step: 1, status: .succeeded, at: SampleRun.time(3))
    carried.carriedFrom = first
    let failure = ActionFailure(.invalidInput, LocalizedText("no text", de: "kein Text"))
    let entries: [JournalEntry] = [
      SampleRun.started("01AAA", steps: steps), SampleRun.started("01BBB", steps: steps),
      // Two at once, of two runs.
      .stepStarted(run: first, step: 0, itemCount: nil, at: SampleRun.time(1)),
      .stepStarted(run: second, step: 0, itemCount: nil, at: SampleRun.time(1)),
      .stepStarted(run: first, step: 1, itemCount: 2, at: SampleRun.time(2)),
      SampleRun.attemptStarted("01AAA", step: 0), SampleRun.attemptFinished("01AAA", step: 0),
      .output(run: first, step: 0, item: nil, value: .string("Hello")),
      .stepFinished(StepEnd(run: first, step: 0, status: .succeeded, at: SampleRun.time(2))),
      .stepFinished(StepEnd(run: second, step: 0, status: .failed, failure: failure, at: SampleRun.time(3))),
      // One that never began here, and one whose end is long in coming.
      .stepFinished(carried),
      .output(run: second, step: 1, item: nil, value: .string("carried")),
      SampleRun.log("01AAA", "1", step: 2), SampleRun.log("01AAA", "2"), SampleRun.log("01AAA", "3"),
      SampleRun.log("01AAA", "4"), SampleRun.log("01AAA", "5"), SampleRun.log("01AAA", "6"),
      .stepFinished(
        StepEnd(run: first, step: 1, status: .succeeded, itemsSucceeded: 2, itemsFailed: 0, at: SampleRun.time(9))),
      // One that is still under way.
      .stepStarted(run: first, step: 2, itemCount: nil, at: SampleRun.time(9)),
      SampleRun.attemptStarted("01AAA", step: 2),
      .stepFinished(StepEnd(run: second, step: 4, status: .skipped, at: SampleRun.time(9))),
      SampleRun.finished("01BBB", .failed),
    ]
    let together = try open("together.db")
    try await together.record(entries, durability: .committed)
    try await together.close()
    let apart = try open("apart.db")
    try await apart.record(entries, inPiecesOf: size)
    try await apart.close()

    let rows = try await Self.rows(together.path)
    #expect(try await Self.rows(apart.path) == rows)
    let statuses = try await DatabaseProbe(together.path).texts(
      "SELECT run || ' ' || status || ' ' || phase || ' ' || coalesce(undo_of, '') FROM steps ORDER BY run, position")
    #expect(
      statuses == [
        "01AAA succeeded main ", "01AAA succeeded main ", "01AAA running main ", "01AAA pending undo 2",
        "01AAA pending finally ", "01BBB failed main ", "01BBB succeeded main ", "01BBB pending main ",
        "01BBB pending undo 2", "01BBB skipped finally ",
      ])
  }

  @Test func beginningAndEndMeetWhereDifferentCallersRecordThem() async throws {
    let entries = SampleRun.complete("01AAA")
    let store = try open("sous.db")
    for entry in entries { try await store.record([entry], durability: .accepted) }
    try await store.flush()
    #expect(store.statistics.commits == 1)
    try await store.close()
    let together = try open("together.db")
    try await together.record(entries, durability: .committed)
    try await together.close()
    #expect(try await Self.rows(store.path) == Self.rows(together.path))
  }

  @Test func anAttemptWithoutItsEndStaysAsOneThatRuns() async throws {
    let run = RunID(rawValue: "01AAA")
    var store: RunStore? = try open("sous.db")
    try await store?.record([SampleRun.started("01AAA")], durability: .committed)
    try await store?.record(
      [
        .stepStarted(run: run, step: 2, itemCount: nil, at: SampleRun.time(1)),
        SampleRun.attemptStarted("01AAA", step: 2, at: SampleRun.time(2)),
      ], durability: .synced)
    // The process is gone before anybody waits for the end.
    try await store?.record([SampleRun.attemptFinished("01AAA", step: 2)], durability: .accepted)
    store = nil

    let reader = try RunStore(readingFrom: folder("sous.db"))
    let step = try await reader.run("01AAA").steps[2]
    #expect(step.status == .running)
    #expect(step.attempts.map(\.status) == [.running])
    #expect(step.attempts.first?.startedAt == SampleRun.time(2))
    #expect(step.attempts.first?.endedAt == nil)
  }

  @Test func whatComesBetweenSeesTheBeginning() async throws {
    let run = RunID(rawValue: "01AAA")
    let store = try open("sous.db")
    let wait = WaitStart(run: run, step: 0, item: nil, kind: .time, until: SampleRun.time(60_000), at: SampleRun.start)
    try await store.record(
      [
        SampleRun.started("01AAA"), .stepStarted(run: run, step: 0, itemCount: nil, at: SampleRun.start),
        SampleRun.attemptStarted("01AAA", step: 0), .waitStarted(wait),
        SampleRun.attemptFinished("01AAA", step: 0),
      ], durability: .committed)
    let step = try await store.run("01AAA").steps[0]
    #expect(step.status == .running)
    #expect(step.attempts.map(\.status) == [.succeeded])
    try await store.close()
  }

  // MARK: - Refusals

  @Test func twoBeginningsOfOneAttemptAreRefused() async throws {
    let store = try open("sous.db")
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    let error = await #expect(throws: RunStoreError.self) {
      try await store.record(
        [
          SampleRun.attemptStarted("01AAA", step: 0), SampleRun.attemptStarted("01AAA", step: 0),
          SampleRun.attemptFinished("01AAA", step: 0),
        ], durability: .committed)
    }
    #expect(error?.code == .entryRefused)
    #expect(try await store.run("01AAA").steps[0].attempts.isEmpty)
    try await store.close()
  }

  @Test func anEndWithoutABeginningCostsOnlyItsOwnCaller() async throws {
    let run = RunID(rawValue: "01AAA")
    let store = try open("sous.db")
    try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    try await store.record([SampleRun.attemptStarted("01AAA", step: 0)], durability: .accepted)
    try await store.record([SampleRun.attemptFinished("01AAA", step: 1)], durability: .accepted)
    try await store.record([SampleRun.attemptFinished("01AAA", step: 0)], durability: .accepted)
    let error = await #expect(throws: RunStoreError.self) {
      try await store.record(
        [.stepFinished(StepEnd(run: run, step: 7, status: .succeeded, at: SampleRun.start))], durability: .committed)
    }
    #expect(error?.code == .entryRefused)
    let record = try await store.run("01AAA")
    #expect(record.steps[0].attempts.map(\.status) == [.succeeded])
    #expect(record.steps[1].attempts.isEmpty)
    await #expect(throws: RunStoreError.self) { try await store.close() }
  }

  // MARK: - Columns

  @Test(arguments: [
    "", "a", "zwölf Boxkämpfer 🥊", String(repeating: "x", count: 5000), String(repeating: "ü", count: 9000),
  ])
  func textsAreKeptAsTheyAre(text: String) async throws {
    let store = try open("sous.db")
    try await store.record(
      [SampleRun.started("01AAA"), SampleRun.log("01AAA", text), SampleRun.log("01AAA", "after")],
      durability: .committed)
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).map(\.message) == [text, "after"])
    try await store.close()
  }

  @Test(
    arguments: [
      (0, 0), (1_700_000_000, 250_000_000), (1_700_000_000, 999_999_999), (1_700_000_000, 1_000_000),
      (1_700_000_001, 0), (-62_135_596_800, 5_000_000), (253_402_300_799, 999_000_000),
    ] as [(Int64, Int32)])
  func timesAreWrittenAsTheyAreElsewhere(seconds: Int64, nanoseconds: Int32) {
    let before = Timestamp(seconds: seconds, nanoseconds: 123_000_000)
    let point = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    var text = TimestampText()
    for time in [point, before, point] {
      text.set(time)
      #expect(text.withBytes { String(decoding: $0, as: UTF8.self) } == time.rfc3339Milliseconds)
    }
  }
}
