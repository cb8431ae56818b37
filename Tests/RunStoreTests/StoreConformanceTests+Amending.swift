import Engine
import Expressions
import Localization
import TestSupport
import Testing

@testable import RunStore

/// Runs that are changed or withdrawn before they have an effect.
extension StoreConformanceTests {
  private static let why = LocalizedText("not wanted any more", de: "nicht mehr gewünscht")
  private static let run = RunID(rawValue: "01A")

  /// The beginning with which a run is to begin anew.
  private func anew(_ log: StoreUnderTest, _ inputs: Value = ["limit": 7]) throws -> RunStart {
    guard case .runStarted(var start) = log.start("01A") else { throw RunStoreError.runNotFound("01A") }
    start.inputs = inputs
    return start
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunThatWaitsBeginsAnewWithWhatItIsGiven(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time, run) = (log.store, log.time, Self.run)
    let due = time.now.adding(seconds: 60)
    try await store.record(
      [
        log.start("01A"), .stepStarted(run: run, step: 0, itemCount: nil, at: time.now),
        .output(run: run, step: 0, item: nil, value: 1),
        .stepFinished(StepEnd(run: run, step: 0, status: .succeeded, at: time.now)),
        log.wait("01A", .time, until: due), log.park("01A", until: due),
      ], durability: .committed)
    #expect(try await store.amend(run, .restart(anew(log)), replacing: ["limit": 20], at: time.now) == .done)
    #expect(try await store.status(of: run) == .queued)
    #expect(try await log.claim() == ["01A"])
    let snapshot = try await store.snapshot(of: run)
    #expect(snapshot.start.inputs == ["limit": 7])
    #expect(!snapshot.hasBegun && snapshot.steps.map(\.status) == [.pending, .pending, .pending])
    #expect(try await store.openWaits(of: run, includesParts: false).isEmpty)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunThatIsWithdrawnNeverGoesOn(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time, run) = (log.store, log.time, Self.run)
    let due = time.now.adding(seconds: 60)
    try await store.record(
      [
        log.start("01A"), .stepStarted(run: run, step: 0, itemCount: nil, at: time.now),
        log.wait("01A", .time, until: due), log.park("01A", until: due),
      ], durability: .committed)
    try await log.queue("01B")
    #expect(try await store.amend(run, .withdraw(reason: Self.why), replacing: nil, at: time.now) == .done)
    #expect(
      try await store.amend(RunID(rawValue: "01B"), .withdraw(reason: Self.why), replacing: nil, at: time.now) == .done)
    time.advance(by: 3600)
    #expect(try await log.claim() == [])
    #expect(try await store.status(of: run) == .cancelled)
    #expect(try await store.result(of: run)?.failure?.kind == .cancelled)
    #expect(try await store.run("01A").steps.map(\.status) == [.cancelled, .skipped, .skipped])
    #expect(try await store.run("01A").waits.isEmpty)
    #expect(
      try await store.amend(run, .withdraw(reason: Self.why), replacing: nil, at: time.now) == .ended(.cancelled))
    #expect(try await store.check().isEmpty)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func whatHasBegunIsNotChanged(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time, run) = (log.store, log.time, Self.run)
    let amendments: [RunAmendment] = [.restart(try anew(log)), .withdraw(reason: Self.why)]
    func outcomes(_ inputs: Value? = nil) async throws -> [AmendOutcome] {
      var found: [AmendOutcome] = []
      for amendment in amendments {
        found.append(try await store.amend(run, amendment, replacing: inputs, at: time.now))
      }
      return found
    }
    #expect(try await outcomes() == [.absent, .absent])
    try await log.queue("01A")
    #expect(try await outcomes(["limit": 19]) == [.changed, .changed])
    #expect(try await log.claim() == ["01A"])
    for outcome in try await outcomes() {
      guard case .taken = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
    // An attempt that has failed for certain: withdrawn, but not begun anew with another message and its key.
    let refused = ActionFailure(.unreachable, LocalizedText(verbatim: "421"))
    try await store.record(
      [
        .stepStarted(run: run, step: 2, itemCount: nil, at: time.now), SampleRun.attemptStarted("01A", step: 2),
        log.park("01A", until: time.now.adding(seconds: 60)),
      ], durability: .committed)
    #expect(try await outcomes() == [.begun, .begun])
    time.advance(by: 60)
    #expect(try await log.claim() == ["01A"])
    try await store.record(
      [
        SampleRun.attemptFinished("01A", step: 2, failure: refused, retryDelay: 30),
        log.park("01A", until: time.now.adding(seconds: 30)),
      ], durability: .committed)
    #expect(try await outcomes() == [.begun, .done])
    // One that was cancelled half-way may have taken effect.
    try await store.record([log.start("01D")], durability: .committed)
    try await store.record(
      [
        .stepStarted(run: RunID(rawValue: "01D"), step: 2, itemCount: nil, at: time.now),
        SampleRun.attemptStarted("01D", step: 2),
        SampleRun.attemptFinished(
          "01D", step: 2, failure: ActionFailure(.cancelled, LocalizedText(verbatim: "stopped")), retryDelay: nil),
        log.park("01D", until: time.now.adding(seconds: 30)),
      ], durability: .committed)
    #expect(
      try await store.amend(RunID(rawValue: "01D"), amendments[1], replacing: nil, at: time.now) == .begun)
    try await store.record(
      [log.start("01B"), log.start("01C") { $0.parent = RunID(rawValue: "01B") }, log.park("01C"), log.park("01B")],
      durability: .committed)
    #expect(
      try await store.amend(RunID(rawValue: "01C"), amendments[1], replacing: nil, at: time.now) == .part)
    #expect(
      try await store.amend(RunID(rawValue: "01B"), amendments[1], replacing: nil, at: time.now) == .begun)
  }

  /// Of a change and a claim at one moment, one comes first, and the claim sees either all of the change or nothing.
  @Test(arguments: StoreUnderTest.Kind.allCases)
  func changesAndClaimsExcludeEachOther(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let other = try log.another()
    let names = (10..<50).map { "01R\($0)" }
    for name in names { try await log.queue(name) }
    let anew = try anew(log, ["limit": 99])
    let now = time.now
    // Whatever comes of the others: one is claimed before the changes, and one changed before the claims.
    let (claimedFirst, changedFirst) = (names[0], names[38])
    #expect(try await other.claim(RunID(rawValue: claimedFirst), at: now) == .claimed)
    #expect(
      try await store.amend(RunID(rawValue: changedFirst), .restart(anew), replacing: ["limit": 20], at: now) == .done)
    // Both sides are there before either begins.
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let (arrival, arriving) = AsyncStream<Void>.makeStream()
    let changes = Task { () -> [String: AmendOutcome] in
      var outcomes: [String: AmendOutcome] = [changedFirst: .done]
      arriving.finish()
      for await _ in gate {}
      for (index, name) in names.enumerated() where name != changedFirst {
        let amendment = index % 2 == 0 ? RunAmendment.restart(anew) : .withdraw(reason: Self.why)
        outcomes[name] = try await store.amend(RunID(rawValue: name), amendment, replacing: ["limit": 20], at: now)
      }
      return outcomes
    }
    var claimed: [String: Value] = [claimedFirst: ["limit": 20]]
    for await _ in arrival {}
    opening.finish()
    for name in names.reversed() {
      guard try await other.claim(RunID(rawValue: name), at: now) == .claimed else { continue }
      claimed[name] = try await other.snapshot(of: RunID(rawValue: name)).start.inputs
    }
    let outcomes = try await changes.value
    if case .taken = outcomes[claimedFirst] {} else { Issue.record("a change has taken a run that was claimed") }
    for (index, name) in names.enumerated() {
      switch outcomes[name] {
      case .done where index % 2 == 0: #expect(claimed[name] == nil || claimed[name] == ["limit": 99])
      case .done: #expect(claimed[name] == nil)
      case .taken: #expect(claimed[name] == ["limit": 20])
      case let outcome: Issue.record("\(name): \(String(describing: outcome))")
      }
    }
    try await other.close()
  }
}
