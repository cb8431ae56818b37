import Engine
import Expressions
import Foundation
import Localization
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct RetentionTests {
  let folder: TemporaryFolder
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  private static let day = 86_400.0

  /// Some days after the first run.
  private func after(_ days: Double) -> Timestamp { SampleRun.start.adding(seconds: days * Self.day) }

  private func name(_ number: Int) -> String {
    "01" + String(repeating: "0", count: 4 - String(number).count) + "\(number)"
  }

  /// Ended runs, one a day.
  private func record(_ count: Int, recipe: String = "digest", from first: Int = 0) async throws {
    for number in first..<first + count {
      let id = name(number)
      let at = after(Double(number))
      try await store.record(
        [
          SampleRun.started(id, recipe: recipe, at: at), SampleRun.attemptStarted(id, step: 0, at: at),
          SampleRun.attemptFinished(id, step: 0, at: at), SampleRun.log(id, "line of \(id)", step: 0),
          .output(run: RunID(rawValue: id), step: 0, item: nil, value: .string(String(repeating: id, count: 1000))),
          SampleRun.finished(id, at: at),
        ], durability: .committed)
    }
  }

  private func left() async throws -> [String] {
    try await store.runs(RunFilter(limit: 1000)).map(\.id.rawValue).sorted()
  }

  struct Case: Sendable {
    var policy: RetentionPolicy
    var kept: [Int]
  }

  static let cases: [Case] = [
    Case(policy: RetentionPolicy(), kept: Array(0..<10)),
    Case(policy: RetentionPolicy(age: 4.5 * day), kept: [6, 7, 8, 9]),
    Case(policy: RetentionPolicy(runs: 3), kept: [7, 8, 9]),
    Case(policy: RetentionPolicy(age: 2.5 * day, runs: 5), kept: [8, 9]),
    Case(policy: RetentionPolicy(age: 8.5 * day, runs: 5), kept: [5, 6, 7, 8, 9]),
    Case(policy: RetentionPolicy(age: 1000 * day, runs: 1000, size: 1 << 30), kept: Array(0..<10)),
    Case(policy: RetentionPolicy(age: day, recipes: ["digest": .init(age: 3.5 * day)]), kept: [7, 8, 9]),
    Case(policy: RetentionPolicy(recipes: ["digest": .init(runs: 2)]), kept: [8, 9]),
    Case(policy: RetentionPolicy(runs: 6, recipes: ["other": .init(runs: 1)]), kept: [4, 5, 6, 7, 8, 9]),
  ]

  @Test(arguments: cases) func whatExceedsABoundGoesOldestFirst(_ example: Case) async throws {
    try await record(10)
    let preview = try await store.prunable(example.policy, at: after(10))
    let report = try await store.prune(example.policy, at: after(10))
    #expect(try await left() == example.kept.map(name))
    #expect(report.runs == 10 - example.kept.count)
    #expect(preview.runs == report.runs)
    let probe = try DatabaseProbe(store.path)
    for table in ["steps", "attempts", "outputs", "logs"] {
      let count = try await probe.number("SELECT count(DISTINCT run) FROM \(table)")
      #expect(count == example.kept.count, "\(table)")
    }
    #expect(try await probe.number("SELECT count(*) FROM blobs") == example.kept.count)
    #expect(try await store.check(isThorough: true).isEmpty)
    try await store.close()
  }

  @Test func unfinishedRunsAndWhatBelongsToThemStay() async throws {
    try await record(3)
    for (number, status) in [RunStatus.interrupted, .needsAttention].enumerated() {
      let id = name(100 + number)
      try await store.record([SampleRun.started(id), SampleRun.finished(id, status)], durability: .committed)
    }
    // A root that has ended with a child that has not, and one whose child has.
    for (number, status) in [RunStatus.interrupted, .succeeded].enumerated() {
      let (root, child) = (name(200 + number), name(300 + number))
      guard case .runStarted(var start) = SampleRun.started(child) else {
        Issue.record("something else came")
        return
      }
      start.parent = RunID(rawValue: root)
      try await store.record(
        [
          SampleRun.started(root), .runStarted(start), SampleRun.finished(child, status), SampleRun.finished(root),
        ], durability: .committed)
    }
    let waiting = RunID(rawValue: name(400))
    try await store.record(
      [SampleRun.started(waiting.rawValue), .runParked(run: waiting, until: nil, at: after(0))], durability: .committed)
    let report = try await store.prune(RetentionPolicy(age: 1, runs: 1, size: 1), at: after(1000))
    #expect(report.runs == 5)
    #expect(try await left() == [name(100), name(101), name(200), name(300), name(400)])
    try await store.close()
  }

  private func started(_ id: String, parent: String? = nil, origin: String? = nil) throws -> JournalEntry {
    guard case .runStarted(var start) = SampleRun.started(id) else { throw CancellationError() }
    start.parent = parent.map(RunID.init(rawValue:))
    start.origin = origin.map(RunID.init(rawValue:))
    return .runStarted(start)
  }

  @Test func whatAnUnfinishedRunRepeatsStaysWithItsParts() async throws {
    // B repeats A, and C repeats B; both refer to what the child of A has done. F repeats D, with E for the part of D.
    try await store.record(
      [
        started("01A"), started("01A1", parent: "01A"), SampleRun.finished("01A1", .failed),
        SampleRun.finished("01A", .failed), started("01B", origin: "01A"), SampleRun.finished("01B", .failed),
        started("01C", origin: "01B"), started("01D"), started("01D1", parent: "01D"),
        SampleRun.finished("01D1", .failed),
        SampleRun.finished("01D", .failed), started("01F", origin: "01D"),
        started("01E", parent: "01F", origin: "01D1"), SampleRun.finished("01F", .interrupted),
      ], durability: .committed)
    let policy = RetentionPolicy(age: 1, runs: 0, size: 1)
    #expect(try await store.prunable(RetentionPolicy(age: 1, runs: 0), at: after(1000)).runs == 0)
    #expect(try await store.prune(policy, at: after(1000)).runs == 0)
    for run in ["01A", "01C", "01E"] {
      #expect(try await !store.hasLostOrigin(RunID(rawValue: run)))
    }
    try await store.record([SampleRun.finished("01C"), SampleRun.finished("01E")], durability: .committed)
    #expect(try await store.prune(policy, at: after(1000)).runs == 4)
    #expect(try await left() == ["01D", "01D1", "01E", "01F"])
    try await store.close()
  }

  @Test func callsOfARunMayBeRepeatedUntilItAndItsRepetitionsHaveEnded() async throws {
    try await store.record(
      [
        started("01A"), SampleRun.finished("01A", .failed), started("01B", origin: "01A"),
        SampleRun.finished("01B", .failed), started("01C", origin: "01B"),
      ], durability: .committed)
    func unfinished() throws -> [String] {
      try ["01A", "01B", "01C", "01D"].filter { try store.isUnfinished(RunID(rawValue: $0)) }
    }
    #expect(try unfinished() == ["01A", "01B", "01C"])
    try await store.record([SampleRun.finished("01C", .needsAttention)], durability: .committed)
    #expect(try unfinished() == ["01A", "01B", "01C"])
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("UPDATE runs SET status = 'cancelled' WHERE id = '01C'")
    #expect(try unfinished() == [])
    try await store.close()
  }

  @Test func callsOfAPartMayBeRepeatedUntilAllThatRepeatsTheWholeHasEnded() async throws {
    func isUnfinished() throws -> Bool { try store.isUnfinished(RunID(rawValue: "01A2")) }
    try await store.record(
      [
        started("01A"), started("01A1", parent: "01A"), started("01A2", parent: "01A1"),
        SampleRun.finished("01A2", .failed), SampleRun.finished("01A1", .failed),
      ], durability: .committed)
    #expect(try isUnfinished())
    try await store.record([SampleRun.finished("01A", .cancelled)], durability: .committed)
    #expect(try !isUnfinished())
    // What repeats the part does not exist yet.
    try await store.record([started("01B", origin: "01A")], durability: .committed)
    #expect(try isUnfinished())
    try await store.record(
      [started("01B1", parent: "01B", origin: "01A1"), SampleRun.finished("01B", .failed)], durability: .committed)
    #expect(try isUnfinished())
    try await store.record([SampleRun.finished("01B1", .failed)], durability: .committed)
    #expect(try !isUnfinished())
    #expect(try !store.isUnfinished(RunID(rawValue: "01X")))
    try await store.close()
  }

  @Test func aRunKnowsThatWhatItRepeatsIsGone() async throws {
    try await store.record(
      [
        started("01B", origin: "01A"), started("01C", origin: "01B"), started("01D", parent: "01C"), started("01E"),
      ], durability: .committed)
    for (run, isLost) in [("01B", true), ("01C", true), ("01D", true), ("01E", false)] {
      #expect(try await store.hasLostOrigin(RunID(rawValue: run)) == isLost, "\(run)")
    }
    try await store.close()
  }

  /// How often this process has the database file open.
  private func openFiles() throws -> Int {
    let path = URL(fileURLWithPath: store.path).resolvingSymlinksInPath().path
    let files = FileManager.default
    return try files.contentsOfDirectory(atPath: "/proc/self/fd").count {
      (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
    }
  }

  @Test(arguments: [(true, 1), (false, 2)]) func theLastPruningReadsByTheConnectionOfTheWriter(
    isLast: Bool, files: Int
  ) async throws {
    try await record(10)
    #expect(try openFiles() == 1)
    let report = try await store.prune(RetentionPolicy(runs: 3), at: after(10), isLast: isLast)
    #expect(report.runs == 7)
    #expect(try openFiles() == files)
    #expect(try await left() == (7...9).map(name))
    try await store.close()
  }

  @Test func contentsThatAnotherRunHoldsStay() async throws {
    let large = Value.string(String(repeating: "x", count: 10_000))
    for id in ["01A", "01B"] {
      try await store.record(
        [SampleRun.started(id, inputs: large), SampleRun.finished(id, at: after(id == "01A" ? 0 : 5))],
        durability: .committed)
    }
    var report = try await store.prune(RetentionPolicy(age: Self.day), at: after(4))
    #expect(report.runs == 1 && report.blobs == 0)
    #expect(try await store.run("01B").inputs == large)
    report = try await store.prune(RetentionPolicy(age: Self.day), at: after(7))
    #expect(report.runs == 1 && report.blobs == 1)
    try await store.close()
  }

  @Test func theRecipesOfARecipeAreKeptOnceAndAsLongAsARunHoldsThem() async throws {
    let probe = try DatabaseProbe(store.path)
    let texts = ["a.yaml": "name: a", "b.yaml": "name: b"]
    for (number, recipes) in [texts, texts, ["a.yaml": "name: a", "b.yaml": "name: newer"], nil].enumerated() {
      guard case .runStarted(var start) = SampleRun.started(name(number)) else {
        Issue.record("something else came")
        return
      }
      start.recipes = recipes
      // A recipe that is run by itself as well is one text.
      start.source = "name: a"
      try await store.record(
        [.runStarted(start), SampleRun.finished(name(number), at: after(Double(number)))], durability: .committed)
      let found = try await store.snapshot(of: RunID(rawValue: name(number))).start.recipes
      #expect(found == recipes)
    }
    #expect(try await probe.number("SELECT count(*) FROM blobs") == 3)
    #expect(try await store.check(isThorough: true) == [])
    for (days, texts) in [(1.5, 3), (2.5, 2), (3.5, 1), (4.5, 0)] {
      try await store.prune(RetentionPolicy(age: Self.day), at: after(days))
      #expect(try await probe.number("SELECT count(*) FROM blobs") == texts)
      #expect(try await store.check(isThorough: true) == [])
    }
    #expect(try await probe.number("SELECT count(*) FROM recipe_sets") == 0)
    try await store.close()
  }

  @Test func aKeptResultThatIsReplacedLeavesNothing() async throws {
    let probe = try DatabaseProbe(store.path)
    func large(_ text: String) -> Value { .string(String(repeating: text, count: 9000)) }
    for text in ["x", "y", "y", "z"] {
      try await store.keepResult(large(text), key: "a", until: after(1))
      #expect(try await probe.number("SELECT count(*) FROM blobs") == 1)
      #expect(try await store.cachedResult("a", at: after(0)) == large(text))
    }
    try await store.keepResult(large("z"), key: "b", until: after(1))
    try await store.keepResult(.int(1), key: "a", until: after(1))
    #expect(try await store.cachedResult("b", at: after(0)) == large("z"))
    try await store.keepResult(.int(1), key: "b", until: after(1))
    #expect(try await probe.number("SELECT count(*) FROM blobs") == 0)
    try await store.close()
  }

  @Test(arguments: [true, false]) func valuesThatNobodyHoldsGoInTime(isThorough: Bool) async throws {
    try await record(3)
    let probe = try DatabaseProbe(store.path)
    try await probe.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1200)
      INSERT INTO blobs (hash, bytes, content) SELECT printf('%064x', i), 1, x'00' FROM n
      """)
    var removed = 0
    for _ in 0..<(isThorough ? 1 : 4) {
      removed += try await store.prune(RetentionPolicy(), at: after(0), isThorough: isThorough).blobs
    }
    #expect(removed == 1200)
    #expect(try await probe.number("SELECT count(*) FROM blobs") == 3)
    #expect(try await store.check(isThorough: true).isEmpty)
    try await store.close()
  }

  @Test func largeValuesThatNobodyHoldsGoInPieces() async throws {
    try await store.record([SampleRun.started("01A"), SampleRun.finished("01A")], durability: .committed)
    let probe = try DatabaseProbe(store.path)
    try await probe.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40)
      INSERT INTO blobs (hash, bytes, content) SELECT printf('%064x', i), 1048576, x'00' FROM n
      """)
    var removed: [Int] = []
    while removed.count < 20, try await probe.number("SELECT count(*) FROM blobs") != 0 {
      removed.append(try await store.prune(RetentionPolicy(), at: after(0)).blobs)
    }
    // A piece counts 103 rows for a mebibyte, of 1000.
    #expect(removed == [10, 10, 10, 10])
    try await store.close()
  }

  @Test func eventsStayAsLongAsARunCanReceiveThem() async throws {
    let time = ManualTime()
    let store = try RunStore(path: folder("events.db"), time: time)
    let waiting = RunID(rawValue: "01W")
    try await store.record(
      [
        SampleRun.started("01W", at: time.now), .stepStarted(run: waiting, step: 0, itemCount: nil, at: time.now),
        .waitStarted(
          WaitStart(run: waiting, step: 0, item: nil, kind: .event, until: nil, event: "paid", at: time.now)),
        .runParked(run: waiting, until: time.now.adding(seconds: 1000), at: time.now),
      ], durability: .committed)
    time.advance(by: 10)
    try await store.deliver(event: "early")
    time.advance(by: 1000)
    #expect(try await store.prune(RetentionPolicy(), at: time.now).events == 0)
    #expect(try await store.claim(limit: 1, at: time.now) == [waiting])
    try await store.record([SampleRun.finished("01W", .cancelled, at: time.now)], durability: .committed)
    #expect(try await store.prunable(RetentionPolicy(), at: time.now).events == 1)
    #expect(try await store.prune(RetentionPolicy(), at: time.now).events == 1)
    try await store.close()
  }

  @Test(arguments: [false, true])
  func eventsThatCameWhileARunWasQueuedStayForIt(isWatched: Bool) async throws {
    let time = ManualTime()
    let store = try RunStore(path: folder("events.db"), time: time)
    guard case .runStarted(var start) = SampleRun.started("01Q", at: time.now) else {
      Issue.record("something else came")
      return
    }
    (start.isQueued, start.isAttended) = (true, isWatched)
    try await store.record([.runStarted(start)], durability: .committed)
    time.advance(by: 60)
    #expect(try await store.deliver(event: "paid", payload: .int(1)) == nil)
    time.advance(by: 60)
    #expect(try await store.claim(limit: 1, at: time.now) == [start.run])
    time.advance(by: 60)
    #expect(try await store.prunable(RetentionPolicy(), at: time.now).events == 0)
    #expect(try await store.prune(RetentionPolicy(), at: time.now).events == 0)
    try await store.record(
      [
        .waitStarted(
          WaitStart(run: start.run, step: 0, item: nil, kind: .event, until: nil, event: "paid", at: time.now))
      ], durability: .committed)
    #expect(try await store.answer(run: start.run, step: 0, item: nil) == .event(.int(1)))
    try await store.close()
  }

  @Test func expiredResultsAndGoneProcessesGo() async throws {
    try await store.keepResult(.string(String(repeating: "y", count: 9000)), key: "a", until: after(1))
    try await store.keepResult(.int(1), key: "b", until: after(3))
    let probe = try DatabaseProbe(store.path)
    try await probe.execute(
      """
      INSERT INTO processes (host, boot, pid, start_ticks, namespace, token, began_at, lost)
      VALUES ('elsewhere', 'b', 1, 1, 'n', 't', '2026-01-01T00:00:00.000Z', 1),
        ('elsewhere', 'b', 2, 1, 'n', 't', '2026-01-01T00:00:00.000Z', 0)
      """)
    let report = try await store.prune(RetentionPolicy(), at: after(2))
    #expect(report.cachedResults == 1 && report.blobs == 1 && report.processes == 1 && report.runs == 0)
    #expect(try await probe.number("SELECT count(*) FROM processes") == 2)
    #expect(try await store.cachedResult("b", at: after(2)) == .int(1))
    try await store.close()
  }

  @Test func aLargeRunGoesInManySmallTransactions() async throws {
    let run = RunID(rawValue: "01LARGE")
    var entries = [SampleRun.started("01LARGE"), .stepStarted(run: run, step: 0, itemCount: 2000, at: SampleRun.start)]
    for item in 0..<2000 {
      entries += [
        SampleRun.attemptStarted("01LARGE", step: 0, item: item),
        SampleRun.attemptFinished("01LARGE", step: 0, item: item),
        .output(run: run, step: 0, item: item, value: .int(Int64(item))),
      ]
    }
    try await store.record(entries + [SampleRun.finished("01LARGE")], durability: .committed)
    let before = store.statistics.commits
    // Stops in the middle, and goes on the next time.
    #expect(try await store.prune(RetentionPolicy(age: 1), at: after(9), limit: 3).runs == 0)
    #expect(store.statistics.commits - before <= 4)
    #expect(try await store.prune(RetentionPolicy(age: 1), at: after(9)).runs == 1)
    #expect(store.statistics.commits - before >= 4000 / RunRemoval.rowsOfStep)
    #expect(try await left() == [])
    try await store.close()
  }

  @Test func aRunThatIsBeingRemovedIsOutOfSightAtOnce() async throws {
    let (root, child) = (RunID(rawValue: "01ROOT"), RunID(rawValue: "01TCHILD"))
    guard case .runStarted(var start) = SampleRun.started(child.rawValue) else {
      Issue.record("something else came")
      return
    }
    start.parent = root
    var entries = [SampleRun.started(root.rawValue), .runStarted(start), SampleRun.log(root.rawValue, "fourteen")]
    for number in 1...3500 {
      for run in [root.rawValue, child.rawValue] {
        entries += [
          SampleRun.attemptStarted(run, step: 0, number: number),
          SampleRun.attemptFinished(run, step: 0, number: number, failure: .test, retryDelay: 1),
        ]
      }
    }
    try await store.record(
      entries + [SampleRun.finished(child.rawValue), SampleRun.finished(root.rawValue)], durability: .committed)
    try await record(1, from: 5)
    try await store.updateSearch()
    // As at the end of a command: some steps, and the rest another time.
    #expect(try await store.prune(RetentionPolicy(age: Self.day), at: after(5), limit: 3).runs == 0)
    let probe = try DatabaseProbe(store.path)
    let rows = try await probe.number("SELECT count(*) FROM attempts") ?? 0
    #expect(rows > 1000 && rows < 5000)
    #expect(try await left() == [name(5)])
    for run in [root, child] {
      for reference in [run.rawValue, String(run.rawValue.prefix(5))] {
        let error = await #expect(throws: RunStoreError.self) { try await store.resolve(reference) }
        #expect(error?.code == .runNotFound)
      }
      let error = await #expect(throws: RunStoreError.self) { try await store.snapshot(of: run) }
      #expect(error?.code == .runNotFound)
      #expect(try await store.result(of: run)?.status == nil)
      #expect(try await store.claim(run, at: after(5)) == .absent)
      #expect(try await store.logs(of: run).isEmpty)
    }
    #expect(try await store.resolve("last").rawValue == name(5))
    #expect(try await store.runs(RunFilter(words: SearchWords("fourteen"))).isEmpty)
    #expect(try await store.statistics().map(\.runs) == [1])
    #expect(try await store.export(.jsonLines) { _ in } == 1)
    #expect(try await store.check(isThorough: true) == [])
    // What has been begun is completed whatever the policy is then.
    #expect(try await store.prunable(RetentionPolicy(), at: after(5)).runs == 2)
    #expect(try await store.prunable(RetentionPolicy(runs: 0), at: after(5)).runs == 3)
    #expect(try await store.prune(RetentionPolicy(), at: after(5)).runs == 2)
    #expect(try await probe.texts("SELECT id FROM runs") == [name(5)])
    #expect(try await store.check(isThorough: true) == [])
    try await store.close()
  }

  struct SharedBound: Sendable {
    var policy: RetentionPolicy
    /// How many runs of the first recipe, and of the second, are left.
    var kept: [Int]
  }

  /// Six runs of the digest, then twelve of ping.
  static let sharedBounds: [SharedBound] = [
    SharedBound(policy: RetentionPolicy(runs: 15, recipes: ["ping": .init(runs: 10)]), kept: [5, 10]),
    SharedBound(policy: RetentionPolicy(runs: 16, recipes: ["ping": .init(runs: 10)]), kept: [6, 10]),
    SharedBound(policy: RetentionPolicy(runs: 4, recipes: ["ping": .init(runs: 10)]), kept: [0, 4]),
    SharedBound(policy: RetentionPolicy(runs: 15, recipes: ["ping": .init(age: 4.5 * day)]), kept: [6, 4]),
    SharedBound(
      policy: RetentionPolicy(runs: 14, recipes: ["ping": .init(age: 6.5 * day, runs: 9)]), kept: [6, 6]),
    SharedBound(policy: RetentionPolicy(age: 14.5 * day, runs: 12, recipes: ["ping": .init(runs: 9)]), kept: [2, 9]),
  ]

  @Test(arguments: sharedBounds) func whatOneBoundTakesCountsForTheOthers(_ example: SharedBound) async throws {
    try await record(6)
    try await record(12, recipe: "ping", from: 6)
    let preview = try await store.prunable(example.policy, at: after(18))
    #expect(preview.runs == 18 - example.kept.reduce(0, +))
    #expect(try await store.prune(example.policy, at: after(18)).runs == preview.runs)
    let counts = [
      try await store.runs(RunFilter(recipe: "digest")).count, try await store.runs(RunFilter(recipe: "ping")).count,
    ]
    #expect(counts == example.kept)
    try await store.close()
  }

  @Test func theFileShrinksToItsBound() async throws {
    let noise = (0..<400).map { number in "\(number)" + String(repeating: "large value ", count: 3500) }
    for (number, text) in noise.enumerated() {
      let id = name(number)
      try await store.record(
        [SampleRun.started(id, inputs: .string(text)), SampleRun.finished(id, at: after(Double(number)))],
        durability: .committed)
    }
    let bound = 4 << 20
    let report = try await store.prune(RetentionPolicy(size: bound), at: after(400))
    #expect(report.bytesBefore > 2 * bound)
    #expect(report.bytesAfter <= bound)
    #expect(report.runs > 100 && report.runs < 390)
    // The newest stay.
    #expect(try await left().last == name(399))
    try await store.close()
    #expect(store.fileSizes().database <= bound)
  }

  @Test func aRunAMinuteKeepsTheFileBelowItsBound() async throws {
    let policy = RetentionPolicy(age: 5 * 3600, runs: 200, size: 4 << 20)
    var (largest, largestWAL, early) = (0, 0, 0)
    for minute in 0..<1440 {
      let id = "01" + String(1_000_000 + minute)
      let at = SampleRun.start.adding(seconds: Double(minute) * 60)
      try await store.record(
        [
          SampleRun.started(id, inputs: .map(["minute": .int(Int64(minute))]), at: at),
          SampleRun.attemptStarted(id, step: 0, at: at), SampleRun.log(id, "14 messages of minute \(minute)", step: 0),
        ], durability: .committed)
      try await store.record(
        [
          SampleRun.attemptFinished(id, step: 0, at: at),
          .output(
            run: RunID(rawValue: id), step: 0, item: nil,
            value: .string(String(repeating: "text \(minute) ", count: 150))),
          SampleRun.finished(id, at: at),
        ], durability: .committed)
      try await store.prune(policy, at: at)
      if minute % 60 == 59 { try await store.updateSearch() }
      let sizes = store.fileSizes()
      largest = max(largest, sizes.database)
      largestWAL = max(largestWAL, sizes.wal)
      if minute == 480 { early = largest }
    }
    #expect(try await left().count == 200)
    #expect(largest <= 4 << 20)
    // It has stopped growing long before.
    #expect(largest <= early + early / 4)
    #expect(largestWAL < 64 << 20)
    #expect(try await store.check(isThorough: true).isEmpty)
    let words = SearchWords("minute 1439")
    #expect(try await store.runs(RunFilter(words: words, limit: 1000)).count == 1)
    try await store.close()
  }

  @Test func theWALIsFoldedThoughReadersLook() async throws {
    let large = Value.string(String(repeating: "x", count: 200_000))
    let other = try RunStore(readingFrom: store.path)
    for number in 0..<50 {
      try await store.record(
        [SampleRun.started(name(number), inputs: .list([.int(Int64(number)), large]))], durability: .committed)
      _ = try await other.runs()
    }
    #expect(store.fileSizes().wal > 0)
    try await store.foldWAL(beyond: 0)
    #expect(store.fileSizes().wal == 0)
    try await other.close()
    try await store.close()
  }
}

extension ActionFailure {
  fileprivate static let test = ActionFailure(.rateLimited, LocalizedText(verbatim: "slow down"))
}
