import Engine
import Expressions
import Localization
import Plans
import RecipeSyntax
import RunStore
import Schemas
import Synchronization

/// Runs of one recipe on a run log of their own, on the disk.
struct Workload {
  /// The recipe.
  let plan: Plan

  /// A recipe of so many steps in a line, of which each uses what the one before has given.
  static func line(of steps: Int, _ effect: Effect) throws -> Workload {
    let environment = Environment(variables: ["steps": .dynamic, "item": .dynamic])
    var list: [PlanStep] = []
    for index in 0..<steps {
      let text: BoundValue =
        index == 0
        ? .literal(.string("Hello, world"))
        : .template(try Template("{{ steps.s\(index - 1).output.text }}", in: environment))
      list.append(step("s\(index)", effect, .map([(name: "text", value: text)]), needs: index == 0 ? [] : [index - 1]))
    }
    return Workload(plan: plan(list))
  }

  /// A recipe of one step that goes through a list.
  static func loop(over count: Int, _ effect: Effect, parallel: Int) throws -> Workload {
    let environment = Environment(variables: ["steps": .dynamic, "item": .dynamic])
    let input = BoundValue.map([(name: "text", value: .template(try Template("Item {{ item }}", in: environment)))])
    var step = step("each", effect, input, needs: [])
    step.loop = PlanStep.Loop(
      items: .literal(.list((0..<Int64(count)).map { .int($0) })), parallel: parallel)
    return Workload(plan: plan([step]))
  }

  private static func step(_ id: String, _ effect: Effect, _ input: BoundValue, needs: [Int]) -> PlanStep {
    let origin = SourceRange.Position(line: 1, column: 1, offset: 0)
    let isBuiltin = effect == .pure
    return PlanStep(
      id: id,
      action: ActionSignature(
        name: "benchmark.\(effect.rawValue)",
        summary: LocalizedText("Gives its input back", de: "Gibt die Eingabe zurück"),
        effect: effect,
        input: Schema(document: ["type": "object", "properties": ["text": ["type": "string"]], "required": ["text"]]),
        output: Schema(document: ["type": "object"]), isBuiltin: isBuiltin),
      providers: isBuiltin ? [] : ["main"], input: input, needs: needs,
      range: SourceRange(start: origin, end: origin))
  }

  private static func plan(_ steps: [PlanStep]) -> Plan {
    Plan(name: "benchmark", path: "benchmark.yaml", fingerprint: "0", steps: steps)
  }

  /// Works so many runs, so many of them at once.
  ///
  /// - Returns: What it took, from the first step until everything is on the disk.
  func measure(_ runs: Int, parallel: Int, in folder: String) async throws -> Measurement {
    let store = try RunStore(path: folder + "/runs.db", time: SystemTime())
    var options = RunEngine.Options()
    options.cache = store
    options.breakers = BreakerBoard()
    let engine = RunEngine(queue: store, providers: Providers(), time: SystemTime(), options: options)
    let next = Counter(runs)
    let begin = Measurement.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<parallel {
        group.addTask {
          while next.take() {
            var random = SystemRandomNumberGenerator()
            let request = RunRequest(id: RunID(at: SystemTime().now, using: &random))
            let result = try await engine.run(plan, request)
            guard result.status == .succeeded else {
              throw RawCommits.Failure(description: "a run ended as \(result.status)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await store.flush(.synced)
    let end = Measurement.now
    try await store.close()
    let units = plan.steps.first?.loop == nil ? plan.steps.count : loopCount
    return Measurement(from: begin, to: end, steps: runs * units)
  }

  private var loopCount: Int {
    guard case .literal(.list(let items)) = plan.steps.first?.loop?.items else { return 0 }
    return items.count
  }
}

/// Hands numbers out until there are no more.
private final class Counter: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  func take() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}

/// Actions that answer their input at once.
struct Providers: ProviderDirectory, StepProvider {
  var builtins: any StepProvider { self }

  func provider(named name: String) async throws(ActionFailure) -> any StepProvider { self }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    request.input
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .unknown
  }
}
