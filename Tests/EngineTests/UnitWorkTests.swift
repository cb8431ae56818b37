import Engine
import Expressions
import Plans
import TestSupport
import Testing

/// What a unit's call costs beside the call.
@Suite(.timeLimit(.minutes(5))) struct UnitWorkTests {
  /// Answers without ever giving its thread up.
  private struct Prompt: ProviderDirectory, StepProvider {
    var builtins: any StepProvider { self }

    func provider(named name: String) async throws(ActionFailure) -> any StepProvider { self }

    func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
      .string(request.key)
    }

    func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
      .unknown
    }
  }

  @Test(arguments: [Effect.pure, .read, .idempotent, .once])
  func aCallThatAnswersAtOnceNeedsNoClock(effect: Effect) async throws {
    // A deadline of five seconds would be over at once, and would be seen among the sleeps.
    let time = JumpingTime()
    let engine = RunEngine(queue: try MemoryQueue(), providers: Prompt(), time: time, random: { 0.5 })
    let plan = Plan.plan([.step("a", effect: effect, timeout: 5), .step("b", effect: effect, needs: [0], timeout: 5)])
    let result = try await engine.run(plan, RunRequest(id: RunID(rawValue: "R")))
    #expect(result.status == .succeeded)
    #expect(time.sleeps.isEmpty)
  }

  /// Lets time pass between the intent and the call, as the end of a standstill does.
  private struct Late: ProviderDirectory {
    let providers: ScriptedProviders
    let time: JumpingTime
    let seconds: Double

    var builtins: any StepProvider { providers }

    func provider(named name: String) async throws(ActionFailure) -> any StepProvider {
      time.pass(seconds)
      return providers
    }
  }

  @Test(arguments: [
    (effect: Effect.once, stands: 5.0, isLost: true, isCalled: true), (.once, 300, false, true),
    (.once, 300, true, false), (.idempotent, 300, true, false), (.read, 300, true, true),
  ])
  func whoHasStoodStillLooksWhetherTheRunIsStillHisOwnBeforeAnEffect(
    effect: Effect, stands: Double, isLost: Bool, isCalled: Bool
  ) async throws {
    let (time, providers, queue) = (JumpingTime(), ScriptedProviders(), try MemoryQueue())
    if isLost { queue.fail("beat", with: MemoryQueue.Refused()) }
    var options = RunEngine.Options()
    options.breakers = BreakerBoard([])
    let engine = RunEngine(
      queue: queue, providers: Late(providers: providers, time: time, seconds: stands), time: time, options: options)
    let (plan, request) = (Plan.plan([.step("a", effect: effect)]), RunRequest(id: RunID(rawValue: "R")))
    if isCalled {
      #expect(try await engine.run(plan, request).status == .succeeded)
    } else {
      let error = await #expect(throws: EngineError.self) { try await engine.run(plan, request) }
      #expect(error?.code == .journal)
    }
    #expect(providers.requests.count == (isCalled ? 1 : 0))
  }

  @Test func noChanceIsAskedForWithoutAPause() async throws {
    let engine = RunEngine(
      queue: try MemoryQueue(), providers: Prompt(), time: JumpingTime(),
      random: {
        Issue.record("asked for without need")
        return 0.5
      })
    let result = try await engine.run(
      .plan([.step("a"), .step("b", needs: [0])]), RunRequest(id: RunID(rawValue: "R")))
    #expect(result.status == .succeeded)
  }

  @Test func aKeyNamesRunStepAndItem() async throws {
    var plan = Plan.plan([.step("a", effect: .once), .loop("b", over: 2)])
    let environment = Environment(variables: ["steps": .dynamic])
    plan.outputs = [
      (name: "key", value: .template(try Template("{{ steps.a.output }}", in: environment))),
      (name: "keys", value: .template(try Template("{{ steps.b.output }}", in: environment))),
    ]
    let engine = RunEngine(queue: try MemoryQueue(), providers: Prompt(), time: JumpingTime(), random: { 0.5 })
    let result = try await engine.run(plan, RunRequest(id: RunID(rawValue: "R")))
    #expect(result.outputs == .map(["key": .string("R.a"), "keys": .list([.string("R.b.0"), .string("R.b.1")])]))
  }
}
