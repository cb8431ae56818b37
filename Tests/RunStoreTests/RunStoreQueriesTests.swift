import Engine
import Expressions
import Foundation
import Hashing
import Localization
import Plans
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct RunStoreQueriesTests {
  let folder: TemporaryFolder
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  // MARK: - One run

  @Test func aWholeRunComesBackAsItWasRecorded() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let run = try await store.run("01AAA")

    #expect(run.summary.status == .failed)
    #expect(run.summary.startedAt == SampleRun.start)
    #expect(run.summary.endedAt == SampleRun.time(1500))
    #expect(run.summary.duration == 1.5)
    #expect(run.summary.stepCount == 3)
    #expect(run.summary.stepsSucceeded == 1)
    #expect(run.summary.stepsFailed == 1)
    #expect(run.summary.stepsSkipped == 1)
    #expect(run.summary.attemptCount == 6)
    #expect(run.summary.retryCount == 2)
    #expect(run.summary.failure?.kind == .parse)
    #expect(run.inputs == .map(["limit": .int(20)]))
    #expect(run.outputs == .map(["count": .int(2)]))
    #expect(run.ownerProcess == Int(ProcessInfo.processInfo.processIdentifier))
    #expect(run.steps.map(\.id) == ["unread", "summarise", "send"])
    #expect(run.steps.map(\.action) == ["mail.search", "chat.complete", "mail.send"])
    #expect(run.steps.map(\.effect) == [.read, .pure, .once])
    #expect(run.steps.map(\.status) == [.succeeded, .failed, .skipped])
    #expect(run.steps[0].output == .map(["messages": .list([.int(1), .int(2), .int(3)])]))
    #expect(run.steps[0].duration == 0.006)
    #expect(run.steps[2].startedAt == nil)
    #expect(run.steps[2].duration == nil)
  }

  @Test func queriesWhileItIsClosedAreAnsweredOrRefused() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let answers = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<200 {
        group.addTask { [store] in
          do {
            return [try await store.run("01AAA").summary.status.rawValue]
          } catch let error as RunStoreError {
            return [error.code.rawValue]
          }
        }
      }
      group.addTask { [store] in
        try await store.close()
        return []
      }
      return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(answers.isSubset(of: [RunStatus.failed.rawValue, RunStoreError.closed(path: "").code.rawValue]))
    await #expect(throws: RunStoreError.self) { try await store.run("01AAA") }
  }

  @Test func itemsOfALoopKeepTheirAttemptsAndOutputs() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let step = try await store.run("01AAA").steps[1]

    #expect(step.itemCount == 3)
    #expect(step.itemsSucceeded == 2)
    #expect(step.itemsFailed == 1)
    #expect(step.providers == ["local", "gpt"])
    #expect(step.output == nil)
    #expect(step.items.map(\.index) == [0, 1])
    #expect(step.items[1].output == .map(["summary": .string("two")]))
    #expect(step.attempts.map(\.item) == [0, 1, 1, 2, 2])
    #expect(step.attempts.map(\.number) == [1, 1, 2, 1, 2])
    #expect(step.attempts.map(\.status) == [.succeeded, .failed, .succeeded, .failed, .failed])
    #expect(step.attempts.map(\.retryDelay) == [nil, 0.5, nil, 1, nil])
    let failure = try #require(step.attempts[1].failure)
    #expect(failure.kind == .rateLimited)
    #expect(failure.message == LocalizedText("slow down", de: "langsamer"))
    #expect(failure.advice == LocalizedText("wait", de: "warten"))
    #expect(failure.retryAfter == 0.5)
    #expect(step.attempts[4].failure?.message == LocalizedText(verbatim: "unexpected end of JSON"))
    #expect(step.attempts[0].inputBytes == 17)
    #expect(step.attempts[0].outputBytes == 42)
    #expect(step.attempts[0].duration == 0.006)
  }

  @Test func attemptsBeyondTheLimitAreCountedButNotGiven() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let step = try await store.run("01AAA", limit: 2).steps[1]
    #expect(step.attemptCount == 5)
    #expect(step.attempts.count == 2)
    #expect(step.items.count == 2)
  }

  @Test func openRunsAreCountedWithoutTheirParts() async throws {
    guard case .runStarted(var queued) = SampleRun.started("01A"), case .runStarted(var part) = SampleRun.started("01B")
    else { return }
    queued.isQueued = true
    part.parent = queued.run
    try await store.record(
      [
        .runStarted(queued), .runStarted(part), SampleRun.started("01C"), SampleRun.started("01D"),
        SampleRun.finished("01D"),
      ], durability: .committed)
    let counts = try await store.openRunCounts()
    #expect(counts.byStatus.filter { $0.value > 0 } == [.queued: 1, .running: 1])
    #expect(counts.oldestQueued == SampleRun.start)
  }

  @Test func jsonFormsHaveStableFields() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let run = try await store.run("01AAA")
    func fields(_ value: Value?) -> [String] {
      guard case .map(let map) = value else { return [] }
      return map.keys.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
    let summary = [
      "id", "recipe", "path", "fingerprint", "trigger", "status", "process_gone", "started_at", "ended_at",
      "duration_ms", "step_count", "steps_succeeded", "steps_failed", "steps_skipped", "attempt_count", "retry_count",
      "failure", "parent", "origin", "due_at", "priority", "group", "behind", "cancel_requested",
      "started_by",
    ]
    #expect(fields(run.summary.json) == summary)
    #expect(fields(run.json) == summary + ["inputs", "outputs", "owner", "waits", "children", "calls", "steps"])
    #expect(
      fields(run.steps[1].json) == [
        "id", "position", "phase", "undo_of", "action", "effect", "status", "providers", "started_at", "ended_at",
        "duration_ms", "item_count", "items_succeeded", "items_failed", "failure", "carried_from", "attempt_count",
        "attempts", "output", "items",
      ])
    #expect(
      fields(run.steps[1].attempts[1].json) == [
        "number", "item", "kind", "provider", "key", "status", "started_at", "ended_at", "duration_ms", "input_bytes",
        "output_bytes", "failure", "retry_delay_ms", "uncertain", "log",
      ])
    #expect(
      fields(run.steps[1].attempts[1].failure?.json) == [
        "kind", "transient", "message", "message_de", "advice", "advice_de", "retry_after_ms",
      ])
    guard case .map(let map) = run.steps[1].attempts[1].json else {
      Issue.record("something else came")
      return
    }
    #expect(map["started_at"] == .string("2023-11-14T22:13:20.259Z"))
    #expect(map["retry_delay_ms"] == .int(500))
    #expect(map["ended_at"] == .string("2023-11-14T22:13:20.271Z"))
  }

  // MARK: - Listings

  @Test func listingsShowTheNewestFirstAndKeepToTheFilter() async throws {
    for number in 0..<6 {
      let id = "01RUN\(number)"
      let recipe = number.isMultiple(of: 2) ? "digest" : "tidy"
      try await store.record(
        [
          SampleRun.started(id, recipe: recipe, at: SampleRun.time(Int64(number) * 1000)),
          SampleRun.finished(id, number < 3 ? .succeeded : .failed, at: SampleRun.time(Int64(number) * 1000 + 10)),
        ], durability: .committed)
    }
    func names(_ filter: RunFilter) async throws -> [String] { try await store.runs(filter).map(\.id.rawValue) }
    #expect(try await names(RunFilter(limit: 2)) == ["01RUN5", "01RUN4"])
    #expect(try await names(RunFilter(recipe: "tidy")) == ["01RUN5", "01RUN3", "01RUN1"])
    #expect(try await names(RunFilter(statuses: [.succeeded])) == ["01RUN2", "01RUN1", "01RUN0"])
    #expect(
      try await names(RunFilter(statuses: [.succeeded, .failed], recipe: "digest", limit: 2)) == ["01RUN4", "01RUN2"])
    #expect(try await names(RunFilter(since: SampleRun.time(4000))) == ["01RUN5", "01RUN4"])
    #expect(try await names(RunFilter(statuses: [.interrupted])) == [])
  }

  @Test func aRunWhoseProcessIsGoneCountsAsInterrupted() async throws {
    try await store.record([SampleRun.started("01GONE")], durability: .committed)
    try await store.record([SampleRun.started("01HERE")], durability: .committed)
    try await store.record([SampleRun.started("01AWAY")], durability: .committed)
    let probe = try DatabaseProbe(store.path)
    // A process that had this number earlier.
    let others = "INSERT INTO processes (host, boot, pid, start_ticks, namespace, token, began_at) SELECT"
    try await probe.execute("\(others) host, boot, pid, start_ticks - 1, namespace, '', began_at FROM processes")
    try await probe.execute("UPDATE runs SET owner = (SELECT max(id) FROM processes) WHERE id = '01GONE'")
    try await probe.execute("\(others) 'elsewhere', boot, 0, 0, namespace, '', began_at FROM processes LIMIT 1")
    try await probe.execute("UPDATE runs SET owner = (SELECT max(id) FROM processes) WHERE id = '01AWAY'")
    let gone = try await store.runs(RunFilter(statuses: [.interrupted]))
    #expect(gone.map(\.id.rawValue) == ["01GONE"])
    #expect(gone.first?.isProcessGone == true)
    let running = try await store.runs(RunFilter(statuses: [.running]))
    #expect(Set(running.map(\.id.rawValue)) == ["01HERE", "01AWAY"])
    #expect(running.allSatisfy { !$0.isProcessGone })
  }

  // MARK: - Names

  @Test(arguments: [
    ("last", "01BBCC"), ("01A", "01AAAA"), ("01a", "01AAAA"), ("01BBB", "01BBBB"), ("01BBCC", "01BBCC"),
  ])
  func runsAreFoundByNameBeginningOrLast(reference: String, expected: String) async throws {
    for (number, id) in ["01AAAA", "01BBBB", "01BBCC"].enumerated() {
      try await store.record([SampleRun.started(id, at: SampleRun.time(Int64(number)))], durability: .committed)
    }
    #expect(try await store.resolve(reference).rawValue == expected)
  }

  @Test func theNameOfARecipeMeansItsNewestRun() async throws {
    for (number, id) in ["01AAAA", "01BBBB"].enumerated() {
      try await store.record(
        [SampleRun.started(id, recipe: "nightly", at: SampleRun.time(Int64(number)))], durability: .committed)
    }
    try await store.record([SampleRun.started("01CCCC", at: SampleRun.time(9))], durability: .committed)
    #expect(try await store.resolve("nightly").rawValue == "01BBBB")
    await #expect(throws: RunStoreError.self) { try await store.resolve("weekly") }
  }

  @Test func theLastRunIsNoPartOfAnother() async throws {
    guard case .runStarted(var child) = SampleRun.started("01BBBB", recipe: "kid", at: SampleRun.time(5)) else {
      return
    }
    child.parent = RunID(rawValue: "01AAAA")
    try await store.record([SampleRun.started("01AAAA"), .runStarted(child)], durability: .committed)
    #expect(try await store.resolve("last").rawValue == "01AAAA")
    #expect(try await store.run("last").summary.recipe == "digest")
    #expect(try await store.resolve("01BBBB").rawValue == "01BBBB")
  }

  @Test func anAmbiguousBeginningListsTheCandidates() async throws {
    for id in ["01AAAA", "01BBBB", "01BBCC"] {
      try await store.record([SampleRun.started(id)], durability: .committed)
    }
    let error = await #expect(throws: RunStoreError.self) { try await store.resolve("01b") }
    #expect(error?.code == .ambiguousRun)
    #expect(error?.candidates.map(\.rawValue) == ["01BBCC", "01BBBB"])
    #expect(error?.message.english.contains("\n  01BBCC  digest  running\n  01BBBB  digest  running") == true)
  }

  @Test func theOutputOfALoopIsAListOfWhatSucceeded() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let run = RunID(rawValue: "01AAA")
    #expect(
      try await store.output(of: run, step: "summarise")
        == .list([.map(["summary": .string("one")]), .map(["summary": .string("two")])]))
    let record = try await store.run("01AAA", limit: 1)
    #expect(record.steps.map(\.attemptsFailed) == [0, 3, 0])
    // One that has not ended has none yet.
    try await store.record(
      [
        SampleRun.started("01BBB"),
        .stepStarted(run: RunID(rawValue: "01BBB"), step: 1, itemCount: 3, at: SampleRun.start),
        SampleRun.attemptStarted("01BBB", step: 1, item: 0),
        .output(run: RunID(rawValue: "01BBB"), step: 1, item: 0, value: .int(1)),
      ], durability: .committed)
    let error = await #expect(throws: RunStoreError.self) {
      try await store.output(of: RunID(rawValue: "01BBB"), step: "summarise")
    }
    #expect(error?.code == .outputNotFound)
  }

  @Test(arguments: ["last", "01X", "", "%", "01'; DROP TABLE runs; --"])
  func aNameThatFitsNothingIsATypedError(reference: String) async throws {
    let error = await #expect(throws: RunStoreError.self) { try await store.run(reference) }
    #expect(error?.code == .runNotFound)
  }

  // MARK: - Logs and outputs

  @Test func logsCanBeFollowed() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    try await store.record([SampleRun.started("01BBB"), SampleRun.log("01BBB", "other")], durability: .committed)
    let run = RunID(rawValue: "01AAA")
    let lines = try await store.logs(of: run)
    #expect(lines.map(\.message) == ["14 messages", "item 1 is repeated", "gave up"])
    #expect(lines.map(\.step) == ["unread", "summarise", nil])
    #expect(lines.map(\.level) == [.info, .warning, .error])

    let last = try #require(lines.last)
    #expect(try await store.logs(of: run, after: last.id).isEmpty)
    try await store.record([SampleRun.log("01AAA", "resumed")], durability: .committed)
    #expect(try await store.logs(of: run, after: last.id).map(\.message) == ["resumed"])

    #expect(try await store.logs(of: run, step: "summarise").map(\.message) == ["item 1 is repeated"])
    #expect(try await store.logs(of: run, minimumLevel: .warning).count == 2)
    #expect(try await store.logs(of: run, limit: 1).map(\.message) == ["14 messages"])
    let error = await #expect(throws: RunStoreError.self) { try await store.logs(of: run, step: "nope") }
    #expect(error?.code == .stepNotFound)
  }

  @Test func outputsAreFoundByStepAndItem() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let run = RunID(rawValue: "01AAA")
    #expect(try await store.output(of: run, step: "summarise", item: 1) == .map(["summary": .string("two")]))
    var error = await #expect(throws: RunStoreError.self) {
      try await store.output(of: run, step: "summarise", item: 2)
    }
    #expect(error?.code == .outputNotFound)
    error = await #expect(throws: RunStoreError.self) { try await store.output(of: run, step: "nope") }
    #expect(error?.code == .stepNotFound)
    error = await #expect(throws: RunStoreError.self) {
      try await store.output(of: RunID(rawValue: "01ZZZ"), step: "unread")
    }
    #expect(error?.code == .runNotFound)
  }

  @Test func largeValuesAreKeptOnceAndComeBackWhole() async throws {
    let run = RunID(rawValue: "01AAA")
    let large = Value.string(String(repeating: "ä\"\n", count: 3000))
    try await store.record(
      [
        SampleRun.started("01AAA", inputs: large),
        .output(run: run, step: 0, item: nil, value: large),
        .output(run: run, step: 1, item: 0, value: large),
        SampleRun.finished("01AAA", outputs: large),
      ], durability: .committed)
    let record = try await store.run("01AAA")
    #expect(record.inputs == large)
    #expect(record.outputs == large)
    #expect(record.steps[0].output == large)
    #expect(try await store.output(of: run, step: "summarise", item: 0) == large)
    let hashes = try await DatabaseProbe(store.path).texts("SELECT hash FROM blobs")
    #expect(hashes.count == 1)
    #expect(hashes.first?.count == 64)
  }

  @Test func valuesUpToFourKibibytesStayInTheirRow() async throws {
    let run = RunID(rawValue: "01AAA")
    // Two bytes are the quotation marks.
    let largest = Value.string(String(repeating: "x", count: StoredValue.inlineLimit - 2))
    let larger = Value.string(String(repeating: "x", count: StoredValue.inlineLimit - 1))
    try await store.record(
      [
        SampleRun.started("01AAA"), .output(run: run, step: 0, item: nil, value: largest),
        .output(run: run, step: 1, item: nil, value: larger),
      ], durability: .committed)
    let rows = try await DatabaseProbe(store.path).texts(
      "SELECT bytes || iif(blob IS NULL, ' here', ' blob') FROM outputs ORDER BY step")
    #expect(rows == ["4096 here", "4097 blob"])
    #expect(try await store.output(of: run, step: "unread") == largest)
    #expect(try await store.output(of: run, step: "summarise") == larger)
  }

  @Test func valuesOfEveryShapeComeBack() async throws {
    let run = RunID(rawValue: "01AAA")
    let nested = (0..<900).reduce(Value.string("deep")) { value, _ in .list([value]) }
    let value = Value.list([
      .null, .bool(true), .int(.min), .double(1.5), .string("\0 ä 🙂 \" \\ \n"), .map(["a": .map(["b": .list([])])]),
      nested,
    ])
    try await store.record(
      [SampleRun.started("01AAA"), .output(run: run, step: 0, item: nil, value: value)], durability: .committed)
    #expect(try await store.output(of: run, step: "unread") == value)
  }

  @Test func sha256NamesBlobs() {
    // FIPS 180-4, the example of the one-block message.
    #expect(
      ContentHash.hexadecimal(of: Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      ContentHash.hexadecimal(of: []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test(arguments: ["started_at = 'yesterday'", "status = 'odd'", "inputs = '{'"])
  func aRowThatWasEditedByHandIsATypedError(assignment: String) async throws {
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    try await DatabaseProbe(store.path).execute("UPDATE runs SET \(assignment)")
    let error = await #expect(throws: RunStoreError.self) { try await store.run("01AAA") }
    #expect(error?.code == .damaged)
  }

  @Test func viewsReadWell() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let probe = try DatabaseProbe(store.path)
    let run = "SELECT printf('%s %d %d %d %d', status, steps, attempts, retries, duration_ms) FROM run_summary"
    #expect(try await probe.text(run) == "failed 3 6 2 1500")
    let providers = try await probe.text("SELECT providers FROM step_summary WHERE step = 'summarise'")
    #expect(providers?.split(separator: ",").sorted() == ["gpt", "local"])
    #expect(try await probe.number("SELECT attempts FROM step_summary WHERE step = 'summarise'") == 5)
    #expect(
      try await probe.texts("SELECT item FROM attempt_summary WHERE step = 'summarise'") == ["0", "1", "1", "2", "2"])
    #expect(try await probe.number("SELECT count(*) FROM attempt_summary WHERE item IS NULL") == 1)
    #expect(try await probe.text("SELECT value FROM output_summary WHERE item = 1") == #"{"summary":"two"}"#)
    #expect(try await probe.text("SELECT step FROM log_summary WHERE level = 'warning'") == "summarise")
  }
}
