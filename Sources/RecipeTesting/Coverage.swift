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
    /// The step's name.
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
    steps = plan.steps.map { step in
      var branches = [Branch.ran]
      if step.condition != nil { branches += [.whenTrue, .whenFalse] }
      if step.loop != nil { branches += [.items, .noItems] }
      // An action that only computes fails on wrong values alone, which are found before the run.
      if step.action.effect != .pure { branches.append(.failed) }
      return Step(id: step.id, branches: branches)
    }
  }

  /// How many ways there are.
  public var total: Int { steps.reduce(0) { $0 + $1.branches.count } }
  /// How many of them were gone.
  public var coveredCount: Int { steps.reduce(0) { $0 + $1.covered.intersection($1.branches).count } }
  /// The share in percent; 100 where there is nothing to go.
  public var percent: Double { total == 0 ? 100 : Double(coveredCount) * 100 / Double(total) }

  mutating func add(_ facts: RunFacts) {
    for (position, fact) in facts.steps.enumerated() where steps.indices.contains(position) {
      var covered: Set<Branch> = []
      if !fact.attempts.isEmpty { covered.insert(.ran) }
      if fact.hasBegun { covered.insert(.whenTrue) }
      if fact.wasLeftOut { covered.insert(.whenFalse) }
      if let count = fact.itemCount { covered.insert(count > 0 ? .items : .noItems) }
      let hasGivenUp = fact.attempts.contains { $0.end.failure != nil && $0.end.retryDelay == nil }
      if fact.status == .failed || hasGivenUp { covered.insert(.failed) }
      steps[position].covered.formUnion(covered)
    }
  }
}
