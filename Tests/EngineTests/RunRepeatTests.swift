import Engine
import Expressions
import Localization
import Recipes
import Testing

/// Runs that repeat earlier ones: retried from a step on, retried where they failed, replayed.
@Suite(.timeLimit(.minutes(1))) struct RunRepeatTests {
  private let first = RunID(rawValue: "R")
  private let second = RunID(rawValue: "S")

  private func runner(_ queue: MemoryQueue, _ providers: ScriptedProviders) -> Runner {
    var options = Runner.Options()
    options.queue = queue
    options.answers = queue
    return Runner(recorder: queue, providers: providers, time: ManualTime(), options: options)
  }

  /// Two branches that join; 'c' fails for good at first.
  private let plan = Plan.plan([
    .step("a", effect: .once), .step("b", effect: .once), .step("c", effect: .idempotent, needs: [0]),
    .step("d", needs: [1, 2]), .last("end", needs: [0, 1, 2, 3]),
  ])

  private func failed() async throws -> MemoryQueue {
    let queue = MemoryQueue()
    let providers = ScriptedProviders(["c": [.failure(.test(.auth))]])
    #expect(try await runner(queue, providers).run(plan, RunRequest(id: first)).status == .failed)
    return queue
  }

  @Test(arguments: [
    (Int?.none, ["c", "d", "end"]), (0, ["a", "c", "d", "end"]), (1, ["b", "c", "d", "end"]), (2, ["c", "d", "end"]),
  ])
  func aRetryDoesAgainWhatFailedAndWhatRestsOnIt(from step: Int?, called: [String]) async throws {
    let queue = try await failed()
    let providers = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await runner(queue, providers).retry(plan, earlier, from: step, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(providers.requests.map(\.step).sorted() == called.sorted())
    #expect(try await queue.snapshot(of: second).start.origin == first)
  }

  @Test func aRetryKeepsTheItemsOfALoopThatSucceeded() async throws {
    let plan = Plan.plan([.loop("each", over: 4, onError: .continue)])
    let queue = MemoryQueue()
    let providers = ScriptedProviders(["each": [.output(["n": 0]), .failure(.test(.auth)), .output(["n": 2])]])
    #expect(try await runner(queue, providers).run(plan, RunRequest(id: first)).status == .succeeded)
    let again = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await runner(queue, again).retry(plan, earlier, from: nil, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(again.requests.map(\.item) == [1])
  }

  @Test func aRetryThatIsLeftGoesOnLikeAnyRun() async throws {
    let queue = try await failed()
    let earlier = try await queue.snapshot(of: first)
    let before = queue.boundaries.count
    _ = try await runner(queue, ScriptedProviders()).retry(plan, earlier, from: nil, RunRequest(id: second))
    for count in queue.boundaries.dropFirst(before).dropLast() {
      let left = MemoryQueue(Array(queue.entries.prefix(count)))
      let providers = ScriptedProviders()
      let result = try await runner(left, providers).resume(plan, left.snapshot(of: second))
      #expect(result.status == .succeeded)
      #expect(!providers.requests.contains { ["a", "b"].contains($0.step) })
    }
  }

  @Test func aReplayCallsOnlyWhatIsPure() async throws {
    let queue = MemoryQueue()
    let plan = Plan.plan([
      .step("a", effect: .once), .step("b", effect: .read), .step("c", effect: .pure, needs: [0, 1]),
    ])
    let providers = ScriptedProviders(["a": [.output(["n": 1])], "b": [.output(["n": 2])]])
    _ = try await runner(queue, providers).run(plan, RunRequest(id: first))
    let again = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await runner(queue, again).replay(plan, earlier, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(again.requests.map(\.step) == ["c"])
    let steps = try await queue.snapshot(of: second).steps
    #expect(steps.map { $0.units.first?.output } == [["n": 1], ["n": 2], [:]])
  }

  @Test func aReplayOfAStepWithoutResultFails() async throws {
    let queue = try await failed()
    let again = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await runner(queue, again).replay(plan, earlier, RunRequest(id: second))
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .auth)
    #expect(again.requests.map(\.step) == ["end"])
  }

  @Test func anotherPlanIsRefused() async throws {
    let queue = try await failed()
    let earlier = try await queue.snapshot(of: first)
    let runner = runner(queue, ScriptedProviders())
    await #expect(throws: EngineError(.planDiffers, LocalizedText(verbatim: ""))) {
      try await runner.retry(.plan([.step("x")]), earlier, from: nil, RunRequest(id: second))
    }
  }
}
