import Engine
import Expressions
import GRDB
import Localization
import SeededRandom
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

  private func queue(_ id: String, priority: Int = 0, group: String? = nil) async throws {
    let entry = start(id) { start in
      start.isQueued = true
      start.priority = priority
      start.group = group
    }
    try await store.record([entry], durability: .committed)
  }

  private func claim(_ limit: Int = 10) async throws -> [String] {
    try await store.claim(limit: limit, at: time.now).map(\.rawValue)
  }

  // MARK: - Order and groups

  @Test func queuedRunsComeByPriorityThenByAge() async throws {
    try await queue("01B")
    try await queue("01A")
    try await queue("01C", priority: 5)
    #expect(try await store.status(of: RunID(rawValue: "01A")) == .queued)
    #expect(try await claim(2) == ["01C", "01A"])
    #expect(try await claim() == ["01B"])
    #expect(try await claim() == [])
    #expect(try await store.status(of: RunID(rawValue: "01A")) == .running)
  }

  @Test(arguments: [RunStatus.running, .waiting, .interrupted]) func groupIsHeldBy(_ status: RunStatus) async throws {
    let holder = RunID(rawValue: "01A")
    try await store.record([start("01A") { $0.group = "" }], durability: .committed)
    if status == .waiting {
      let later = time.now.adding(seconds: 100)
      try await store.record([.runParked(run: holder, until: later, at: time.now)], durability: .committed)
    } else if status == .interrupted {
      try await store.record([SampleRun.finished("01A", .interrupted)], durability: .committed)
    }
    try await queue("01B", group: "")
    try await queue("01C", group: "!")
    try await queue("01D", priority: 1, group: "!")
    let outcome: ClaimOutcome = status == .interrupted ? .groupLeft(by: holder) : .groupTaken(by: holder)
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == outcome)
    #expect(try await claim() == (status == .interrupted ? ["01D", "01A"] : ["01D"]))
    if status == .waiting {
      time.advance(by: 100)
      #expect(try await claim() == ["01A"])
    }
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    #expect(try await claim() == ["01B"])
  }

  /// Whatever happens to the runs of some groups, in whatever order, the runs that are next are those that a look at all
  /// of them finds.
  @Test(arguments: 0..<8) func theNextRunOfEachGroupIsKnown(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let probe = try DatabaseProbe(store.path)
    let expected = """
      SELECT concurrency_group || '=' || (SELECT id FROM runs AS next WHERE next.concurrency_group = runs.concurrency_group
        AND next.status = 'queued' AND next.parent IS NULL ORDER BY next.priority DESC, next.id LIMIT 1)
      FROM runs WHERE concurrency_group IS NOT NULL GROUP BY concurrency_group
      HAVING sum(status IN ('running', 'waiting', 'interrupted')) = 0 AND sum(status = 'queued') > 0 ORDER BY 1
      """
    var queued = 0
    for _ in 0..<120 {
      let group = ["a", "b", "c", nil][Int.random(in: 0..<4, using: &random)]
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        queued += 1
        try await queue("01R\(queued)", priority: .random(in: 0...2, using: &random), group: group)
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

  @Test func nobodyWaitsForQueuedRunsThatNobodyStandsByFor() async throws {
    let other = try RunStore(path: store.path, time: time)
    func claim(_ id: String, by store: RunStore) async throws -> ClaimOutcome {
      try await store.claim(RunID(rawValue: id), at: time.now)
    }
    for id in ["01A", "01B", "01C", "01D"] { try await queue(id, group: "mail") }
    #expect(try await claim("01B", by: store) == .claimed)
    #expect(try await claim("01C", by: other) == .groupTaken(by: RunID(rawValue: "01B")))
    #expect(try await claim("01D", by: store) == .groupTaken(by: RunID(rawValue: "01B")))
    try await store.record([SampleRun.finished("01B")], durability: .committed)
    // The one that began to wait first comes first, while it waits.
    #expect(try await claim("01D", by: store) == .groupTaken(by: RunID(rawValue: "01C")))
    try await other.close()
    #expect(try await claim("01D", by: store) == .claimed)
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

  @Test func cancelledRunsDoNotWaitForTheirGroup() async throws {
    try await store.record([start("01A") { $0.group = "mail" }], durability: .committed)
    try await queue("01B", group: "mail")
    #expect(try await claim() == [])
    try await store.requestCancel(of: RunID(rawValue: "01B"))
    try await store.requestCancel(of: RunID(rawValue: "01A"))
    #expect(try await claim() == ["01B"])
    #expect(try await store.snapshot(of: RunID(rawValue: "01B")).isCancelRequested)
    #expect(Set(try await store.cancelRequests().map(\.rawValue)) == ["01A", "01B"])
  }

  @Test func aRunBeginsWhenItIsTakenOutOfTheQueue() async throws {
    try await queue("01A")
    let queuedAt = time.now
    time.advance(by: 3600)
    #expect(try await claim() == ["01A"])
    let run = RunID(rawValue: "01A")
    #expect(try await store.snapshot(of: run).start.at == queuedAt.adding(seconds: 3600))
    // Taken once more, it has begun before.
    try await store.record([SampleRun.finished("01A", .interrupted)], durability: .committed)
    time.advance(by: 60)
    #expect(try await claim() == ["01A"])
    #expect(try await store.snapshot(of: run).start.at == queuedAt.adding(seconds: 3600))
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
    #expect(try await store.unfinished(in: "mail").count == 1)
    let runs = try await store.runs()
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
    // Whoever works through the queue gets all that are called off, and what waits, at once.
    #expect(try await store.claim(waiting, at: time.now) == .claimed)
    try await other.close()
  }

  @Test func ofRepetitionsThatDoNotKnowOfOneAnotherOneIsTaken() async throws {
    let other = try RunStore(path: folder("sous.db"), time: time)
    let stores = [store, other]
    let origin = RunID(rawValue: "01A")
    func repetition(_ id: String, of origin: RunID, knowing known: Set<RunID>) -> JournalEntry {
      start(id) {
        $0.origin = origin
        $0.knownRepetitions = known
      }
    }
    try await store.record([start("01A")], durability: .committed)
    let refused = await withTaskGroup(of: Bool.self) { group in
      for (index, id) in ["01B", "01C", "01D", "01E"].enumerated() {
        let entry = repetition(id, of: origin, knowing: [])
        group.addTask {
          do throws(RunStoreError) {
            try await stores[index % 2].record([entry], durability: .synced)
            return false
          } catch {
            return error.code == .entryRefused && error.fault == .ofRun
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(refused == 3)
    let first = try #require(try await store.repetitions(of: origin).first)
    // Another one has to know that one, and what repeats it in its turn.
    try await store.record([repetition("01F", of: first, knowing: [])], durability: .committed)
    await #expect(throws: (any Error).self) {
      try await store.record([repetition("01G", of: origin, knowing: [first])], durability: .committed)
    }
    let known: Set<RunID> = [first, RunID(rawValue: "01F")]
    try await store.record([repetition("01G", of: origin, knowing: known)], durability: .committed)
    #expect(try await store.repetitions(of: origin).count == 2)
    // So has whoever repeats one of those to know the others.
    await #expect(throws: (any Error).self) {
      try await store.record(
        [repetition("01H", of: first, knowing: [RunID(rawValue: "01F")])], durability: .committed)
    }
    try await other.close()
  }

  @Test func aWaitingRunThatIsDueHasLeftItsGroup() async throws {
    let holder = RunID(rawValue: "01A")
    let run = RunID(rawValue: "01B")
    try await store.record([start("01A") { $0.group = "mail" }], durability: .committed)
    let due = time.now.adding(seconds: 100)
    try await store.record([.runParked(run: holder, until: due, at: time.now)], durability: .committed)
    try await queue("01B", group: "mail")
    #expect(try await store.claim(run, at: due.adding(seconds: -1)) == .groupTaken(by: holder))
    // Also once it stands by for its turn.
    for _ in 0..<2 { #expect(try await store.claim(run, at: due) == .groupLeft(by: holder)) }
  }

  @Test func whoeverGoesOnWithARunFindsAnotherOneOfItsGroupThatWasLeft() async throws {
    let run = RunID(rawValue: "01A")
    let other = RunID(rawValue: "01B")
    try await store.record([start("01A") { $0.group = "mail" }], durability: .committed)
    try await store.record([SampleRun.finished("01A", .needsAttention)], durability: .committed)
    try await store.record([start("01B") { $0.group = "mail" }], durability: .committed)
    #expect(try await store.claim(run, at: time.now) == .groupTaken(by: other))
    try await store.record([.runParked(run: other, until: time.now, at: time.now)], durability: .committed)
    #expect(try await store.claim(run, at: time.now) == .groupLeft(by: other))
  }

  @Test func runsOfStepsAreCalledOffAlone() async throws {
    let part = RunID(rawValue: "01B")
    try await store.record(
      [start("01A"), start("01B") { $0.parent = RunID(rawValue: "01A") }], durability: .committed)
    try await store.requestCancel(of: part)
    #expect(try await store.cancelRequests() == [part])
  }

  @Test func repetitionsAreThoseOfWholeRuns() async throws {
    let origin = RunID(rawValue: "01A")
    try await store.record(
      [
        start("01A"), start("01B") { $0.origin = origin },
        start("01C") {
          $0.origin = origin
          $0.parent = RunID(rawValue: "01B")
        },
        start("01D") {
          $0.origin = origin
          $0.trigger = "replay"
        }, start("01E") { $0.origin = origin },
      ], durability: .committed)
    #expect(try await store.repetitions(of: origin).map(\.rawValue) == ["01B", "01E"])
  }

  @Test func aWaitingRunThatIsCalledOffHasLeftItsGroup() async throws {
    let holder = RunID(rawValue: "01A")
    try await store.record([start("01A") { $0.group = "mail" }], durability: .committed)
    try await store.record([.runParked(run: holder, until: nil, at: time.now)], durability: .committed)
    try await queue("01B", group: "mail")
    #expect(try await store.unfinished(in: "mail").map(\.rawValue) == ["01A", "01B"])
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == .groupTaken(by: holder))
    try await store.requestCancel(of: holder)
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == .groupLeft(by: holder))
    #expect(try await store.claim(holder, at: time.now) == .claimed)
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    #expect(try await store.unfinished(in: "mail").map(\.rawValue) == ["01B"])
  }

  @Test func whatMayHaveActedIsSettledBeforeARunIsEndedAsItStands() async throws {
    let run = RunID(rawValue: "01A")
    let send = 2
    try await store.record(
      [
        start("01A"), .stepStarted(run: run, step: send, itemCount: nil, at: time.now),
        SampleRun.attemptStarted("01A", step: send),
      ], durability: .committed)
    var options = Runner.Options()
    options.queue = store
    let runner = Runner(recorder: store, providers: NoProviders(), time: time, options: options)
    let reason = LocalizedText(verbatim: "its recipe is gone")
    for _ in 0..<2 {
      #expect(try await store.reclaim(run, at: time.now) == .claimed)
      #expect(try await runner.abandon(store.snapshot(of: run), reason).status == .needsAttention)
      #expect(try await store.doubts().map(\.position) == [send])
    }
    try await store.settle(try #require(try await store.doubts(of: run).first), output: nil, by: "somebody")
    #expect(try await store.claim(run, at: time.now) == .claimed)
    #expect(try await runner.abandon(store.snapshot(of: run), reason).status == .cancelled)
    #expect(try await store.doubts() == [])
    #expect(try await store.check(isThorough: true) == [])
  }

  // MARK: - Ownership

  @Test func oneRunNeverBelongsToTwo() async throws {
    let other = try RunStore(path: store.path, time: time)
    for number in 0..<40 { try await queue("01R\(number)") }
    async let first = store.claim(limit: 30, at: time.now)
    async let second = other.claim(limit: 30, at: time.now)
    let (mine, theirs) = try await (first, second)
    #expect(mine.count + theirs.count == 40)
    #expect(Set(mine).isDisjoint(with: theirs))
    let run = try #require(mine.first)
    guard case .taken = try await other.claim(run, at: time.now) else {
      Issue.record("a run at work was not refused")
      return
    }
  }

  @Test func runsOfAStoreThatIsClosedGoToTheNext() async throws {
    let other = try RunStore(path: store.path, time: time)
    try await other.record([start("01A"), start("01B") { $0.parent = RunID(rawValue: "01A") }], durability: .committed)
    #expect(try await claim() == [])
    try await other.close()
    #expect(try await store.status(of: RunID(rawValue: "01A")) == .interrupted)
    #expect(try await claim() == ["01A"])
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == .claimed)
    #expect(try await store.claim(RunID(rawValue: "01C"), at: time.now) == .absent)
  }

  @Test func onlyWhoeverWorksOnARunEndsItOrPutsItDown() async throws {
    let other = try RunStore(path: store.path, time: time)
    try await store.record([start("01A")], durability: .committed)
    let run = RunID(rawValue: "01A")
    for entry in [SampleRun.finished("01A"), .runParked(run: run, until: nil, at: time.now)] {
      await #expect(throws: RunStoreError.entryRefused(path: "", cause: "")) {
        try await other.record([entry], durability: .committed)
      }
    }
    #expect(try await store.status(of: run) == .running)
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    await #expect(throws: RunStoreError.entryRefused(path: "", cause: "")) {
      try await store.record([SampleRun.finished("01A", .cancelled)], durability: .committed)
    }
    #expect(try await store.status(of: run) == .succeeded)
  }

  @Test func onlyWhoeverWorksOnARunWritesWhatBecomesOfIt() async throws {
    let other = try RunStore(path: store.path, time: time)
    let run = RunID(rawValue: "01A")
    try await store.record([start("01A"), SampleRun.attemptStarted("01A", step: 0)], durability: .committed)
    try await other.record([start("01B")], durability: .committed)
    let entries: [JournalEntry] = [
      .stepStarted(run: run, step: 0, itemCount: nil, at: time.now), SampleRun.attemptStarted("01A", step: 1),
      SampleRun.attemptFinished("01A", step: 0), .output(run: run, step: 0, item: nil, value: .int(1)),
      .stepFinished(StepEnd(run: run, step: 0, status: .succeeded, at: time.now)), wait("01A", .approval),
      .waitEnded(run: run, step: 0, item: nil, at: time.now),
    ]
    for entry in entries {
      await #expect(throws: RunStoreError.entryRefused(path: "", cause: "")) {
        try await other.record([entry], durability: .committed)
      }
    }
    // What others write in the same transaction is not concerned, and lines may come late.
    let refused = Task { [other] in try await other.record([entries[3]], durability: .committed) }
    try await other.record(
      [SampleRun.attemptStarted("01B", step: 0), SampleRun.log("01A", "late")], durability: .committed)
    await #expect(throws: RunStoreError.entryRefused(path: "", cause: "")) { try await refused.value }
    // Neither does the process that has put a run down.
    try await store.record([park("01A")], durability: .committed)
    await #expect(throws: RunStoreError.entryRefused(path: "", cause: "")) {
      try await store.record([SampleRun.attemptFinished("01A", step: 0)], durability: .committed)
    }
    #expect(try await store.snapshot(of: run).steps.map(\.status) == [.pending, .pending, .pending])
  }

  @Test func aRunThatWasLeftInThisProcessIsTakenAgain() async throws {
    let run = RunID(rawValue: "01A")
    try await store.record([start("01A")], durability: .committed)
    guard case .taken = try await store.claim(run, at: time.now) else {
      Issue.record("a run at work was not refused")
      return
    }
    #expect(try await store.reclaim(run, at: time.now) == .claimed)
    let other = try RunStore(path: store.path, time: time)
    guard case .taken = try await other.reclaim(run, at: time.now) else {
      Issue.record("a run of another process was not refused")
      return
    }
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    #expect(try await store.reclaim(run, at: time.now) == .ended(.succeeded))
  }

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

  // MARK: - Waits

  private func wait(
    _ id: String, _ kind: WaitKind, event: String? = nil, key: String = "", until: Timestamp? = nil
  ) -> JournalEntry {
    .waitStarted(
      WaitStart(
        run: RunID(rawValue: id), step: 0, item: nil, kind: kind, until: until, event: event, key: key,
        message: kind == .approval ? "send?" : nil, at: time.now))
  }

  private func park(_ id: String, until: Timestamp? = nil) -> JournalEntry {
    .runParked(run: RunID(rawValue: id), until: until, at: time.now)
  }

  @Test func parkedRunsComeWhenTheyAreDue() async throws {
    let due = time.now.adding(seconds: 60)
    try await store.record(
      [start("01A"), wait("01A", .time, until: due), park("01A", until: due)], durability: .committed)
    #expect(try await store.nextDue() == due)
    #expect(try await store.claim(RunID(rawValue: "01A"), at: time.now) == .waiting(until: due))
    #expect(try await claim() == [])
    time.advance(by: 60)
    #expect(try await claim() == ["01A"])
    let wait = try #require(try await store.snapshot(of: RunID(rawValue: "01A")).steps[0].units.first?.wait)
    #expect(wait.until == due)
    #expect(try await store.nextDue() == nil)
  }

  @Test func eventWakesTheRunAndThoseThatWaitForIt() async throws {
    try await store.record(
      [
        start("01A"), start("01B") { $0.parent = RunID(rawValue: "01A") },
        wait("01B", .event, event: "paid", key: "7"), park("01B"), park("01A"),
      ], durability: .committed)
    #expect(try await store.deliver(event: "paid", key: "8") == nil)
    #expect(try await claim() == [])
    #expect(try await store.deliver(event: "paid", key: "7", payload: .int(3))?.rawValue == "01B")
    #expect(try await claim() == ["01A"])
    let answer = WaitAnswer.event(.int(3))
    #expect(try await store.answer(run: RunID(rawValue: "01B"), step: 0, item: nil) == answer)
    #expect(try await store.answer(run: RunID(rawValue: "01B"), step: 0, item: nil) == answer)
  }

  @Test func eventThatCameFirstIsTakenOnce() async throws {
    try await store.deliver(event: "paid", payload: .int(0))
    time.advance(by: 1)
    try await store.record([start("01A"), start("01B")], durability: .committed)
    try await store.deliver(event: "paid", payload: .int(1))
    let entries = ["01A", "01B"].flatMap { [wait($0, .event, event: "paid"), park($0)] }
    try await store.record(entries, durability: .committed)
    #expect(try await claim() == ["01A"])
    #expect(try await store.answer(run: RunID(rawValue: "01A"), step: 0, item: nil) == .event(.int(1)))
    #expect(try await store.answer(run: RunID(rawValue: "01B"), step: 0, item: nil) == nil)
  }

  @Test func aRunThatIsCalledOffTakesNoEventFromOthers() async throws {
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    try await store.record([start("01A"), wait("01A", .event, event: "paid"), park("01A")], durability: .committed)
    time.advance(by: 1)
    try await store.record([start("01B"), wait("01B", .event, event: "paid"), park("01B")], durability: .committed)
    try await store.requestCancel(of: first)
    #expect(try await store.deliver(event: "paid", payload: .int(1)) == second)
  }

  @Test(arguments: [true, false]) func anEventThatWasOfNoUseGoesToTheNext(isUsed: Bool) async throws {
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    try await store.record([start("01A"), wait("01A", .event, event: "paid"), park("01A")], durability: .committed)
    time.advance(by: 1)
    try await store.record([start("01B"), wait("01B", .event, event: "paid"), park("01B")], durability: .committed)
    #expect(try await store.deliver(event: "paid", payload: .int(1)) == first)
    try await store.requestCancel(of: first)
    time.advance(by: 1)
    #expect(try await claim() == ["01A"])
    try await store.record(
      [.waitEnded(run: first, step: 0, item: nil, at: time.now)]
        + (isUsed ? [.output(run: first, step: 0, item: nil, value: .null)] : [])
        + [SampleRun.finished("01A", .cancelled)], durability: .committed)
    #expect(try await claim() == (isUsed ? [] : ["01B"]))
    #expect(try await store.answer(run: second, step: 0, item: nil) == (isUsed ? nil : .event(.int(1))))
    #expect(try await store.keptEvents().isEmpty)
  }

  @Test func anEventThatWasOfNoUseCountsFromWhenItCame() async throws {
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    let due = time.now.adding(seconds: 60)
    try await store.record([start("01A"), wait("01A", .event, event: "paid"), park("01A")], durability: .committed)
    time.advance(by: 1)
    try await store.record(
      [start("01B"), wait("01B", .event, event: "paid", until: due), park("01B", until: due)], durability: .committed)
    #expect(try await store.deliver(event: "paid", payload: .int(1)) == first)
    time.advance(by: 60)
    #expect(try await store.claim(first, at: time.now) == .claimed)
    try await store.record([.waitEnded(run: first, step: 0, item: nil, at: time.now)], durability: .committed)
    for _ in 0..<2 { #expect(try await store.answer(run: second, step: 0, item: nil) == .event(.int(1))) }
  }

  @Test func anEventThatWasOfNoUseIsKeptForARunThatHadBegun() async throws {
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    try await store.record(
      [start("01A"), wait("01A", .event, event: "paid"), start("01B")], durability: .committed)
    #expect(try await store.deliver(event: "paid") == first)
    time.advance(by: 1)
    try await store.record(
      [start("01C"), wait("01C", .event, event: "paid"), .waitEnded(run: first, step: 0, item: nil, at: time.now)],
      durability: .committed)
    #expect(try await store.keptEvents().map(\.name) == ["paid"])
    #expect(try await store.answer(run: RunID(rawValue: "01C"), step: 0, item: nil) == nil)
    try await store.record([wait("01B", .event, event: "paid")], durability: .committed)
    #expect(try await store.answer(run: second, step: 0, item: nil) == .event(.null))
  }

  @Test func aClockThatIsSetBackHidesNoEventFromARunThatHadBegun() async throws {
    try await store.record([start("01A") { $0.at = time.now.adding(seconds: 3600) }], durability: .committed)
    try await store.deliver(event: "paid", payload: .int(1))
    try await store.record([wait("01A", .event, event: "paid"), park("01A")], durability: .committed)
    #expect(try await claim() == ["01A"])
    #expect(try await store.answer(run: RunID(rawValue: "01A"), step: 0, item: nil) == .event(.int(1)))
  }

  @Test func aRunThatIsCalledOffAndWaitsAtItsEndIsDueWhenItsWaitIs() async throws {
    let due = time.now.adding(seconds: 60)
    let run = RunID(rawValue: "01A")
    try await store.record([start("01A"), wait("01A", .time, until: due)], durability: .committed)
    try await store.requestCancel(of: run)
    try await store.record([.runParked(run: run, until: due, isCalledOff: true, at: time.now)], durability: .committed)
    #expect(try await claim() == [])
    #expect(try await store.claim(run, at: time.now) == .waiting(until: due))
    time.advance(by: 60)
    #expect(try await claim() == ["01A"])
  }

  @Test func decisionsAreMadeOnce() async throws {
    let run = RunID(rawValue: "01A")
    try await store.record([start("01A"), wait("01A", .approval), park("01A")], durability: .committed)
    #expect(try await store.openWaits().map(\.step) == ["unread"])
    #expect(try await store.openWaits(of: run).first?.wait.message == "send?")
    try await store.decide(run: run, step: "unread", approved: true, fields: ["to": .string("me")], by: "ann")
    #expect(try await store.openWaits().isEmpty)
    await #expect(throws: RunStoreError.waitNotFound(run, step: nil)) {
      try await store.decide(run: run, approved: false, reason: "no", by: "bob")
    }
    #expect(try await claim() == ["01A"])
    let answer = try await store.answer(run: run, step: 0, item: nil)
    #expect(answer == .approved(fields: ["to": .string("me")], by: "ann"))
  }

  @Test func whatComesAfterTheTimeIsUpComesTooLateWhoeverLooksFirst() async throws {
    let due = time.now.adding(seconds: 60)
    let asks = RunID(rawValue: "01A")
    let listens = RunID(rawValue: "01B")
    try await store.record(
      [start("01A"), wait("01A", .approval, until: due), .runParked(run: asks, until: due, at: time.now)],
      durability: .committed)
    try await store.record(
      [
        start("01B"), wait("01B", .event, event: "paid", until: due),
        .runParked(run: listens, until: due, at: time.now),
      ],
      durability: .committed)
    time.advance(by: 60)
    #expect(try await store.openWaits().isEmpty)
    await #expect(throws: RunStoreError.waitNotFound(asks, step: nil)) {
      try await store.decide(run: asks, approved: true, by: "ann")
    }
    #expect(try await store.deliver(event: "paid") == nil)
    for run in [asks, listens] { #expect(try await store.answer(run: run, step: 0, item: nil) == nil) }
  }

  @Test func whatCameInTimeCountsWheneverSomebodyLooks() async throws {
    let due = time.now.adding(seconds: 60)
    let asks = RunID(rawValue: "01A")
    try await store.record(
      [start("01A"), wait("01A", .approval, until: due), .runParked(run: asks, until: due, at: time.now)],
      durability: .committed)
    time.advance(by: 59)
    try await store.decide(run: asks, approved: true, by: "ann")
    time.advance(by: 3600)
    #expect(try await store.answer(run: asks, step: 0, item: nil) == .approved(fields: .map([:]), by: "ann"))
  }

  // MARK: - Snapshots

  @Test func snapshotGivesAllThatWasRecorded() async throws {
    let entry = start("01A") { start in
      start.keywords = ["tone": .string("dry")]
      start.event = ["id": .int(1)]
      start.source = "name: digest"
      start.priority = 3
      start.group = "mail"
      start.origin = RunID(rawValue: "01ORIGIN")
    }
    let complete = SampleRun.complete("01A").dropFirst().dropLast()
    try await store.record([entry] + complete, durability: .accepted)
    try await store.record(
      [SampleRun.attemptStarted("01A", step: 2, at: SampleRun.time(1060))], durability: .accepted)
    let snapshot = try await store.snapshot(of: RunID(rawValue: "01A"))
    #expect(snapshot.start.keywords == ["tone": .string("dry")])
    #expect(snapshot.start.event == ["id": .int(1)])
    #expect(snapshot.start.source == "name: digest")
    #expect(snapshot.start.priority == 3)
    #expect(snapshot.start.group == "mail")
    #expect(snapshot.start.origin?.rawValue == "01ORIGIN")
    #expect(snapshot.steps.map(\.status) == [.succeeded, .failed, .skipped])
    let loop = snapshot.steps[1]
    #expect(loop.itemCount == 3)
    #expect(loop.units.map(\.item) == [0, 1, 2])
    #expect(loop.units.map(\.attempts) == [1, 2, 2])
    #expect(loop.units[1].output == ["summary": .string("two")])
    #expect(loop.units[2].lastAttempt?.failure?.kind == .parse)
    #expect(loop.units[2].lastAttempt?.firstStart == SampleRun.time(531))
    #expect(snapshot.steps[2].units.first?.lastAttempt?.endedAt == nil)
  }

  @Test func uncertainAttemptsHaveNoEnd() async throws {
    let run = RunID(rawValue: "01A")
    var end = AttemptEnd(
      run: run, step: 2, item: nil, number: 1, failure: ActionFailure(.timeout, LocalizedText(verbatim: "late")),
      outputBytes: 0, duration: 1, retryDelay: nil, at: time.now)
    end.isUncertain = true
    try await store.record(
      [start("01A"), SampleRun.attemptStarted("01A", step: 2), .attemptFinished(end)], durability: .committed)
    let attempt = try #require(try await store.snapshot(of: run).steps[2].units.first?.lastAttempt)
    #expect(attempt.endedAt == nil)
    #expect(attempt.failure?.kind == .timeout)
  }

  @Test func resultIsThereOnceTheRunHasEnded() async throws {
    let run = RunID(rawValue: "01A")
    try await store.record([start("01A")], durability: .committed)
    #expect(try await store.result(of: run)?.status == nil)
    try await store.record([SampleRun.finished("01A", outputs: ["n": .int(1)])], durability: .accepted)
    #expect(try await store.result(of: run)?.outputs == ["n": .int(1)])
    #expect(try await store.claim(run, at: time.now) == .ended(.succeeded))
  }

  // MARK: - Breakers and kept results

  @Test func breakersAreKept() async throws {
    let record = BreakerRecord(
      provider: "home", failures: 3, probes: 1, openUntil: time.now.adding(seconds: 10), openSeconds: 10,
      lastFailure: .refused, at: time.now)
    try await store.record([.breaker(BreakerRecord(provider: "home", at: time.now))], durability: .accepted)
    try await store.record([.breaker(record)], durability: .accepted)
    #expect(try await store.breakers() == [record])
  }

  /// Two runs that are put down until the breaker of `home` lets something through, one through a part of it, and two
  /// that wait for something else.
  private func parkForBreakers(until: Timestamp) async throws {
    func parked(_ id: String, _ kind: WaitKind, key: String = "", parent: String? = nil) -> [JournalEntry] {
      let begin = start(id) { $0.parent = parent.map(RunID.init(rawValue:)) }
      return [begin, wait(id, kind, key: key, until: until), park(id, until: until)]
    }
    let open = BreakerRecord(
      provider: "home", failures: 3, openUntil: until, openSeconds: 50, lastFailure: .refused, at: time.now)
    try await store.record([.breaker(open)], durability: .committed)
    try await store.record([start("01B"), wait("01B", .recipe)], durability: .committed)
    let both = WaitStart.key(of: ["work", "home"])
    try await store.record(
      parked("01A", .retry, key: both) + parked("01C", .retry, key: WaitStart.key(of: ["home"]), parent: "01B")
        + [park("01B", until: until)] + parked("01D", .retry, key: WaitStart.key(of: ["homework"]))
        + parked("01E", .time) + parked("01F", .retry), durability: .committed)
  }

  @Test(arguments: [0, 1]) func aBreakerThatOpensUpEarlyWakesWhoeverWaitsForIt(probes: Int) async throws {
    try await parkForBreakers(until: time.now.adding(seconds: 50))
    time.advance(by: 5)
    #expect(try await claim() == [])
    let half = BreakerRecord(
      provider: "home", failures: 3, probes: probes, openUntil: probes > 0 ? time.now : nil, openSeconds: 50,
      at: time.now)
    try await store.record([.breaker(half)], durability: .committed)
    #expect(try await claim() == ["01A", "01B"])
  }

  @Test func aBreakerThatStaysOpenWakesNobody() async throws {
    try await parkForBreakers(until: time.now.adding(seconds: 50))
    time.advance(by: 5)
    let longer = BreakerRecord(
      provider: "home", failures: 4, openUntil: time.now.adding(seconds: 100), openSeconds: 100, at: time.now)
    try await store.record([.breaker(longer)], durability: .committed)
    #expect(try await claim() == [])
  }

  @Test(arguments: [10, 10_000]) func keptResultsExpire(_ length: Int) async throws {
    let key = String(repeating: "ab", count: 32)
    let value = Value.string(String(repeating: "x", count: length))
    try await store.keepResult(.null, key: key, until: time.now.adding(seconds: 5))
    try await store.keepResult(value, key: key, until: time.now.adding(seconds: 10))
    time.advance(by: 9)
    #expect(try await store.cachedResult(key, at: time.now) == value)
    time.advance(by: 1)
    #expect(try await store.cachedResult(key, at: time.now) == nil)
  }
}

/// Nobody to call.
private struct NoProviders: ProviderDirectory, StepProvider {
  var builtins: any StepProvider { self }

  func provider(named name: String) throws(ActionFailure) -> any StepProvider { self }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) throws(ActionFailure) -> Value { .null }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) throws(ActionFailure) -> Verdict { .unknown }
}
