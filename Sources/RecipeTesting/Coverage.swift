import Engine
import Plans
import RecipeModel

/// Which steps and branches of a recipe its tests have gone through.
public struct Coverage: Sendable {
  /// The ways a step can go.
  public enum Branch: String, Sendable, CaseIterable {
    /// The step ran.
    case ran
    /// Its condition was true.
    case whenTrue = "when_true"
    /// Its condition was false.
    case whenFalse = "when_false"
    /// Its loop had items.
    case items
    /// Its loop had none.
    case noItems = "no_items"
    /// It failed for good.
    case failed
  }

  /// One step.
  public struct Step: Sendable {
    /// The step's name; of a step in a block `BLOCK.STEP`.
    public var id: String
    /// The ways it has.
    public var branches: [Branch]
    /// Those that some test went.
    public var covered: Set<Branch> = []
  }

  /// The recipe's path.
  public var recipe: String
  /// The steps in source order.
  public var steps: [Step]

  init(recipe: String, plan: Plan) {
    self.recipe = recipe
    steps = Self.steps(of: plan, "")
  }

  private static func steps(of plan: Plan, _ prefix: String) -> [Step] {
    plan.steps.flatMap { step in
      var branches = [Branch.ran]
      if step.condition != nil { branches += [.whenTrue, .whenFalse] }
      if step.loop != nil { branches += [.items, .noItems] }
      // An action that only computes fails on wrong values alone, which are found before the run.
      if step.action.effect != .pure { branches.append(.failed) }
      let id = prefix + step.id
      return [Step(id: id, branches: branches)] + (step.blockPlan.map { steps(of: $0, id + ".") } ?? [])
    }
  }

  /// How many ways there are.
  public var total: Int { steps.reduce(0) { $0 + $1.branches.count } }
  /// How many of them were gone.
  public var coveredCount: Int { steps.reduce(0) { $0 + $1.covered.intersection($1.branches).count } }
  /// The share in percent; 100 where there is nothing to go.
  public var percent: Double { total == 0 ? 100 : Double(coveredCount) * 100 / Double(total) }

  /// Adds the course of a run of a plan.
  ///
  /// - Parameter prefix: The beginning of the names of its steps.
  mutating func add(_ facts: RunFacts, of plan: Plan, _ prefix: String = "") {
    for (step, fact) in zip(plan.steps, facts.steps) {
      guard let position = steps.firstIndex(where: { $0.id == prefix + step.id }) else { continue }
      var covered: Set<Branch> = []
      if !fact.attempts.isEmpty { covered.insert(.ran) }
      if fact.hasBegun { covered.insert(.whenTrue) }
      if fact.wasLeftOut { covered.insert(.whenFalse) }
      if let count = fact.itemCount { covered.insert(count > 0 ? .items : .noItems) }
      let hasGivenUp = fact.attempts.contains { $0.end.failure != nil && $0.end.retryDelay == nil }
      if fact.status == .failed || hasGivenUp { covered.insert(.failed) }
      steps[position].covered.formUnion(covered)
    }
    for (position, parts) in facts.parts where plan.steps.indices.contains(position) {
      guard let block = plan.steps[position].blockPlan else { continue }
      for part in parts { add(part.facts, of: block, prefix + plan.steps[position].id + ".") }
    }
  }
}

extension PlanStep {
  /// The plan of its block; `nil` for a step that runs another recipe, which has tests of its own.
  fileprivate var blockPlan: Plan? { child.flatMap { $0.block == nil ? nil : $0 } }
}
