import Engine
import Expressions
import GRDB
import Localization
import SeededRandom
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct RunStoreQueueTests {
  let folder: TemporaryFolder
  let time = ManualTime()
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: time)
  }

  private func start(_ id: String, _ change: (inout RunStart) -> Void = { _ in }) -> JournalEntry {
    guard case .runStarted(var start) = SampleRun.started(id, at: time.now) else { return SampleRun.started(id) }
    change(&start)
    return .runStarted(start)
  }

  private func queue(_ id: String, priority: Int = 0, group: String? = nil, max: Int = 1) async throws {
    let entry = start(id) { start in
      start.isQueued = true
      start.priority = priority
      start.group = group
      start.groupMax = max
    }
    try await store.record([entry], durability: .committed)
  }

  private func claim(_ limit: Int = 10) async throws -> [String] {
    try await store.claim(limit: limit, at: time.now).map(\.rawValue)
  }

  // MARK: - Order and groups

  /// Whatever happens to the runs of some groups, in whatever order, the runs that are next are those that a look at all
  /// of them finds.
  @Test(arguments: 0..<8) func theNextRunOfEachGroupIsKnown(seed: UInt64) async throws {
    let max = Int(seed % 4) + 1
    var random = SeededGenerator(seed: seed)
    let probe = try DatabaseProbe(store.path)
    let expected = """
      SELECT concurrency_group || '=' || (SELECT id FROM runs AS next WHERE next.concurrency_group = runs.concurrency_group
        AND next.status = 'queued' AND next.parent IS NULL ORDER BY next.priority DESC, next.id LIMIT 1)
      FROM runs WHERE concurrency_group IS NOT NULL GROUP BY concurrency_group
      HAVING sum(status IN ('running', 'waiting', 'interrupted')) < \(max) AND sum(status = 'queued') > 0 ORDER BY 1
      """
    var queued = 0
    for _ in 0..<120 {
      let group = ["a", "b", "c", nil][Int.random(in: 0..<4, using: &random)]
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        queued += 1
        try await queue("01R\(queued)", priority: .random(in: 0...2, using: &random), group: group, max: max)
      case 3:
        for run in try await claim(2) {
          switch Int.random(in: 0..<3, using: &random) {
          case 0: try await store.record([SampleRun.finished(run)], durability: .committed)
          case 1: try await store.record([SampleRun.finished(run, .interrupted)], durability: .committed)
          default:
            let later = time.now.adding(seconds: 10)
            try await store.record(
              [.runParked(run: RunID(rawValue: run), until: later, at: time.now)], durability: .committed)
          }
        }
      case 4: time.advance(by: 5)
      default:
        if let run = try await probe.texts("SELECT id FROM runs WHERE status = 'queued' ORDER BY random()").first {
          try await store.requestCancel(of: RunID(rawValue: run))
        }
        try await store.prune(RetentionPolicy(runs: 3), at: time.now)
      }
      let kept = try await probe.texts("SELECT concurrency_group || '=' || run FROM group_heads ORDER BY 1")
      #expect(try await probe.texts(expected) == kept)
    }
    #expect(try await store.check() == [])
  }

  @Test func asManyRunsOfAGroupWorkAsItHasPlaces() async throws {
    for number in 1...5 { try await queue("01R\(number)", group: "g", max: 3) }
    #expect(try await claim() == ["01R1", "01R2", "01R3"])
    #expect(try await claim() == [])
    #expect(try await store.claim(RunID(rawValue: "01R4"), at: time.now) == .groupTaken(by: RunID(rawValue: "01R1")))
    #expect(try await store.runs().first { $0.id.rawValue == "01R4" }?.behind == RunID(rawValue: "01R1"))
    try await store.record([SampleRun.finished("01R2")], durability: .committed)
    #expect(try await store.claim(RunID(rawValue: "01R4"), at: time.now) == .claimed)
    #expect(try await store.snapshot(of: RunID(rawValue: "01R4")).start.groupMax == 3)
    #expect(try await claim() == [])
  }

  /// After a change of the recipe, runs of a group may differ.
  @Test func theSmallestNumberOfPlacesCounts() async throws {
    try await queue("01R1", group: "g", max: 3)
    try await queue("01R2", group: "g", max: 1)
    try await queue("01R3", group: "g", max: 3)
    #expect(try await claim() == ["01R1"])
    try await store.record([SampleRun.finished("01R1")], durability: .committed)
    #expect(try await claim() == ["01R2"])
    try await store.record([SampleRun.finished("01R2")], durability: .committed)
    #expect(try await claim() == ["01R3"])
  }

  @Test func theSmallestNumberOfPlacesCountsForRunsThatGiveWayToo() async throws {
    try await queue("01R1", group: "g", max: 1)
    try await store.record(
      [
        start("01R2") {
          ($0.isQueued, $0.group, $0.groupMax, $0.givesWay) = (true, "g", 3, true)
        }
      ], durability: .committed)
    #expect(try await store.run("01R2").summary.status == .skipped)
  }

  /// Several processes wait for runs of a group: the first ones begin as long as the group has places.
  @Test func runsThatProcessesWaitForBeginInTheirOrder() async throws {
    for number in 1...4 { try await queue("01R\(number)", group: "g", max: 2) }
    let run = { (number: Int) in RunID(rawValue: "01R\(number)") }
    #expect(try await store.claim(run(3), at: time.now) == .claimed)
    #expect(try await store.claim(run(4), at: time.now) == .claimed)
    #expect(try await store.claim(run(2), at: time.now) == .groupTaken(by: run(3)))
    #expect(try await store.claim(run(1), at: time.now) == .groupTaken(by: run(3)))
    try await store.record([SampleRun.finished("01R3")], durability: .committed)
    // Run 1 is waited for, and is before run 2.
    #expect(try await store.claim(run(2), at: time.now) == .groupTaken(by: run(1)))
    #expect(try await store.claim(run(1), at: time.now) == .claimed)
  }

  @Test func aClaimLooksAtNoMoreGroupsThanItTakes() async throws {
    let owner = try #require(store.writer?.owner)
    let (looker, now) = (try DatabaseQueue(path: store.path), time.now)
    /// How many statements it takes to look for a run.
    func statements() async throws -> Int {
      try await looker.read { database in
        var count = 0
        database.trace(options: .statement) { _ in count += 1 }
        let claims = RunClaims(database: database, owner: owner, id: nil, now: now, path: "sous.db")
        let canClaim = try claims.canClaim()
        #expect(canClaim)
        database.trace(options: [])
        return count
      }
    }
    try await queue("01A", group: "a")
    let few = try await statements()
    for number in 0..<100 { try await queue("01B\(number)", group: "group \(number)") }
    let many = try await statements()
    #expect(many == few)
    let taken = try await claim(200)
    #expect(taken.count == 101)
    try looker.close()
  }

  @Test func whoeverFindsNothingWritesNothing() async throws {
    try await store.record([start("01A")], durability: .committed)
    try await queue("01B", group: "mail")
    #expect(try await claim() == ["01B"])
    let waiting = try RunStore(path: store.path, time: time)
    let commits = store.statistics.commits
    for _ in 0..<5 {
      #expect(try await waiting.claim(limit: 10, at: time.now).isEmpty)
      #expect(try await claim().isEmpty)
      guard case .taken = try await waiting.claim(RunID(rawValue: "01A"), at: time.now) else {
        Issue.record("a run at work was not refused")
        return
      }
    }
    #expect(waiting.statistics.commits == 0)
    #expect(store.statistics.commits == commits)
  }

  @Test func aStepThatHasNotBegunMayHaveAKeyOfAnEarlierRun() async throws {
    try await store.record(
      [start("01A"), SampleRun.attemptStarted("01A", step: 2), SampleRun.attemptFinished("01A", step: 2)],
      durability: .committed)
    let step = try await store.snapshot(of: RunID(rawValue: "01A")).steps[2]
    #expect(step.status == .pending)
    #expect(step.units.map(\.lastAttempt?.key) == ["01A/2/-1"])
    #expect(try await store.check(isThorough: true) == [])
  }

  @Test func ofTwoRunsThatGiveWayOneIsQueued() async throws {
    let other = try RunStore(path: folder("sous.db"), time: time)
    let stores = [store, other]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, id) in ["01A", "01B", "01C", "01D"].enumerated() {
        let entry = start(id) {
          $0.group = "mail"
          $0.isQueued = true
          $0.givesWay = true
        }
        group.addTask { try await stores[index % 2].record([entry], durability: .synced) }
      }
      try await group.waitForAll()
    }
    let runs = try await store.runs()
    #expect(runs.filter { $0.status == .queued }.count == 1)
    #expect(runs.filter { $0.status == .skipped }.count == 3)
    try await other.close()
  }

  @Test func ofRunsThatDisplaceOthersTheLastIsLeft() async throws {
    let other = try RunStore(path: folder("sous.db"), time: time)
    let stores = [store, other]
    // One that works, one that waits, one of another group.
    try await store.record(
      [start("01A") { $0.group = "mail" }, start("01B") { $0.group = "mail" }], durability: .synced)
    let waiting = RunID(rawValue: "01B")
    try await store.record([.runParked(run: waiting, until: nil, at: time.now)], durability: .synced)
    try await queue("01C", group: "notes")
    let ids = ["01D", "01E", "01F", "01G"]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, id) in ids.enumerated() {
        let entry = start(id) {
          $0.group = "mail"
          $0.isQueued = true
          $0.displacesOthers = true
        }
        group.addTask { try await stores[index % 2].record([entry], durability: .synced) }
      }
      try await group.waitForAll()
    }
    let isCalledOff = try await store.runs().reduce(into: [:]) { $0[$1.id.rawValue] = $1.isCancelRequested }
    #expect(ids.count { isCalledOff[$0] == false } == 1)
    #expect([isCalledOff["01A"], isCalledOff["01B"], isCalledOff["01C"]] == [true, true, false])
    // Whoever works through the queue gets all that are cancelled, and what waits, at once.
    #expect(try await store.claim(waiting, at: time.now) == .claimed)
    try await other.close()
  }

  @Test func whatMayHaveActedIsSettledBeforeARunIsEndedAsItStands() async throws {
    let run = RunID(rawValue: "01A")
    let send = 2
    try await store.record(
      [
        start("01A"), .stepStarted(run: run, step: send, itemCount: nil, at: time.now),
        SampleRun.attemptStarted("01A", step: send),
      ], durability: .committed)
    let engine = RunEngine(queue: store, providers: NoProviders(), time: time)
    let reason = LocalizedText(verbatim: "its recipe is gone")
    for _ in 0..<2 {
      #expect(try await store.reclaim(run, at: time.now) == .claimed)
      #expect(try await engine.abandon(store.snapshot(of: run), reason).status == .needsAttention)
      #expect(try await store.doubts().map(\.position) == [send])
    }
    try await store.settle(try #require(try await store.doubts(of: run).first), output: nil, by: "somebody")
    #expect(try await store.claim(run, at: time.now) == .claimed)
    #expect(try await engine.abandon(store.snapshot(of: run), reason).status == .cancelled)
    #expect(try await store.doubts() == [])
    #expect(try await store.check(isThorough: true) == [])
  }

  // MARK: - Ownership

  @Test func nobodyGoesOnFromWhatLacksSomethingThatIsNotYetWritten() async throws {
    var configuration = RunStore.Configuration()
    configuration.busyTimeout = 0.05
    let hasty = try RunStore(path: folder("other.db"), time: time, configuration: configuration)
    try await hasty.record([start("01A")], durability: .committed)
    let run = RunID(rawValue: "01A")
    _ = try await hasty.snapshot(of: run)
    let probe = try DatabaseProbe(hasty.path)
    try await probe.execute("BEGIN IMMEDIATE")
    try await hasty.record(
      [SampleRun.attemptStarted("01A", step: 0), SampleRun.attemptFinished("01A", step: 0)], durability: .accepted)
    await #expect(throws: RunStoreError.locked(path: "")) { try await hasty.snapshot(of: run) }
    try await probe.execute("ROLLBACK")
    #expect(try await hasty.snapshot(of: run).steps[0].units.count == 1)
  }

  @Test func aRowThatBelongsToAnotherMachineOfThisNameStays() async throws {
    let probe = try DatabaseProbe(store.path)
    try await store.record([start("01A"), SampleRun.finished("01A")], durability: .committed)
    try await probe.execute("UPDATE processes SET boot = 'another', machine = 'another'")
    let other = try RunStore(path: store.path, time: time)
    try await other.record([start("01B")], durability: .committed)
    #expect(try await probe.number("SELECT count(*) FROM processes") == 2)
    try await store.record([SampleRun.log("01A", "still here")], durability: .committed)
    try await store.close()
  }

  @Test func aRunThatWasLeftWaitsForAnotherOfItsGroup() async throws {
    let left = RunID(rawValue: "01A")
    try await store.record([start("01A") { $0.group = "g" }], durability: .committed)
    try await store.record([SampleRun.finished("01A", .needsAttention)], durability: .committed)
    try await queue("01B", group: "g")
    #expect(try await claim() == ["01B"])
    #expect(try await store.claim(left, at: time.now) == .groupTaken(by: RunID(rawValue: "01B")))
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("UPDATE runs SET status = 'interrupted' WHERE id = '01A'")
    #expect(try await claim() == [])
    try await store.record([SampleRun.finished("01B")], durability: .committed)
    #expect(try await claim() == ["01A"])
  }

  @Test(arguments: ["host = 'elsewhere'", "pid = 1, start_ticks = 1"])
  func aProcessThatCannotBeSeenIsLostOnlyWhenItsBeatStandsStill(change: String) async throws {
    try await store.record([start("01A")], durability: .committed)
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("UPDATE processes SET \(change)")
    var configuration = RunStore.Configuration()
    // As of a process that hides itself: it is there, but nothing can be read of it.
    configuration.processes = folder("no-such-folder")
    let other = try RunStore(path: store.path, time: time, configuration: configuration)
    func claims() async throws -> Int { try await other.claim(limit: 10, at: time.now).count }
    /// Looks once a second.
    func claims(looks: Int) async throws -> Int {
      var taken = 0
      for _ in 0..<looks {
        time.advance(by: 1)
        taken += try await claims()
      }
      return taken
    }
    #expect(try await claims(looks: 60) == 0)
    try await store.beat()
    #expect(try await claims(looks: 30) == 0)
    // Asleep, and the other one with it.
    time.advance(by: 3600)
    #expect(try await claims(looks: 26) == 0)
    #expect(try await claims(looks: 1) == 1)
    await #expect(throws: RunStoreError.processLost(path: "")) {
      try await store.record([SampleRun.log("01A", "late")], durability: .committed)
    }
    await #expect(throws: RunStoreError.processLost(path: "")) { try await store.claim(limit: 1, at: time.now) }
    try await other.record([SampleRun.log("01A", "in time")], durability: .committed)
    #expect(try await other.logs(of: RunID(rawValue: "01A")).map(\.message) == ["in time"])
  }

  // MARK: - Breakers

  @Test func breakersAreKept() async throws {
    let record = BreakerRecord(
      provider: "home", failures: 3, probes: 1, openUntil: time.now.adding(seconds: 10), openSeconds: 10,
      lastFailure: .refused, at: time.now)
    try await store.record([.breaker(BreakerRecord(provider: "home", at: time.now))], durability: .accepted)
    try await store.record([.breaker(record)], durability: .accepted)
    #expect(try await store.breakers() == [record])
  }
}

/// Nobody to call.
private struct NoProviders: ProviderDirectory, StepProvider {
  var builtins: any StepProvider { self }

  func provider(named name: String) throws(ActionFailure) -> any StepProvider { self }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) throws(ActionFailure) -> Value { .null }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) throws(ActionFailure) -> Verdict { .unknown }
}
