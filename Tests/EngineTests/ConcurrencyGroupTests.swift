import Engine
import Expressions
import Localization
import Plans
import Synchronization
import TestSupport
import Testing

/// Runs whose concurrency group is taken: by one at work, by one that was left, by one that waits.
@Suite(.timeLimit(.minutes(5))) struct ConcurrencyGroupTests {
  private let first = RunID(rawValue: "R")
  private let second = RunID(rawValue: "S")

  private struct Plans: PlanSource {
    let plan: Plan
    func plan(of start: RunStart) async throws(ActionFailure) -> Plan { plan }
  }

  private func plan(
    _ policy: Plan.Concurrency.Policy, _ steps: [PlanStep] = [.step("a", effect: .once)], max: Int = 1
  ) -> Plan {
    var plan = Plan.plan(steps)
    plan.concurrency = Plan.Concurrency(group: .literal(.string("mail")), policy: policy, max: max)
    return plan
  }

  private func engine(
    _ queue: MemoryQueue, _ providers: ScriptedProviders, _ plan: Plan, drain: DrainSignal? = nil
  ) -> RunEngine {
    var options = RunEngine.Options()
    options.drain = drain
    options.plans = Plans(plan: plan)
    return RunEngine(queue: queue, providers: providers, time: JumpingTime(), options: options)
  }

  /// A run of the group that its process has left.
  private func left(_ plan: Plan, endedAs status: RunStatus?) async throws -> MemoryQueue {
    let queue = try MemoryQueue()
    try await engine(queue, ScriptedProviders(), plan).enqueue(plan, RunRequest(id: first))
    var entries = queue.entries
    if case .runStarted(var start) = entries[0] {
      start.isQueued = false
      entries = [.runStarted(start)]
    }
    if let status {
      let end = RunEnd(run: first, status: status, outputs: .map([:]), at: Timestamp(seconds: 0))
      entries.append(.runFinished(end))
    }
    return try await MemoryQueue(entries)
  }

  @Test(
    arguments: [RunStatus?.none, .interrupted],
    [
      (Plan.Concurrency.Policy.queue, RunStatus.succeeded, ["R", "S"]), (.skip, .succeeded, ["R", "S"]),
      (.cancel, .cancelled, ["S"]),
    ])
  func aRunThatWasLeftComesToItsEndBeforeTheNextOfItsGroup(
    status: RunStatus?, expected: (policy: Plan.Concurrency.Policy, left: RunStatus, calls: [String])
  ) async throws {
    let plan = plan(expected.policy)
    let queue = try await left(plan, endedAs: status)
    let providers = ScriptedProviders()
    let result = try await engine(queue, providers, plan).runToEnd(plan, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(queue.status(of: first) == expected.left)
    #expect(providers.requests.map(\.run.rawValue) == expected.calls)
  }

  private struct Refusal: QueueError {
    let fault: QueueFault
  }

  @Test(arguments: [(QueueFault.ofRun, RunStatus.cancelled), (.lasting, .queued)])
  func whatIsRefusedItsTurnIsLeftToNobody(fault: QueueFault, status: RunStatus) async throws {
    let plan = plan(.queue)
    let queue = try MemoryQueue()
    queue.fail("claimRun", with: Refusal(fault: fault))
    await #expect(throws: EngineError(.journal, LocalizedText(verbatim: ""))) {
      try await engine(queue, ScriptedProviders(), plan).runToEnd(plan, RunRequest(id: second))
    }
    #expect(queue.status(of: second) == status)
  }

  @Test func aWaitingRunIsCalledOffByTheNextWhereThePolicySaysSo() async throws {
    let plan = plan(.cancel, [.approve("ask")])
    let queue = try MemoryQueue()
    let engine = engine(queue, ScriptedProviders(), plan)
    try await engine.enqueue(plan, RunRequest(id: first))
    guard case .claimed = try await queue.claim(first, at: Timestamp(seconds: 0)) else {
      Issue.record("the first run was not free")
      return
    }
    #expect(try await engine.resume(plan, queue.snapshot(of: first)).status == .waiting)
    queue.answer(0, .approved(fields: .map([:]), by: "ann"))
    #expect(try await engine.runToEnd(plan, RunRequest(id: second)).status == .succeeded)
    #expect(queue.status(of: first) == .cancelled)
  }

  @Test(arguments: [
    (Plan.Concurrency.Policy.queue, 1, [RunStatus.queued, .queued, .queued], []),
    (.skip, 1, [.queued, .skipped, .skipped], []), (.cancel, 1, [.queued, .queued, .queued], ["A", "B"]),
    (.skip, 2, [.queued, .queued, .skipped], []), (.cancel, 2, [.queued, .queued, .queued], ["A"]),
    (.cancel, 3, [.queued, .queued, .queued], []),
  ])
  func policiesHoldInTheQueueToo(
    policy: Plan.Concurrency.Policy, max: Int, statuses: [RunStatus], calledOff: [String]
  ) async throws {
    let plan = plan(policy, max: max)
    let queue = try MemoryQueue()
    let engine = engine(queue, ScriptedProviders(), plan)
    let requests = ["A", "B", "C"].map { RunRequest(id: RunID(rawValue: $0)) }
    try await engine.enqueue(plan, requests[0])
    _ = try await engine.enqueue(requests.dropFirst().map { (plan: plan, request: $0) })
    #expect(requests.map { queue.status(of: $0.id) } == statuses)
    var asked: [String] = []
    for request in requests where try await queue.snapshot(of: request.id).isCancelRequested {
      asked.append(request.id.rawValue)
    }
    #expect(asked == calledOff)
  }

  /// Does something once a run waits for its turn.
  private final class Watcher: RunObserver {
    private let hasWaited = Mutex(false)
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func observe(_ event: RunEvent) {
      guard case .waitsForTurn = event,
        hasWaited.withLock({
          $0.toggle(); return $0
        })
      else { return }
      body()
    }
  }

  /// A group with two places, both taken by runs that wait: the third run takes a place, waits or is left out, by its policy.
  @Test(arguments: [
    (Plan.Concurrency.Policy.queue, 3, RunStatus.succeeded, [RunStatus.waiting, .waiting]),
    (.skip, 2, .skipped, [.waiting, .waiting]), (.skip, 3, .succeeded, [.waiting, .waiting]),
    (.cancel, 2, .succeeded, [.cancelled, .waiting]), (.cancel, 3, .succeeded, [.waiting, .waiting]),
  ])
  func aRunThatFindsNoPlaceInItsGroupFollowsItsPolicy(
    policy: Plan.Concurrency.Policy, max: Int, status: RunStatus, others: [RunStatus]
  ) async throws {
    let queue = try MemoryQueue()
    let asking = plan(policy, [.approve("ask")], max: max)
    let engine = engine(queue, ScriptedProviders(), asking)
    for run in [first, second] {
      try await engine.enqueue(asking, RunRequest(id: run))
      try #require(try await queue.claim(run, at: Timestamp(seconds: 0)) == .claimed)
      #expect(try await engine.resume(asking, queue.snapshot(of: run)).status == .waiting)
    }
    let plan = plan(policy, max: max)
    #expect(try await engine.runToEnd(plan, RunRequest(id: RunID(rawValue: "T"))).status == status)
    #expect([first, second].map { queue.status(of: $0) } == others)
  }

  private struct Refused: QueueError { var fault: QueueFault { .ofRun } }

  @Test func whoeverIsInterruptedLeavesARunToTheProcessThatHasTakenIt() async throws {
    let plan = plan(.queue)
    let queue = try await left(plan, endedAs: nil)
    _ = try await queue.claim(first, at: Timestamp(seconds: 0))
    let control = CancelToken()
    let watcher = Watcher {
      queue.fail("record", with: Refused())
      control.cancel()
    }
    let result = try await engine(queue, ScriptedProviders(), plan).runToEnd(
      plan, RunRequest(id: second), observer: watcher, control: control)
    #expect(result.status == .interrupted)
    #expect(queue.status(of: second) == .queued)
  }

  @Test func aRunThatWaitsIsTakenAlongOnceItIsDue() async throws {
    let plan = plan(.queue, [.sleep("nap", "60s"), .step("a", effect: .once, needs: [0])])
    let queue = try MemoryQueue()
    let providers = ScriptedProviders()
    let engine = engine(queue, providers, plan)
    try await engine.enqueue(plan, RunRequest(id: first))
    _ = try await queue.claim(first, at: Timestamp(seconds: 0))
    #expect(try await engine.resume(plan, queue.snapshot(of: first)).status == .waiting)
    #expect(try await engine.runToEnd(plan, RunRequest(id: second)).status == .succeeded)
    #expect(providers.requests.map(\.run) == [first, second])
  }

  @Test func aRunThatDoesNotFitItsRecipeFreesItsGroup() async throws {
    let plan = plan(.queue)
    let queue = try await left(plan, endedAs: .interrupted)
    var other = plan
    other.steps[0].loop = PlanStep.loop("a", over: 1).loop
    try await queue.record(
      [.stepStarted(run: first, step: 0, itemCount: 7, at: Timestamp(seconds: 0))], durability: .committed)
    try await queue.record(
      [.runFinished(RunEnd(run: first, status: .interrupted, outputs: .map([:]), at: Timestamp(seconds: 0)))],
      durability: .committed)
    let result = try await engine(queue, ScriptedProviders(), other).runToEnd(other, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(queue.status(of: first) == .needsAttention)
  }

  /// A clock that asks to call a run off once it is at work.
  private func time(
    _ queue: MemoryQueue, _ providers: ScriptedProviders, _ isMeant: @escaping @Sendable (RunID) -> Bool
  ) -> JumpingTime {
    JumpingTime(jump: 1) { _ in
      guard let run = providers.requests.map(\.run).first(where: isMeant) else { return }
      queue.askToCancel(run)
    }
  }

  @Test func aRunThatIsTakenAlongIsCalledOffAlone() async throws {
    let plan = plan(.queue, [.step("a", effect: .idempotent)])
    let queue = try await left(plan, endedAs: .interrupted)
    let providers = ScriptedProviders(["a": [.hang, .output([:])]])
    let time = time(queue, providers) { $0.rawValue == "R" }
    let engine = engine(queue, providers, plan)
    let heartbeat = RunHeartbeat(queue: queue, time: time, controls: engine.controls)
    let result = try await heartbeat.during { try await engine.runToEnd(plan, RunRequest(id: second)) }
    #expect(queue.status(of: first) == .cancelled)
    #expect(result.status == .succeeded)
  }

  @Test func aRetryGoesByThePolicyOfItsGroup() async throws {
    let plan = plan(.skip)
    let queue = try MemoryQueue()
    let failing = ScriptedProviders(["a": [.failure(.test(.auth))]])
    #expect(try await engine(queue, failing, plan).runToEnd(plan, RunRequest(id: first)).status == .failed)
    let earlier = try await queue.snapshot(of: first)
    let other = RunID(rawValue: "O")
    let providers = ScriptedProviders()
    let engine = engine(queue, providers, plan)
    try await engine.enqueue(plan, RunRequest(id: other))
    _ = try await queue.claim(other, at: Timestamp(seconds: 0))
    try await queue.record(
      [.stepStarted(run: other, step: 0, itemCount: nil, at: Timestamp(seconds: 0))], durability: .committed)
    #expect(try await engine.retry(plan, earlier, from: nil, RunRequest(id: second)).status == .skipped)
    #expect(providers.requests.isEmpty)
  }

  // MARK: - Recipes in recipes

  @Test func aRecipeThatAStepRunsWaitsForItsGroup() async throws {
    let child = plan(.queue)
    let queue = try await left(child, endedAs: nil)
    _ = try await queue.claim(first, at: Timestamp(seconds: 0))
    let providers = ScriptedProviders()
    let parent = Plan.plan([.child("sub", child)])
    let result = try await engine(queue, providers, child).run(parent, RunRequest(id: second))
    #expect(result.status == .waiting)
    #expect(providers.requests.isEmpty)
  }

  @Test func aRecipeThatAStepRunsBringsWhatWasLeftOfItsGroupToItsEnd() async throws {
    let child = plan(.queue)
    let queue = try await left(child, endedAs: .interrupted)
    let providers = ScriptedProviders()
    let parent = Plan.plan([.child("sub", child)])
    let result = try await engine(queue, providers, child).run(parent, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(queue.status(of: first) == .succeeded)
    #expect(providers.requests.count == 2)
  }

  @Test(arguments: [Plan.Concurrency.Policy.queue, .skip])
  func whatIsBroughtToItsEndIsPutDownOnceWhereTheProcessIsToEnd(policy: Plan.Concurrency.Policy) async throws {
    let child = plan(policy, [.step("a", effect: .once), .step("b", effect: .once, needs: [0])])
    let queue = try await left(child, endedAs: .interrupted)
    let drain = DrainSignal()
    let providers = ScriptedProviders(["a": [.work { drain.set() }]])
    let parent = Plan.plan([.child("sub", child)])
    let engine = engine(queue, providers, child, drain: drain)
    #expect(try await engine.run(parent, RunRequest(id: second)).status == .waiting)
    let putDown = queue.entries.count { if case .runFinished(let end) = $0 { end.run == first } else { false } }
    #expect(putDown == 2)
    #expect(queue.status(of: first) == .interrupted)
    #expect(queue.status(of: try #require(queue.runs.last)) == .queued)
    #expect(providers.requests.map(\.run) == [first])
  }

  private func callOff(_ control: CancelToken, onceAskedFrom providers: ScriptedProviders) async {
    await providers.called()
    control.cancel()
  }

  @Test(arguments: [Plan.Concurrency.Policy.queue, .skip])
  func whoIsCalledOffPutsDownWhatItBringsToItsEnd(policy: Plan.Concurrency.Policy) async throws {
    let child = plan(policy, [.step("a", effect: .idempotent)])
    let queue = try await left(child, endedAs: .interrupted)
    let control = CancelToken()
    let providers = ScriptedProviders(["a": [.hang]])
    let parent = Plan.plan([.child("sub", child)])
    let engine = engine(queue, providers, child)
    async let asking: Void = callOff(control, onceAskedFrom: providers)
    #expect(try await engine.run(parent, RunRequest(id: second), control: control).status == .cancelled)
    await asking
    #expect(queue.status(of: first) == .interrupted)
    #expect(try await !queue.snapshot(of: first).isCancelRequested)
    #expect(queue.status(of: try #require(queue.runs.last)) == .cancelled)
    #expect(providers.requests.map(\.run) == [first])
  }

  @Test(arguments: [Plan.Concurrency.Policy.queue, .skip])
  func whoeverIsCalledOffInTheQueuePutsDownWhatItBringsToItsEnd(policy: Plan.Concurrency.Policy) async throws {
    let plan = plan(policy, [.step("a", effect: .idempotent)])
    let queue = try await left(plan, endedAs: .interrupted)
    let control = CancelToken()
    let providers = ScriptedProviders(["a": [.hang]])
    let engine = engine(queue, providers, plan)
    async let asking: Void = callOff(control, onceAskedFrom: providers)
    #expect(try await engine.runToEnd(plan, RunRequest(id: second), control: control).status == .cancelled)
    await asking
    #expect(queue.status(of: first) == .interrupted)
    #expect(try await !queue.snapshot(of: first).isCancelRequested)
    #expect(providers.requests.map(\.run) == [first])
  }

  /// Calls a run off as another process does: nobody is told, it stands in the queue.
  private func callOff(_ run: RunID, in queue: MemoryQueue, onceAskedFrom providers: ScriptedProviders) async throws {
    while providers.requests.isEmpty { await Task.yield() }
    try await queue.requestCancel(of: run)
  }

  @Test(arguments: [Plan.Concurrency.Policy.queue, .skip])
  func whoeverAnotherProcessCallsOffPutsDownWhatItBringsToItsEnd(policy: Plan.Concurrency.Policy) async throws {
    let plan = plan(policy, [.step("a", effect: .idempotent)])
    let queue = try await left(plan, endedAs: .interrupted)
    let providers = ScriptedProviders(["a": [.hang]])
    let engine = engine(queue, providers, plan)
    async let asking: Void = callOff(second, in: queue, onceAskedFrom: providers)
    #expect(try await engine.runToEnd(plan, RunRequest(id: second)).status == .cancelled)
    try await asking
    #expect(queue.status(of: first) == .interrupted)
    #expect(try await !queue.snapshot(of: first).isCancelRequested)
    #expect(providers.requests.map(\.run) == [first])
  }

  @Test func aRecipeThatAStepRunsIsCalledOffByTheNextOfItsGroup() async throws {
    let child = plan(.cancel, [.approve("ask")])
    let parent = Plan.plan([.child("sub", child)])
    let queue = try MemoryQueue()
    let engine = engine(queue, ScriptedProviders(), child)
    #expect(try await engine.run(parent, RunRequest(id: first)).status == .waiting)
    let part = try #require(queue.runs.last)
    try await queue.requestCancel(of: part)
    let snapshot = try await queue.snapshot(of: first)
    #expect(try await engine.resume(parent, snapshot).status == .failed)
    #expect(queue.status(of: part) == .cancelled)
  }

  @Test func aRecipeThatAStepRunsIsCalledOffWhileItWorks() async throws {
    let child = Plan.plan([.step("a", effect: .idempotent)])
    let parent = Plan.plan([.child("sub", child)])
    let queue = try MemoryQueue()
    let providers = ScriptedProviders(["a": [.hang]])
    let time = time(queue, providers) { _ in true }
    let engine = engine(queue, providers, child)
    let heartbeat = RunHeartbeat(queue: queue, time: time, controls: engine.controls)
    let result = try await heartbeat.during { try await engine.run(parent, RunRequest(id: first)) }
    #expect(result.status == .failed)
    #expect(queue.status(of: try #require(queue.runs.last)) == .cancelled)
  }

  @Test func aGroupThatWaitsForItselfFails() async throws {
    let parent = plan(.queue, [.child("sub", plan(.queue))])
    let queue = try MemoryQueue()
    let providers = ScriptedProviders()
    let result = try await engine(queue, providers, parent).runToEnd(parent, RunRequest(id: first))
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .invalidInput)
    #expect(providers.requests.isEmpty)
  }
}
