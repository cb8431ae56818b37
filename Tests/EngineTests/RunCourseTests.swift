import Engine
import Expressions
import Localization
import Plans
import Schemas
import Synchronization
import TestSupport
import Testing

/// What happens around the steps of a run: it is cancelled or its time is up between two of them, the clock goes on, it
/// gives something back.
@Suite(.timeLimit(.minutes(5))) struct RunCourseTests {
  private let run = RunID(rawValue: "R")

  /// Does something at each end of a step.
  private final class Watcher: RunObserver {
    private let body: @Sendable (StepEnd) -> Void
    init(_ body: @escaping @Sendable (StepEnd) -> Void) { self.body = body }
    func observe(_ event: RunEvent) {
      if case .journal(.stepFinished(let end)) = event { body(end) }
    }
  }

  /// A step that is worked on in place.
  private func quick(_ id: String, input: BoundValue = .literal(.map([:])), needs: [Int] = []) -> PlanStep {
    var step = PlanStep.step(id, input: input, needs: needs)
    step.action = ActionSignature(
      name: "test.\(id)", summary: LocalizedText(verbatim: id), effect: .pure, input: .anything, output: .anything,
      isBuiltin: true)
    step.providers = []
    return step
  }

  private func input(_ source: String) throws -> BoundValue {
    .map([(name: "v", value: .template(try Template(source, in: Environment(variables: ["steps": .dynamic]))))])
  }

  private func result(
    _ plan: Plan, _ providers: ScriptedProviders, _ recorder: MemoryQueue? = nil,
    time: JumpingTime = JumpingTime(), observer: any RunObserver = SilentObserver(),
    control: CancelToken = CancelToken()
  ) async throws -> RunResult {
    try await RunEngine(queue: try recorder ?? MemoryQueue(), providers: providers, time: time, random: { 0.5 })
      .run(plan, RunRequest(id: run), observer: observer, control: control)
  }

  // MARK: - Called off between quick steps

  @Test(arguments: [true, false]) func nothingBeginsAfterARunWasCalledOffBetweenQuickSteps(isDeadline: Bool)
    async throws
  {
    let control = CancelToken()
    let time = JumpingTime(jump: 1)
    let plan = Plan.plan(
      [quick("a"), quick("b", needs: [0]), .step("send", effect: .once, needs: [1]), .last("end", needs: [0, 1, 2])],
      timeout: isDeadline ? 50 : nil)
    let providers = ScriptedProviders()
    let watcher = Watcher { end in
      guard end.step == 0 else { return }
      if isDeadline { time.pass(60) } else { control.cancel() }
    }
    let result = try await result(plan, providers, time: time, observer: watcher, control: control)
    #expect(result.status == (isDeadline ? .failed : .cancelled))
    #expect(providers.requests.map(\.step) == ["a", "end"])
  }

  @Test func aDeadlineThatPassesWhileARunEndsIsNoFailure() async throws {
    let time = JumpingTime(jump: 1)
    let environment = Environment(variables: ["failure": .dynamic])
    let text = BoundValue.map([(name: "v", value: .template(try Template("{{ failure }}", in: environment)))])
    var tell = PlanStep.last("tell", needs: [0, 1])
    tell.input = text
    let plan = Plan.plan([.step("a"), .last("wait", needs: [0]), tell], timeout: 50)
    let providers = ScriptedProviders(["tell": [.echo("v")]])
    let recorder = try MemoryQueue()
    let watcher = Watcher { end in if end.step == 1 { time.pass(60) } }
    #expect(try await result(plan, providers, recorder, time: time, observer: watcher).status == .succeeded)
    #expect(providers.requests.last?.input == ["v": .null])
  }

  // MARK: - now()

  @Test func nowIsWhenTheStepBeganAlsoAfterARestart() async throws {
    let time = JumpingTime(jump: 1)
    let start = time.now
    let now = try input("{{ now() }}")
    let plan = Plan.plan([quick("a", input: now), .step("b", effect: .read, input: now, needs: [0])])
    let queue = try MemoryQueue()
    let providers = ScriptedProviders()
    let engine = RunEngine(queue: queue, providers: providers, time: time, random: { 0.5 })
    let watcher = Watcher { end in if end.step == 0 { time.pass(60) } }
    _ = try await engine.run(plan, RunRequest(id: run), observer: watcher)
    let expected: [Value] = [["v": .timestamp(start)], ["v": .timestamp(start.adding(seconds: 60))]]
    #expect(providers.requests.map(\.input) == expected)
    // Left in the second step.
    let begun = try #require(
      queue.entries.firstIndex { if case .stepStarted(_, 1, _, _) = $0 { true } else { false } })
    let left = try await MemoryQueue(Array(queue.entries.prefix(begun + 1)))
    time.pass(3600)
    let again = ScriptedProviders()
    _ = try await RunEngine(queue: left, providers: again, time: time, random: { 0.5 })
      .resume(plan, left.snapshot(of: run))
    #expect(again.requests.last?.input == expected[1])
  }

  // MARK: - Outputs

  private func giving(_ source: String, _ steps: [PlanStep]) throws -> Plan {
    var plan = Plan.plan(steps)
    let template = try Template(source, in: Environment(variables: ["steps": .dynamic]))
    plan.outputs = [(name: "v", value: .template(template))]
    return plan
  }

  @Test func outputsThatCannotBeEvaluatedFailTheRunAndUndoNothing() async throws {
    var tell = PlanStep.step("tell", needs: [0])
    tell.phase = .onFailure
    let plan = try giving(
      "{{ 1 / steps.pay.output.n }}",
      [
        .step("pay", effect: .once), .undo("refund", of: 0, needs: [0]), tell.needing([0, 1]),
        .last("end", needs: [0, 1, 2]),
      ])
    let providers = ScriptedProviders(["pay": [.output(["n": 0])]])
    let result = try await result(plan, providers)
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .outputs)
    #expect(providers.requests.map(\.step) == ["pay", "end"])
  }

  @Test func outputsOfAnotherRecipeThatCannotBeEvaluatedUndoNothingEither() async throws {
    let child = try giving("{{ 1 / steps.charge.output.n }}", [.step("charge", effect: .once)])
    let plan = Plan.plan([
      .step("pay", effect: .once), .child("call", child, needs: [0]), .step("after", needs: [1]),
      .undo("refund", of: 0, needs: [0, 1, 2]),
    ])
    let providers = ScriptedProviders(["charge": [.output(["n": 0])]])
    let result = try await result(plan, providers)
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .outputs)
    #expect(providers.requests.map(\.step) == ["pay", "charge"])
  }

  @Test(arguments: ["a", "end"]) func outputsMaySpeakOfTheLastSteps(step: String) async throws {
    let plan = try giving("{{ steps.\(step).output.n }}", [.step("a"), .last("end", needs: [0])])
    let providers = ScriptedProviders(["a": [.output(["n": 1])], "end": [.output(["n": 1])]])
    #expect(try await result(plan, providers).outputs == ["v": .int(1)])
  }
}
