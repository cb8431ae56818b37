import Engine
import Expressions
import Localization
import Plans
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct QueueWorkerTests {
  /// Plans by the name of their recipe.
  private struct Plans: PlanSource {
    var known: [String: Plan]
    func plan(of start: RunStart) async throws(ActionFailure) -> Plan {
      guard let plan = known[start.recipe] else { throw .test(.notFound) }
      return plan
    }
  }

  private final class Watcher: WorkObserver {
    let ended = Mutex<[RunStatus]>([])
    let heldUp = Mutex(0)
    let troubles = Mutex(0)
    let reliefs = Mutex(0)
    let refused = Mutex<[RunID]>([])
    let drained = Mutex<[Int]>([])
    /// Called when a trouble is told.
    let onTrouble = Mutex<(@Sendable () -> Void)?>(nil)
    func begins(_ start: RunStart, isResumed: Bool) -> any RunObserver { SilentObserver() }
    func ends(_ result: RunResult, of start: RunStart) { ended.withLock { $0.append(result.status) } }
    func isHeldUp(_ start: RunStart, by failure: ActionFailure) { heldUp.withLock { $0 += 1 } }
    func isTroubled(by error: any Error) {
      troubles.withLock { $0 += 1 }
      onTrouble.withLock { $0 }?()
    }
    func isRelieved(after seconds: Double) { reliefs.withLock { $0 += 1 } }
    func drains(_ count: Int, within seconds: Double) { drained.withLock { $0.append(count) } }
    func isRefused(_ run: RunID, by error: any Error) { refused.withLock { $0.append(run) } }
  }

  // MARK: - Coming to an end

  /// Plans of which 'a' is under way when the worker is asked to end, what has been done by then, and all there is to do.
  private static let drained: [(plan: Plan, done: [String], all: [String])] = [
    (.plan([.step("a", effect: .once), .step("b", effect: .once, needs: [0])]), ["a"], ["a", "b"]),
    (.plan([.loop("a", over: 3)]), ["a"], ["a", "a", "a"]),
    (
      .plan([.child("sub", .plan([.step("a", effect: .once), .step("b", effect: .once, needs: [0])]))]), ["a"],
      ["a", "b"]
    ),
    (
      .plan([.step("x"), .last("a", needs: [0]), .last("b", needs: [0, 1])]), ["x", "a"], ["x", "a", "b"]
    ),
  ]

  @Test(arguments: drained.indices) func aWorkerThatIsAskedToEndLetsStepsEndAndLeavesTheRest(index: Int) async throws {
    let (plan, done, all) = Self.drained[index]
    let (queue, drain) = (try MemoryQueue(), DrainSignal())
    try await enqueue(2, plan, queue)
    let providers = ScriptedProviders(["a": [.work { drain.set() }, .output([:])]])
    let watcher = try await work(queue, [plan], providers: providers, parallel: 1, drain: drain)
    #expect(watcher.ended.withLock { $0 } == [.interrupted])
    #expect(providers.requests.map(\.step) == done)
    #expect(queue.status(of: RunID(rawValue: "R0")) == .interrupted)
    #expect(queue.status(of: RunID(rawValue: "R1")) == .queued)
    let next = try await work(queue, [plan], providers: providers, parallel: 1)
    #expect(next.ended.withLock { $0 } == [.succeeded, .succeeded])
    #expect(providers.requests.map(\.step) == all + all)
  }

  /// Plans whose last step is 'a', which fails while the worker comes to an end, and what becomes of the run.
  private static let failing: [(plan: Plan, status: RunStatus)] = [
    (.plan([.step("a", effect: .once)]), .failed), (.plan([.loop("a", over: 1)]), .failed),
    (.plan([.child("sub", .plan([.step("a", effect: .once)]))]), .failed),
    (.plan([.step("a", effect: .once, onError: .continue)]), .succeeded),
    (.plan([.step("a", effect: .once), .last("b", needs: [0])]), .interrupted),
    (.plan([.child("sub", .plan([.step("a", effect: .once)])), .step("b", needs: [0])]), .interrupted),
  ]

  @Test(arguments: failing.indices) func aStepThatFailsAsAWorkerComesToItsEndFailsItsRun(index: Int) async throws {
    let (plan, status) = Self.failing[index]
    let (queue, drain) = (try MemoryQueue(), DrainSignal())
    try await enqueue(1, plan, queue)
    let providers = ScriptedProviders(["a": [.fail(.test(.auth)) { drain.set() }]])
    let watcher = try await work(queue, [plan], providers: providers, drain: drain)
    #expect(watcher.ended.withLock { $0 } == [status])
    let next = try await work(queue, [plan], providers: providers)
    #expect(next.ended.withLock { $0 } == (status == .interrupted ? [.failed] : []))
    #expect(providers.requests.filter { $0.step == "a" }.count == 1)
  }

  @Test func aFailedRunIsPutDownBetweenTheStepsAtItsEnd() async throws {
    let plan = Plan.plan([.step("x"), .last("a", needs: [0]), .last("b", needs: [0, 1])])
    let (queue, drain) = (try MemoryQueue(), DrainSignal())
    try await enqueue(1, plan, queue)
    let providers = ScriptedProviders(["x": [.failure(.test(.auth))], "a": [.work { drain.set() }]])
    let watcher = try await work(queue, [plan], providers: providers, drain: drain)
    #expect(watcher.ended.withLock { $0 } == [.interrupted])
    #expect(providers.requests.map(\.step) == ["x", "a"])
    let next = try await work(queue, [plan], providers: providers)
    #expect(next.ended.withLock { $0 } == [.failed])
    #expect(providers.requests.map(\.step) == ["x", "a", "b"])
  }

  @Test func whatTakesTooLongAfterAWorkerIsAskedToEndIsInterrupted() async throws {
    let (queue, time, drain) = (try MemoryQueue(), JumpingTime(), DrainSignal())
    let plan = Plan.plan([.step("a", effect: .read)])
    try await enqueue(2, plan, queue)
    let hanging = ScriptedProviders(["a": [.hang]])
    let task = Task { try await work(queue, [plan], providers: hanging, time: time, drain: drain) }
    while hanging.requests.count < 2 { await Task.yield() }
    let begun = time.monotonic
    drain.set()
    let watcher = try await task.value
    #expect(watcher.ended.withLock { $0 } == [.interrupted, .interrupted])
    #expect(watcher.drained.withLock { $0 } == [2])
    #expect(time.monotonic - begun >= 25)
    #expect(queue.beats >= 1)
    #expect(try await work(queue, [plan]).ended.withLock { $0 } == [.succeeded, .succeeded])
  }

  private func work(
    _ queue: MemoryQueue, _ plans: [Plan], providers: ScriptedProviders = ScriptedProviders(),
    time: JumpingTime = JumpingTime(), parallel: Int = 4, patience: Double? = nil, watcher: Watcher = Watcher(),
    drain: DrainSignal? = nil
  ) async throws -> Watcher {
    var options = QueueWorker.Options()
    options.endsWhenIdle = true
    options.patience = patience
    options.parallel = parallel
    let worker = QueueWorker(
      engine: engine(queue, providers, time, drain),
      plans: Plans(known: Dictionary(uniqueKeysWithValues: plans.map { ($0.name, $0) })), observer: watcher,
      options: options)
    try await worker.work()
    return watcher
  }

  private func engine(
    _ queue: MemoryQueue, _ providers: ScriptedProviders = ScriptedProviders(), _ time: JumpingTime = JumpingTime(),
    _ drain: DrainSignal? = nil
  ) -> RunEngine {
    var options = RunEngine.Options()
    options.drain = drain
    return RunEngine(queue: queue, providers: providers, time: time, options: options)
  }

  private func enqueue(_ count: Int, _ plan: Plan, _ queue: MemoryQueue) async throws {
    for number in 0..<count {
      try await engine(queue).enqueue(plan, RunRequest(id: RunID(rawValue: "R\(number)")))
    }
  }

  @Test(arguments: [1, 3, 20])
  func everyQueuedRunIsWorkedOnOnce(parallel: Int) async throws {
    let (queue, providers) = (try MemoryQueue(), ScriptedProviders())
    let plan = Plan.plan([.step("a", effect: .once)])
    try await enqueue(10, plan, queue)
    let watcher = try await work(queue, [plan], providers: providers, parallel: parallel)
    #expect(watcher.ended.withLock { $0 } == Array(repeating: .succeeded, count: 10))
    #expect(Set(providers.requests.map(\.key)).count == 10)
    #expect(providers.requests.count == 10)
    #expect(providers.peak <= parallel)
  }

  @Test func aRunThatCannotGoOnIsPutOffAndTriedAgain() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    try await enqueue(1, .plan([.step("a")]), queue)
    let watcher = try await work(queue, [], time: time)
    #expect(watcher.heldUp.withLock { $0 } == 1)
    #expect(queue.status(of: RunID(rawValue: "R0")) == .waiting)
    let parked = try #require(
      queue.entries.compactMap { if case .runParked(_, let until, _, _, let at) = $0 { (until, at) } else { nil } }
        .first)
    #expect(parked.0 == parked.1.adding(seconds: 60))
  }

  /// Plans that are there once a plugin is.
  private final class Shelf: PlanSource {
    let plan: Plan
    let isThere = Mutex(false)
    init(_ plan: Plan) { self.plan = plan }
    var surroundings: String { isThere.withLock { $0 ? "there" : "missing" } }
    func plan(of start: RunStart) async throws(ActionFailure) -> Plan {
      guard isThere.withLock({ $0 }) else { throw .test(.notFound) }
      return plan
    }
  }

  @Test func aRunThatIsHeldIsTriedAtOnceWhenItsPluginIsBack() async throws {
    let shelf = Shelf(.plan([.step("a")]))
    let queue = try MemoryQueue()
    try await enqueue(1, shelf.plan, queue)
    let watcher = Watcher()
    let parked = Mutex<Double?>(nil)
    // The clock does not move on while the run is at work: on a busy machine the worker's looks would pass the minute.
    let time = JumpingTime(
      observe: { now in
        guard watcher.heldUp.withLock({ $0 }) > 0 else { return }
        // The plugin comes back five seconds later.
        let since = parked.withLock { since in
          since = since ?? now
          return since ?? now
        }
        if now >= since + 5 { shelf.isThere.withLock { $0 = true } }
      },
      rest: {
        while queue.claims > watcher.heldUp.withLock({ $0 }) + watcher.ended.withLock({ $0.count }), !Task.isCancelled {
          await Task.yield()
        }
      })
    let worker = QueueWorker(engine: engine(queue, ScriptedProviders(), time), plans: shelf, observer: watcher)
    let work = Task { try await worker.work() }
    while watcher.ended.withLock({ $0.isEmpty }) { await Task.yield() }
    work.cancel()
    try await work.value
    #expect(watcher.ended.withLock { $0 } == [.succeeded])
    // Before the minute was over after which it would have been tried anyway.
    let until = try #require(
      queue.entries.compactMap { if case .runParked(_, let until, _, _, _) = $0 { until } else { nil } }.first)
    let start = try #require(
      queue.entries.compactMap { if case .attemptStarted(let attempt) = $0 { attempt.at } else { nil } }.first)
    #expect(start < until)
  }

  @Test func aPersonWhoResumesAHeldRunTriesItAtOnce() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let plan = Plan.plan([.step("a")])
    try await enqueue(1, plan, queue)
    _ = try await work(queue, [], time: time)
    let began = time.monotonic
    let run = RunID(rawValue: "R0")
    #expect(queue.status(of: run) == .waiting)
    #expect(try await RunClaimLoop(engine(queue, ScriptedProviders(), time)).resume(run, plan).status == .succeeded)
    #expect(time.monotonic - began < 1)
  }

  @Test func aRunThatCannotGoOnAndIsCalledOffIsCancelled() async throws {
    let queue = try MemoryQueue()
    try await enqueue(1, .plan([.step("a")]), queue)
    try await queue.requestCancel(of: RunID(rawValue: "R0"))
    let watcher = try await work(queue, [])
    #expect(watcher.ended.withLock { $0 } == [.cancelled])
    #expect(queue.status(of: RunID(rawValue: "R0")) == .cancelled)
  }

  @Test func aRunWhoseKeywordsCannotBeEvaluatedFailsForGood() async throws {
    let queue = try MemoryQueue()
    let broken = try Template("{{ 1 / inputs.zero }}", in: Environment(variables: ["inputs": .dynamic]))
    let plan = Plan(
      name: "test", path: "", fingerprint: "0", keywords: [(name: "k", value: .template(broken))], steps: [.step("a")])
    var request = RunRequest(id: RunID(rawValue: "R0"))
    request.inputs = ["zero": 0]
    try await engine(queue).enqueue(plan, request)
    let watcher = try await work(queue, [plan])
    #expect(watcher.ended.withLock { $0 } == [.failed])
    #expect(queue.status(of: RunID(rawValue: "R0")) == .failed)
  }

  @Test func aChildThatCannotBeginFailsItsStep() async throws {
    let queue = try MemoryQueue()
    let broken = try Template("{{ 1 / 0 }}", in: Environment())
    let child = Plan(
      name: "child", path: "", fingerprint: "0", keywords: [(name: "k", value: .template(broken))], steps: [.step("a")])
    let plan = Plan.plan([.child("sub", child)])
    try await enqueue(1, plan, queue)
    let watcher = try await work(queue, [plan])
    #expect(watcher.ended.withLock { $0 } == [.failed])
    #expect(queue.runs.map { queue.status(of: $0) } == [.failed, .failed])
  }

  @Test func aWaitingRunIsLeftAloneUntilItIsDue() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let plan = Plan.plan([.sleep("s", "1h")])
    try await enqueue(1, plan, queue)
    let first = try await work(queue, [plan], time: time)
    #expect(first.ended.withLock { $0 } == [.waiting])
    let early = try await work(queue, [plan], time: time)
    #expect(early.ended.withLock { $0 }.isEmpty)
    for _ in 0..<37 { try await time.sleep(seconds: 100) }
    let due = try await work(queue, [plan], time: time)
    #expect(due.ended.withLock { $0 } == [.succeeded])
  }

  @Test func anInterruptedWorkerLeavesItsRunsToTheNext() async throws {
    let queue = try MemoryQueue()
    let plan = Plan.plan([.step("a", effect: .read)])
    try await enqueue(2, plan, queue)
    let hanging = ScriptedProviders(["a": [.hang]])
    let task = Task { try await work(queue, [plan], providers: hanging) }
    while hanging.requests.count < 2 { await Task.yield() }
    task.cancel()
    #expect(try await task.value.ended.withLock { $0 } == [.interrupted, .interrupted])
    let next = try await work(queue, [plan])
    #expect(next.ended.withLock { $0 } == [.succeeded, .succeeded])
  }

  @Test func aWorkerThatIsStoppedShowsThatItIsAliveUntilItsRunsHaveEnded() async throws {
    let queue = try MemoryQueue()
    let plan = Plan.plan([.step("a", effect: .read)])
    try await enqueue(1, plan, queue)
    let slow = ScriptedProviders([
      "a": [
        .linger {
          let before = queue.beats
          while queue.beats < before + 3 { await Task.yield() }
        }
      ]
    ])
    let task = Task { try await work(queue, [plan], providers: slow) }
    while slow.requests.isEmpty { await Task.yield() }
    task.cancel()
    #expect(try await task.value.ended.withLock { $0 } == [.interrupted])
    #expect(queue.beats >= 3)
  }

  // MARK: - A run log that fails

  private struct Fault: QueueError {
    var fault: QueueFault
  }

  @Test(arguments: ["claim", "cancelRequests", "beat", "record"])
  func aFaultThatPassesIsToldOnceAndEveryRunEndsOnce(function: String) async throws {
    let (queue, watcher) = (try MemoryQueue(), Watcher())
    // While a claimed run has not yet met the fault of `record`, the clock stands still. On a busy machine the worker's polls would
    // otherwise advance it past the interval in which two failures count as one trouble.
    let time = JumpingTime(rest: {
      while (1..<3).contains(queue.failures(of: "record")), queue.claims > queue.failures(of: "record"),
        !Task.isCancelled
      { await Task.yield() }
    })
    let plan = Plan.plan([.step("a", effect: .once), .sleep("s", "1m"), .step("b", effect: .once)])
    try await enqueue(3, plan, queue)
    let providers = ScriptedProviders()
    if function == "claim" { queue.fail(function, with: Fault(fault: .passing), times: 3) }
    providers.admissions.withLock { admissions in
      admissions = { (_) async throws(ActionFailure) -> Admission in
        guard function != "claim" else { return .free }
        if queue.failures(of: function) == 0 { queue.fail(function, with: Fault(fault: .passing), times: 3) }
        // The worker comes to these by itself, while a run is at work.
        if function != "record" { while queue.failures(of: function) < 3 { await Task.yield() } }
        return .free
      }
    }
    // One after the other, so that no effect is under way when the journal fails.
    let parallel = function == "record" ? 1 : 3
    _ = try await work(
      queue, [plan], providers: providers, time: time, parallel: parallel, watcher: watcher)
    for _ in 0..<2 { try await time.sleep(seconds: 60) }
    _ = try await work(queue, [plan], providers: providers, time: time, watcher: watcher)
    #expect(watcher.troubles.withLock { $0 } == 1)
    #expect(watcher.reliefs.withLock { $0 } == 1)
    #expect(queue.runs.map { queue.status(of: $0) } == [.succeeded, .succeeded, .succeeded])
    #expect(Set(providers.requests.map(\.key)).count == 6)
    #expect(providers.requests.count == 6)
  }

  @Test func aRunWhoseJournalFailedIsNotEndedAndGoesOnWithItsChild() async throws {
    let (queue, watcher) = (try MemoryQueue(), Watcher())
    let child = Plan(name: "child", path: "", fingerprint: "0", steps: [.step("a", effect: .read), .step("b")])
    let plan = Plan.plan([.child("sub", child), .step("c", effect: .once)])
    try await enqueue(1, plan, queue)
    let providers = ScriptedProviders()
    providers.admissions.withLock { admissions in
      admissions = { (_) async throws(ActionFailure) -> Admission in
        if watcher.troubles.withLock({ $0 }) == 0 { queue.fail("record", with: Fault(fault: .passing)) }
        return .free
      }
    }
    watcher.onTrouble.withLock { $0 = { queue.fail("record", with: nil) } }
    _ = try await work(queue, [plan], providers: providers, watcher: watcher)
    #expect(watcher.ended.withLock { $0 } == [.succeeded])
    #expect(watcher.troubles.withLock { $0 } == 1)
    #expect(queue.runs.map { queue.status(of: $0) } == [.succeeded, .succeeded])
    #expect(providers.requests.filter { $0.step == "c" }.count == 1)
  }

  @Test func aRunThatIsRefusedCostsOnlyItself() async throws {
    let (queue, watcher) = (try MemoryQueue(), Watcher())
    let plan = Plan.plan([.step("a", effect: .once)])
    try await enqueue(3, plan, queue)
    let providers = ScriptedProviders()
    providers.admissions.withLock { admissions in
      admissions = { (_) async throws(ActionFailure) -> Admission in
        queue.fail("record", with: providers.requests.isEmpty ? Fault(fault: .ofRun) : nil)
        return .free
      }
    }
    _ = try await work(queue, [plan], providers: providers, parallel: 1, watcher: watcher)
    #expect(watcher.refused.withLock { $0.count } >= 1)
    #expect(watcher.troubles.withLock { $0 } == 0)
  }

  @Test(arguments: [(QueueFault.lasting, nil), (.passing, 20.0)])
  func aFaultThatDoesNotPassEndsTheWorker(fault: QueueFault, patience: Double?) async throws {
    let queue = try MemoryQueue()
    let plan = Plan.plan([.step("a")])
    try await enqueue(1, plan, queue)
    queue.fail("claim", with: Fault(fault: fault))
    await #expect(throws: EngineError(.journal, .init(verbatim: ""))) {
      _ = try await work(queue, [plan], patience: patience)
    }
    #expect(queue.status(of: RunID(rawValue: "R0")) == .queued)
  }
}
