import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import TestSupport
import Testing

@testable import RunStore

/// What every run log keeps to, whatever it is made of.
@Suite(.timeLimit(.minutes(5))) struct StoreConformanceTests {
  @Test(arguments: StoreUnderTest.Kind.allCases)
  func queuedRunsComeByPriorityThenByAge(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    try await log.queue("01B")
    try await log.queue("01A")
    try await log.queue("01C", priority: 5)
    #expect(try await store.status(of: RunID(rawValue: "01A")) == .queued)
    #expect(try await log.claim(2) == ["01C", "01A"])
    #expect(try await log.claim() == ["01B"])
    #expect(try await log.claim() == [])
    #expect(try await store.status(of: RunID(rawValue: "01A")) == .running)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases, [RunStatus.running, .waiting, .interrupted])
  func groupIsHeldBy(kind: StoreUnderTest.Kind, _ status: RunStatus) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let holder = RunID(rawValue: "01A")
    try await store.record([log.start("01A") { $0.group = "" }], durability: .committed)
    if status == .waiting {
      let later = time.now.adding(seconds: 100)
      try await store.record([.runParked(run: holder, until: later, at: time.now)], durability: .committed)
    } else if status == .interrupted {
      try await store.record([SampleRun.finished("01A", .interrupted)], durability: .committed)
    }
    try await log.queue("01B", group: "")
    try await log.queue("01C", group: "!")
    try await log.queue("01D", priority: 1, group: "!")
    let outcome: ClaimOutcome = status == .interrupted ? .groupLeft(by: holder) : .groupTaken(by: holder)
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == outcome)
    #expect(try await log.claim() == (status == .interrupted ? ["01D", "01A"] : ["01D"]))
    if status == .waiting {
      time.advance(by: 100)
      #expect(try await log.claim() == ["01A"])
    }
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    #expect(try await log.claim() == ["01B"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func nobodyWaitsForQueuedRunsThatNobodyStandsByFor(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let other = try log.another()
    func claim(_ id: String, by store: RunStore) async throws -> ClaimOutcome {
      try await store.claim(RunID(rawValue: id), at: time.now)
    }
    for id in ["01A", "01B", "01C", "01D"] { try await log.queue(id, group: "mail") }
    #expect(try await claim("01B", by: store) == .claimed)
    #expect(try await claim("01C", by: other) == .groupTaken(by: RunID(rawValue: "01B")))
    #expect(try await claim("01D", by: store) == .groupTaken(by: RunID(rawValue: "01B")))
    try await store.record([SampleRun.finished("01B")], durability: .committed)
    // The one that began to wait first comes first, while it waits.
    #expect(try await claim("01D", by: store) == .groupTaken(by: RunID(rawValue: "01C")))
    try await other.close()
    #expect(try await claim("01D", by: store) == .claimed)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func cancelledRunsDoNotWaitForTheirGroup(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    try await store.record([log.start("01A") { $0.group = "mail" }], durability: .committed)
    try await log.queue("01B", group: "mail")
    #expect(try await log.claim() == [])
    try await store.requestCancel(of: RunID(rawValue: "01B"))
    try await store.requestCancel(of: RunID(rawValue: "01A"))
    #expect(try await log.claim() == ["01B"])
    #expect(try await store.snapshot(of: RunID(rawValue: "01B")).isCancelRequested)
    #expect(Set(try await store.cancelRequests().map(\.rawValue)) == ["01A", "01B"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunBeginsWhenItIsTakenOutOfTheQueue(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    try await log.queue("01A")
    let queuedAt = time.now
    time.advance(by: 3600)
    #expect(try await log.claim() == ["01A"])
    let run = RunID(rawValue: "01A")
    #expect(try await store.snapshot(of: run).start.at == queuedAt.adding(seconds: 3600))
    // Taken once more, it has begun before.
    try await store.record([SampleRun.finished("01A", .interrupted)], durability: .committed)
    time.advance(by: 60)
    #expect(try await log.claim() == ["01A"])
    #expect(try await store.snapshot(of: run).start.at == queuedAt.adding(seconds: 3600))
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func ofRepetitionsThatDoNotKnowOfOneAnotherOneIsTaken(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    let other = try log.another()
    let stores = [store, other]
    let origin = RunID(rawValue: "01A")
    func repetition(_ id: String, of origin: RunID, knowing known: Set<RunID>) -> JournalEntry {
      log.start(id) {
        $0.origin = origin
        $0.knownRepetitions = known
      }
    }
    try await store.record([log.start("01A")], durability: .committed)
    let refused = await withTaskGroup(of: Bool.self) { group in
      for (index, id) in ["01B", "01C", "01D", "01E"].enumerated() {
        let entry = repetition(id, of: origin, knowing: [])
        group.addTask {
          do {
            try await stores[index % 2].record([entry], durability: .synced)
            return false
          } catch {
            return (error as? any QueueError)?.fault == .ofRun
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

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aWaitingRunThatIsDueHasLeftItsGroup(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let holder = RunID(rawValue: "01A")
    let run = RunID(rawValue: "01B")
    try await store.record([log.start("01A") { $0.group = "mail" }], durability: .committed)
    let due = time.now.adding(seconds: 100)
    try await store.record([.runParked(run: holder, until: due, at: time.now)], durability: .committed)
    try await log.queue("01B", group: "mail")
    #expect(try await store.claim(run, at: due.adding(seconds: -1)) == .groupTaken(by: holder))
    // Also once it waits for its turn.
    for _ in 0..<2 { #expect(try await store.claim(run, at: due) == .groupLeft(by: holder)) }
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func whoeverGoesOnWithARunFindsAnotherOneOfItsGroupThatWasLeft(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let run = RunID(rawValue: "01A")
    let other = RunID(rawValue: "01B")
    try await store.record([log.start("01A") { $0.group = "mail" }], durability: .committed)
    try await store.record([SampleRun.finished("01A", .needsAttention)], durability: .committed)
    try await store.record([log.start("01B") { $0.group = "mail" }], durability: .committed)
    #expect(try await store.claim(run, at: time.now) == .groupTaken(by: other))
    try await store.record([.runParked(run: other, until: time.now, at: time.now)], durability: .committed)
    #expect(try await store.claim(run, at: time.now) == .groupLeft(by: other))
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func runsOfStepsAreCalledOffAlone(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    let part = RunID(rawValue: "01B")
    try await store.record(
      [log.start("01A"), log.start("01B") { $0.parent = RunID(rawValue: "01A") }], durability: .committed)
    try await store.requestCancel(of: part)
    #expect(try await store.cancelRequests() == [part])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func repetitionsAreThoseOfWholeRuns(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    let origin = RunID(rawValue: "01A")
    try await store.record(
      [
        log.start("01A"), log.start("01B") { $0.origin = origin },
        log.start("01C") {
          $0.origin = origin
          $0.parent = RunID(rawValue: "01B")
        },
        log.start("01D") {
          $0.origin = origin
          $0.trigger = "replay"
        }, log.start("01E") { $0.origin = origin },
      ], durability: .committed)
    #expect(try await store.repetitions(of: origin).map(\.rawValue) == ["01B", "01E"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aWaitingRunThatIsCalledOffHasLeftItsGroup(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let holder = RunID(rawValue: "01A")
    try await store.record([log.start("01A") { $0.group = "mail" }], durability: .committed)
    try await store.record([.runParked(run: holder, until: nil, at: time.now)], durability: .committed)
    try await log.queue("01B", group: "mail")
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == .groupTaken(by: holder))
    try await store.requestCancel(of: holder)
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == .groupLeft(by: holder))
    #expect(try await store.claim(holder, at: time.now) == .claimed)
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == .claimed)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func oneRunNeverBelongsToTwo(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let other = try log.another()
    for number in 0..<40 { try await log.queue("01R\(number)") }
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

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func runsOfAStoreThatIsClosedGoToTheNext(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let other = try log.another()
    try await other.record(
      [log.start("01A"), log.start("01B") { $0.parent = RunID(rawValue: "01A") }], durability: .committed)
    #expect(try await log.claim() == [])
    try await other.close()
    #expect(try await store.status(of: RunID(rawValue: "01A")) == .interrupted)
    #expect(try await log.claim() == ["01A"])
    #expect(try await store.claim(RunID(rawValue: "01B"), at: time.now) == .claimed)
    #expect(try await store.claim(RunID(rawValue: "01C"), at: time.now) == .absent)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func onlyWhoeverWorksOnARunEndsItOrPutsItDown(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let other = try log.another()
    try await store.record([log.start("01A")], durability: .committed)
    let run = RunID(rawValue: "01A")
    for entry in [SampleRun.finished("01A"), .runParked(run: run, until: nil, at: time.now)] {
      await #expect(throws: (any Error).self) {
        try await other.record([entry], durability: .committed)
      }
    }
    #expect(try await store.status(of: run) == .running)
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    await #expect(throws: (any Error).self) {
      try await store.record([SampleRun.finished("01A", .cancelled)], durability: .committed)
    }
    #expect(try await store.status(of: run) == .succeeded)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func onlyWhoeverWorksOnARunWritesWhatBecomesOfIt(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let other = try log.another()
    let run = RunID(rawValue: "01A")
    try await store.record([log.start("01A"), SampleRun.attemptStarted("01A", step: 0)], durability: .committed)
    try await other.record([log.start("01B")], durability: .committed)
    let entries: [JournalEntry] = [
      .stepStarted(run: run, step: 0, itemCount: nil, at: time.now), SampleRun.attemptStarted("01A", step: 1),
      SampleRun.attemptFinished("01A", step: 0), .output(run: run, step: 0, item: nil, value: .int(1)),
      .stepFinished(StepEnd(run: run, step: 0, status: .succeeded, at: time.now)), log.wait("01A", .approval),
      .waitEnded(run: run, step: 0, item: nil, at: time.now),
    ]
    for entry in entries {
      await #expect(throws: (any Error).self) {
        try await other.record([entry], durability: .committed)
      }
    }
    // What others write in the same transaction is not concerned, and lines may come late.
    let refused = Task { [other] in try await other.record([entries[3]], durability: .committed) }
    try await other.record(
      [SampleRun.attemptStarted("01B", step: 0), SampleRun.log("01A", "late")], durability: .committed)
    await #expect(throws: (any Error).self) { try await refused.value }
    // Neither does the process that has put a run down.
    try await store.record([log.park("01A")], durability: .committed)
    await #expect(throws: (any Error).self) {
      try await store.record([SampleRun.attemptFinished("01A", step: 0)], durability: .committed)
    }
    #expect(try await store.snapshot(of: run).steps.map(\.status) == [.pending, .pending, .pending])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunThatWasLeftInThisProcessIsTakenAgain(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let run = RunID(rawValue: "01A")
    try await store.record([log.start("01A")], durability: .committed)
    guard case .taken = try await store.claim(run, at: time.now) else {
      Issue.record("a run at work was not refused")
      return
    }
    #expect(try await store.reclaim(run, at: time.now) == .claimed)
    let other = try log.another()
    guard case .taken = try await other.reclaim(run, at: time.now) else {
      Issue.record("a run of another process was not refused")
      return
    }
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    #expect(try await store.reclaim(run, at: time.now) == .ended(.succeeded))
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func snapshotGivesAllThatWasRecorded(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    let entry = log.start("01A") { start in
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

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func uncertainAttemptsHaveNoEnd(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let run = RunID(rawValue: "01A")
    var end = AttemptEnd(
      run: run, step: 2, item: nil, number: 1, failure: ActionFailure(.timeout, LocalizedText(verbatim: "late")),
      outputBytes: 0, duration: 1, retryDelay: nil, at: time.now)
    end.isUncertain = true
    try await store.record(
      [log.start("01A"), SampleRun.attemptStarted("01A", step: 2), .attemptFinished(end)], durability: .committed)
    let attempt = try #require(try await store.snapshot(of: run).steps[2].units.first?.lastAttempt)
    #expect(attempt.endedAt == nil)
    #expect(attempt.failure?.kind == .timeout)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func resultIsThereOnceTheRunHasEnded(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let run = RunID(rawValue: "01A")
    try await store.record([log.start("01A")], durability: .committed)
    #expect(try await store.result(of: run)?.status == nil)
    try await store.record([SampleRun.finished("01A", outputs: ["n": .int(1)])], durability: .accepted)
    #expect(try await store.result(of: run)?.outputs == ["n": .int(1)])
    #expect(try await store.claim(run, at: time.now) == .ended(.succeeded))
  }

  private func parkForBreakers(_ log: StoreUnderTest, until: Timestamp) async throws {
    let (store, time) = (log.store, log.time)
    func parked(_ id: String, _ kind: WaitKind, key: String = "", parent: String? = nil) -> [JournalEntry] {
      let begin = log.start(id) { $0.parent = parent.map(RunID.init(rawValue:)) }
      return [begin, log.wait(id, kind, key: key, until: until), log.park(id, until: until)]
    }
    let open = BreakerRecord(
      provider: "home", failures: 3, openUntil: until, openSeconds: 50, lastFailure: .refused, at: time.now)
    try await store.record([.breaker(open)], durability: .committed)
    try await store.record([log.start("01B"), log.wait("01B", .recipe)], durability: .committed)
    let both = WaitStart.key(of: ["work", "home"])
    try await store.record(
      parked("01A", .retry, key: both) + parked("01C", .retry, key: WaitStart.key(of: ["home"]), parent: "01B")
        + [log.park("01B", until: until)] + parked("01D", .retry, key: WaitStart.key(of: ["homework"]))
        + parked("01E", .time) + parked("01F", .retry), durability: .committed)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases, [0, 1])
  func aBreakerThatOpensUpEarlyWakesWhoeverWaitsForIt(kind: StoreUnderTest.Kind, probes: Int) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    try await parkForBreakers(log, until: time.now.adding(seconds: 50))
    time.advance(by: 5)
    #expect(try await log.claim() == [])
    let half = BreakerRecord(
      provider: "home", failures: 3, probes: probes, openUntil: probes > 0 ? time.now : nil, openSeconds: 50,
      at: time.now)
    try await store.record([.breaker(half)], durability: .committed)
    #expect(try await log.claim() == ["01A", "01B"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aBreakerThatStaysOpenWakesNobody(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    try await parkForBreakers(log, until: time.now.adding(seconds: 50))
    time.advance(by: 5)
    let longer = BreakerRecord(
      provider: "home", failures: 4, openUntil: time.now.adding(seconds: 100), openSeconds: 100, at: time.now)
    try await store.record([.breaker(longer)], durability: .committed)
    #expect(try await log.claim() == [])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases, [10, 10_000])
  func keptResultsExpire(kind: StoreUnderTest.Kind, _ length: Int) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let key = String(repeating: "ab", count: 32)
    let value = Value.string(String(repeating: "x", count: length))
    try await store.keepResult(.null, key: key, until: time.now.adding(seconds: 5))
    try await store.keepResult(value, key: key, until: time.now.adding(seconds: 10))
    time.advance(by: 9)
    #expect(try await store.cachedResult(key, at: time.now) == value)
    time.advance(by: 1)
    #expect(try await store.cachedResult(key, at: time.now) == nil)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases, [nil, "01A", "01D"])
  func aRunThatIsHeldIsReleasedWithThoseThatWaitForIt(kind: StoreUnderTest.Kind, whole: String?) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let later = time.now.adding(seconds: 60)
    let part = RunID(rawValue: "01B")
    try await store.record(
      [
        log.start("01A"), log.start("01B") { $0.parent = RunID(rawValue: "01A") }, log.start("01C"), log.start("01D"),
        .runParked(run: part, until: later, isHeldUp: true, at: time.now), log.park("01A", until: later),
        log.park("01C", until: later),
        .runParked(run: RunID(rawValue: "01D"), until: later, isHeldUp: true, at: time.now),
      ], durability: .committed)
    try await store.releaseHeld(whole.map(RunID.init(rawValue:)), at: time.now)
    #expect(try await log.claim() == (whole.map { [$0] } ?? ["01A", "01D"]))
    #expect(try await store.claim(part, at: time.now) == (whole == "01D" ? .waiting(until: later) : .claimed))
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func whatIsRecordedOfARunCanBeRead(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    try await store.record(SampleRun.complete("01A"), durability: .committed)
    log.time.advance(by: 5)
    try await log.queue("01B")
    #expect(try await store.runs(RunFilter()).map(\.id.rawValue) == ["01B", "01A"])
    #expect(try await store.runs(RunFilter(statuses: [.failed])).map(\.id.rawValue) == ["01A"])
    #expect(try await store.resolve("last").rawValue == "01B")
    await #expect(throws: (any Error).self) { try await store.resolve("01") }
    let record = try await store.run("01A", limit: 100)
    #expect(record.summary.attemptCount == 6)
    #expect(record.summary.retryCount == 2)
    #expect(record.summary.failure?.kind == .parse)
    #expect(record.steps.map(\.status) == [.succeeded, .failed, .skipped])
    #expect(record.steps[1].items.map(\.output) == [["summary": "one"], ["summary": "two"]])
    #expect(record.steps[1].attempts.map(\.number) == [1, 1, 2, 1, 2])
    #expect(record.steps[1].providers == ["local", "gpt"])
    let run = RunID(rawValue: "01A")
    let lines = try await store.logs(LogFilter(run: run, minimumLevel: .warning), after: 0, limit: 10)
    #expect(lines.map(\.message) == ["item 1 is repeated", "gave up"])
    #expect(lines.map(\.step) == ["summarise", nil])
    let last = try await store.lastLines(1, of: LogFilter(run: run))
    #expect(try await store.logs(LogFilter(run: run), after: last, limit: 10).map(\.message) == ["gave up"])
    #expect(try await store.output(of: run, step: "summarise", item: 1) == ["summary": "two"])
    #expect(try await store.queuedRuns().count == 1)
    #expect(try await store.hasOpenRuns())
  }

  // MARK: - What stores have differed in

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunThatWasInterruptedWaitsForAnotherOfItsGroup(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let (left, other) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    for id in ["01A", "01B"] { try await store.record([log.start(id) { $0.group = "mail" }], durability: .committed) }
    try await store.record([SampleRun.finished("01A", .interrupted)], durability: .committed)
    #expect(try await log.claim() == [])
    #expect(try await store.claim(left, at: time.now) == .groupTaken(by: other))
    try await store.record([SampleRun.finished("01B")], durability: .committed)
    #expect(try await log.claim() == ["01A"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func anAnswerIsOfOneItemOfOneRun(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    for run in [first, second] {
      let waits = (0..<2).map { item in
        JournalEntry.waitStarted(
          WaitStart(run: run, step: 0, item: item, kind: .approval, until: nil, at: time.now))
      }
      try await store.record([log.start(run.rawValue)] + waits + [log.park(run.rawValue)], durability: .committed)
    }
    await #expect(throws: (any Error).self) {
      try await store.decide(
        run: first, step: "unread", item: nil, approved: true, fields: .map([:]), reason: "", by: "ann")
    }
    try await store.decide(
      run: first, step: "unread", item: 1, approved: true, fields: .map([:]), reason: "", by: "ann")
    let answer = WaitAnswer.approved(fields: .map([:]), by: "ann")
    #expect(try await store.answer(run: first, step: 0, item: 1) == answer)
    #expect(try await store.answer(run: first, step: 0, item: 0) == nil)
    #expect(try await store.answer(run: second, step: 0, item: 1) == nil)
    #expect(try await log.claim() == ["01A"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunThatIsResumedKnowsWhyItHasTurned(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let run = RunID(rawValue: "01A")
    let failure = ActionFailure(.timeout, LocalizedText(verbatim: "late"))
    let turn = RunTurn(run: run, reason: .failed(failure, step: 1), at: time.now)
    try await store.record([log.start("01A"), .runTurned(turn)], durability: .committed)
    try await store.record([SampleRun.finished("01A", .interrupted)], durability: .committed)
    #expect(try await log.claim() == ["01A"])
    guard case .failed(let reason, let step)? = try await store.snapshot(of: run).turn?.reason else {
      Issue.record("the reason is not known any more")
      return
    }
    #expect(reason.kind == .timeout)
    #expect(step == 1)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aStepKeepsItsPhase(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let phases: [PlanStep.Phase] = [.main, .undo(of: 0), .onFailure, .finally]
    let entry = log.start("01A") { start in
      start.steps = phases.enumerated().map { .init(id: "s\($0)", action: "a", effect: .pure, phase: $1) }
    }
    try await log.store.record([entry], durability: .committed)
    #expect(try await log.store.snapshot(of: RunID(rawValue: "01A")).start.steps.map(\.phase) == phases)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases, [true, false])
  func aFailureCountsUnlessItsOutcomeIsUnknown(kind: StoreUnderTest.Kind, isUncertain: Bool) async throws {
    let log = try StoreUnderTest(kind)
    let run = RunID(rawValue: "01A")
    var end = AttemptEnd(
      run: run, step: 2, item: nil, number: 1, failure: ActionFailure(.timeout, LocalizedText(verbatim: "late")),
      outputBytes: 0, duration: 1, retryDelay: nil, at: log.time.now)
    end.isUncertain = isUncertain
    try await log.store.record(
      [log.start("01A"), SampleRun.attemptStarted("01A", step: 2), .attemptFinished(end)], durability: .committed)
    #expect(try await log.store.snapshot(of: run).steps[2].units.first?.failures.count == (isUncertain ? 0 : 1))
  }
}
