import Expressions
import Localization
import Plans
import RecipeModel

/// The lists that the loops of a recorded run go through. They are not recorded, but follow from what is.
struct LoopLists {
  /// By the step's position; only of the recipe's own line, and of loops that have begun.
  let items: [Int: [Value]]

  /// Evaluates the lists.
  ///
  /// - Parameters:
  ///   - plan: What the run runs.
  ///   - snapshot: How far it has come.
  init(_ plan: Plan, _ snapshot: RunSnapshot) throws(ExpressionError) {
    var values = try RunValues(plan: plan, request: snapshot.start.request, now: snapshot.start.at)
    var items: [Int: [Value]] = [:]
    var isDone = [Bool](repeating: false, count: plan.steps.count)
    var isOpen = true
    while isOpen {
      isOpen = false
      for (index, step) in plan.steps.enumerated() where !isDone[index] && snapshot.steps.indices.contains(index) {
        // What has its turn after a failure, or at the end, speaks of that too; nothing is taken over from it.
        guard step.phase == .main else { continue }
        let recorded = snapshot.steps[index]
        let isReady = step.needs.allSatisfy { !isDone.indices.contains($0) || isDone[$0] }
        guard recorded.status != .pending, isReady, items[index] == nil else { continue }
        if recorded.itemCount != nil { items[index] = try values.items(of: step, at: recorded.startedAt) }
        guard recorded.status != .running else { continue }
        values.finish(step.id, recorded, items: items[index])
        isDone[index] = true
        isOpen = true
      }
    }
    self.items = items
  }
}

extension RunValues {
  /// What a step with a loop goes through.
  ///
  /// - Parameter began: When the step began.
  func items(of step: PlanStep, at began: Timestamp?) throws(ExpressionError) -> [Value] {
    guard let loop = step.loop else { return [] }
    switch try loop.items.evaluate(bindings(beforeItemsOf: step, at: began)) {
    case .map(let lists) where loop.isMatrix: return try Matrix.combinations(of: lists)
    case .list(let elements): return elements
    case .map(let map): return map.entries.map { .map(["key": $0.key.value, "value": $0.value]) }
    case .null: return []
    default:
      throw ExpressionError(
        .wrongType, .init("'for_each' must give a list or a map", de: "'for_each' muss eine Liste oder Map ergeben"))
    }
  }

  /// Makes the recorded end of a step visible to later ones.
  fileprivate mutating func finish(_ id: String, _ recorded: StepSnapshot, items: [Value]?) {
    var outcomes: [Int: UnitOutcome] = [:]
    for unit in recorded.units {
      outcomes[unit.item ?? 0] = unit.progress.outcome
    }
    let records = items.map { items in
      items.indices.map { RunValues.item(index: $0, value: items[$0], outcome: outcomes[$0]) }
    }
    let output =
      items.map { .list($0.indices.compactMap { outcomes[$0]?.output }) } ?? recorded.units.first?.output ?? .null
    finish(id, status: recorded.status, output: output, items: records, failure: recorded.failure)
  }
}

extension MapKey {
  /// The key as a value of its own.
  fileprivate var value: Value {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .string(let value): .string(value)
    }
  }
}
