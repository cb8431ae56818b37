import Engine
import Expressions
import Localization
import Recipes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct RunWorkerTests {
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
    func begins(_ start: RunStart) -> any RunObserver { SilentObserver() }
    func ends(_ result: RunResult, of start: RunStart) { ended.withLock { $0.append(result.status) } }
    func isHeldUp(_ start: RunStart, by failure: ActionFailure) { heldUp.withLock { $0 += 1 } }
  }

  private func work(
    _ queue: MemoryQueue, _ plans: [Plan], providers: ScriptedProviders = ScriptedProviders(),
    time: ManualTime = ManualTime(), parallel: Int = 4
  ) async throws -> Watcher {
    let watcher = Watcher()
    var options = RunWorker.Options()
    options.endsWhenIdle = true
    options.parallel = parallel
    let worker = RunWorker(
      runner: runner(queue, providers, time), queue: queue,
      plans: Plans(known: Dictionary(uniqueKeysWithValues: plans.map { ($0.name, $0) })), observer: watcher,
      options: options)
    try await worker.work()
    return watcher
  }

  private func runner(
    _ queue: MemoryQueue, _ providers: ScriptedProviders = ScriptedProviders(), _ time: ManualTime = ManualTime()
  ) -> Runner {
    var options = Runner.Options()
    options.queue = queue
    options.answers = queue
    return Runner(recorder: queue, providers: providers, time: time, options: options)
  }

  private func enqueue(_ count: Int, _ plan: Plan, _ queue: MemoryQueue) async throws {
    for number in 0..<count {
      try await runner(queue).enqueue(plan, RunRequest(id: RunID(rawValue: "R\(number)")))
    }
  }

  @Test(arguments: [1, 3, 20])
  func everyQueuedRunIsWorkedOnOnce(parallel: Int) async throws {
    let (queue, providers) = (MemoryQueue(), ScriptedProviders())
    let plan = Plan.plan([.step("a", effect: .once)])
    try await enqueue(10, plan, queue)
    let watcher = try await work(queue, [plan], providers: providers, parallel: parallel)
    #expect(watcher.ended.withLock { $0 } == Array(repeating: .succeeded, count: 10))
    #expect(Set(providers.requests.map(\.key)).count == 10)
    #expect(providers.requests.count == 10)
    #expect(providers.peak <= parallel)
  }

  @Test func aRunThatCannotGoOnIsPutOffAndTriedAgain() async throws {
    let (queue, time) = (MemoryQueue(), ManualTime())
    try await enqueue(1, .plan([.step("a")]), queue)
    let watcher = try await work(queue, [], time: time)
    #expect(watcher.heldUp.withLock { $0 } == 1)
    #expect(queue.status(of: RunID(rawValue: "R0")) == .waiting)
    #expect(queue.fold(RunID(rawValue: "R0")).due == time.now.adding(seconds: 60))
  }

  @Test func aRunThatCannotGoOnAndIsCalledOffIsCancelled() async throws {
    let queue = MemoryQueue()
    try await enqueue(1, .plan([.step("a")]), queue)
    try await queue.requestCancel(of: RunID(rawValue: "R0"))
    let watcher = try await work(queue, [])
    #expect(watcher.ended.withLock { $0 } == [.cancelled])
    #expect(queue.status(of: RunID(rawValue: "R0")) == .cancelled)
  }

  @Test func aRunWhoseKeywordsCannotBeEvaluatedFailsForGood() async throws {
    let queue = MemoryQueue()
    let broken = try Template("{{ 1 / inputs.zero }}", in: Environment(variables: ["inputs": .dynamic]))
    let plan = Plan(
      name: "test", path: "", fingerprint: "0", keywords: [(name: "k", value: .template(broken))], steps: [.step("a")])
    var request = RunRequest(id: RunID(rawValue: "R0"))
    request.inputs = ["zero": 0]
    try await runner(queue).enqueue(plan, request)
    let watcher = try await work(queue, [plan])
    #expect(watcher.ended.withLock { $0 } == [.failed])
    #expect(queue.status(of: RunID(rawValue: "R0")) == .failed)
  }

  @Test func aChildThatCannotBeginFailsItsStep() async throws {
    let queue = MemoryQueue()
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
    let (queue, time) = (MemoryQueue(), ManualTime())
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
    let queue = MemoryQueue()
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
}
