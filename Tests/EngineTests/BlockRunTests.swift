import Engine
import Expressions
import Plans
import Schemas
import Synchronization
import TestSupport
import Testing

/// Blocks: steps that run as a part of a run, with what is around them.
@Suite(.timeLimit(.minutes(5))) struct BlockRunTests {
  private let run = RunID(rawValue: "R")

  private func engine(_ queue: MemoryQueue, _ providers: ScriptedProviders, _ prefix: String) -> RunEngine {
    var options = RunEngine.Options()
    let numbers = Counter()
    options.newRun = { _ in RunID(rawValue: "\(prefix)\(numbers.next)") }
    return RunEngine(queue: queue, providers: providers, time: JumpingTime(), options: options)
  }

  private static func value(_ expression: String) -> BoundValue {
    let root = String(expression.prefix { $0 != "." })
    let template = try? Template("{{ \(expression) }}", in: Environment(variables: [root: .dynamic]))
    return template.map(BoundValue.template) ?? .literal(.null)
  }

  /// A step, and a block that runs twice what follows from the step.
  private static var plan: Plan {
    var block = Plan.plan([
      .step("one", effect: .once, input: .map([("item", value("item")), ("outer", value("steps.first.output.n"))])),
      .step("two", effect: .once, input: .map([("one", value("steps.one.output"))]), needs: [0]),
    ])
    block.block = "each"
    block.fingerprint = "1"
    block.inputs = ["item", "steps"].map { Plan.Input(name: $0, schema: .anything, isRequired: false) }
    block.outputs = [("two", value("steps.two.output"))]
    var each = PlanStep.child(
      "each", block, input: .map([("item", value("item")), ("steps", .map([("first", value("steps.first"))]))]),
      needs: [0])
    each.action = .block
    each.loop = PlanStep.Loop(items: .literal(["a", "b"]))
    var plan = Plan.plan([.step("first"), each, .step("last", effect: .once, needs: [1])])
    plan.outputs = [("all", value("steps.each.output"))]
    return plan
  }

  private func providers() -> ScriptedProviders {
    ScriptedProviders(
      ["first": [.output(["n": 7])], "one": [.echo("item"), .echo("item")], "two": [.echo("one"), .echo("one")]],
      verdicts: [.success(.done(output: ["item": "x", "one": "x"]))])
  }

  @Test func theStepsOfABlockSeeWhatIsAroundIt() async throws {
    let queue = try MemoryQueue()
    let providers = providers()
    let result = try await engine(queue, providers, "P").run(Self.plan, RunRequest(id: run))
    #expect(result.status == .succeeded)
    let inputs = providers.requests.filter { $0.step == "one" }.map(\.input)
    #expect(inputs == [["item": "a", "outer": 7], ["item": "b", "outer": 7]])
    #expect(result.outputs["all"]?.listValue?.count == 2)
  }

  @Test func aRunThatIsCutInABlockGoesOnInIt() async throws {
    let whole = try MemoryQueue()
    _ = try await engine(whole, providers(), "P").run(Self.plan, RunRequest(id: run))
    for count in whole.boundaries.dropLast() {
      let left = Array(whole.entries.prefix(count))
      let queue = try await MemoryQueue(left)
      let providers = providers()
      #expect(try await queue.claim(run, at: JumpingTime().now) == .claimed)
      let result = try await engine(queue, providers, "Q").resume(Self.plan, queue.snapshot(of: run))
      #expect(result.status == .succeeded, "cut after \(count)")
      let begun = left.compactMap {
        if case .attemptStarted(let start) = $0, start.kind != .recipe { start.key } else { nil }
      }
      let keys = Set(begun).union(providers.requests.map(\.key)).filter { !$0.hasPrefix("R.first") }
      // Two steps in each of two blocks, and the last: none is begun under two keys.
      #expect(keys.count == 5, "cut after \(count): \(keys)")
      #expect(
        Set(begun).isDisjoint(with: providers.requests.filter { $0.step != "first" }.map(\.key)), "cut after \(count)")
    }
  }
}

/// Counts up from 1.
private final class Counter: Sendable {
  private let count = Atomic(0)
  var next: Int { count.add(1, ordering: .relaxed).newValue }
}
