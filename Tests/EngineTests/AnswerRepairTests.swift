import Expressions
import Plans
import TestSupport
import Testing

@testable import Engine

/// Answers that come and are not accepted: the provider says whether it can repair them.
struct AnswerRepairTests {
  private static var flawed: ScriptedProviders.Answer {
    var failure = ActionFailure.test(.unsuitable)
    failure.flaw = .repairable(["prompt": "Repair"])
    return .failure(failure)
  }

  private func plan(attempts: Int = 4, providers: [String] = ["main"]) -> Plan {
    let step = PlanStep.step(
      "a", effect: .read, providers: providers,
      input: .literal(["prompt": "Where?"]),
      retry: RetryPolicy(attempts: attempts, jitter: 0))
    return .plan([step])
  }

  private func run(
    _ plan: Plan, _ answers: [ScriptedProviders.Answer]
  ) async throws -> (RunResult, MemoryQueue, ScriptedProviders, JumpingTime) {
    let (providers, queue, time) = (ScriptedProviders(["a": answers]), try MemoryQueue(), JumpingTime())
    let engine = RunEngine(queue: queue, providers: providers, time: time, random: { 0.5 })
    let result = try await engine.run(plan, RunRequest(id: RunID(rawValue: "R")))
    return (result, queue, providers, time)
  }

  @Test func aFlawedAnswerIsRepairedOnce() async throws {
    let (result, queue, providers, time) = try await run(
      plan(), [Self.flawed, .output([:])])
    #expect(result.status == .succeeded)
    #expect(queue.attempts.map(\.failure?.kind) == [.unsuitable, nil])
    #expect(queue.intents.map(\.0.kind) == [.provider("main"), .repair("main")])
    #expect(time.sleeps.isEmpty)
    #expect(providers.requests.last?.input == ["prompt": "Repair"])
  }

  @Test func whatCannotBeRepairedIsUnsuitable() async throws {
    let (result, queue, providers, _) = try await run(plan(), [Self.flawed])
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .unsuitable)
    #expect(providers.requests.count == 2)
    #expect(queue.intents.map(\.0.kind) == [.provider("main"), .repair("main")])
  }

  @Test func aRepairIsAnAttemptOfThePolicy() async throws {
    let (result, _, providers, _) = try await run(
      plan(attempts: 1), [Self.flawed, .output([:])])
    #expect(result.failure?.kind == .unsuitable)
    #expect(providers.requests.count == 1)
  }

  @Test func theNextProviderIsAskedAfreshWhereARepairDoesNotHelp() async throws {
    let (result, queue, providers, _) = try await run(
      plan(providers: ["one", "two"]),
      [Self.flawed, Self.flawed, .output([:])])
    #expect(result.status == .succeeded)
    #expect(queue.intents.map(\.0.kind) == [.provider("one"), .repair("one"), .provider("two")])
    #expect(providers.requests.last?.input == ["prompt": "Where?"])
  }

  @Test func aRepairThatFailsOnTheWayIsRepeatedAsThePolicySays() async throws {
    let (result, queue, _, time) = try await run(
      plan(attempts: 3),
      [Self.flawed, .failure(.test(.io)), .output([:])])
    #expect(result.status == .succeeded)
    #expect(queue.intents.map(\.0.kind) == [.provider("main"), .repair("main"), .provider("main")])
    #expect(time.sleeps == [1])
  }

  @Test func aFinalFlawIsNotRepeated() async throws {
    var cut = ActionFailure.test(.unsuitable)
    cut.flaw = .final
    let (result, _, providers, _) = try await run(plan(providers: ["one", "two"]), [.failure(cut), .failure(cut)])
    #expect(result.failure?.kind == .unsuitable)
    // Each provider once.
    #expect(providers.requests.count == 2)
  }
}
