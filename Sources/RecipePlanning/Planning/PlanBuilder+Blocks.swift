import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// Lowers blocks. A block runs as a run of its own, like the recipe that a step runs. Its inputs are the steps and variables
/// around it that its expressions use: the run log keeps them, and an interrupted block resumes with the same values.
extension PlanBuilder {
  /// The recipe of a block: the steps of the block, with the settings of the recipe around it.
  static func recipe(ofBlock steps: [Recipe.Step], in outer: Recipe) -> Recipe {
    var recipe = outer
    recipe.steps = steps
    recipe.keywords = []
    recipe.outputs = []
    recipe.triggers = []
    recipe.concurrency = nil
    recipe.timeout = nil
    recipe.budget = nil
    recipe.onFailure = nil
    recipe.defaults = []
    return recipe
  }

  /// The type of a block's output: the outputs of its steps by their ids.
  func blockType(_ id: String) -> ValueType {
    var fields: [String: ValueType] = [:]
    for position in resultSteps {
      guard case .object(let type)? = compiler.stepTypes[position] else { continue }
      let step = recipe.steps[position]
      // The output of a step that was skipped, or has failed and may, is null.
      let isCertain = step.condition == nil && step.madeCondition == nil && step.onError == .fail
      fields[step.id.value] = isCertain ? type.fields["output"]?.jsonForm : .dynamic
    }
    return .object(ObjectType(name: PlanVariables.outputName(id), fields: fields))
  }

  /// The outputs of a block: those of its steps by their ids.
  var blockOutputs: [(name: String, value: BoundValue)] {
    resultSteps.compactMap { position in
      let id = recipe.steps[position].id.value
      return Self.template("steps.\(id).output", of: "steps").map { (id, $0) }
    }
  }

  /// The steps whose outputs a block gives back: those that its author has written.
  private var resultSteps: [Int] {
    recipe.steps.indices.filter { recipe.steps[$0].phase == .main && !recipe.steps[$0].isImplied }
  }

  /// Lowers the block of a step.
  ///
  /// - Parameters:
  ///   - scope: The variables of the step's own expressions; for a loop with the item.
  /// - Returns: Its plan and what it is given; `nil` after a problem was reported.
  func block(_ position: Int, _ scope: Scope) -> (plan: Plan, input: BoundValue)? {
    guard let builder = blocks[position] else { return nil }
    let id = recipe.steps[position].id.value
    let plan = builder.build(in: scope, of: compiler)
    compiler.stepTypes[position] = stepType(position, output: builder.blockType(id))
    sources.merge(builder.sources) { own, _ in own }
    guard var plan else { return nil }
    plan.block = id
    plan.source = nil
    note(childFingerprint: plan.fingerprint)
    let used = builder.compiler.used
    compiler.used.formUnion(used.variables, steps: [])
    var entries: [(name: String, value: BoundValue)] = []
    for name in used.variables.sorted() where scope.variables[name] != nil && name != "steps" {
      guard let value = Self.template(name, of: name) else { continue }
      entries.append((name, value))
    }
    let steps = used.steps.sorted().compactMap { id in
      Self.template("steps.\(id)", of: "steps").map { (name: id, value: $0) }
    }
    if !steps.isEmpty { entries.append(("steps", .map(steps))) }
    plan.inputs = entries.map { Plan.Input(name: $0.name, schema: .anything, isRequired: false) }
    return (plan, .map(entries))
  }

  /// A value that an expression makes, which is known to be sound.
  private static func template(_ expression: String, of variable: String) -> BoundValue? {
    let environment = Environment(variables: [variable: .dynamic], keywords: [])
    return (try? Template("{{ \(expression) }}", in: environment)).map { .template($0) }
  }
}

extension ExpressionCompiler {
  /// The names around a block that its expressions use.
  struct Used {
    var variables: Set<String> = []
    /// Steps around the block, by their ids.
    var steps: Set<String> = []

    mutating func formUnion(_ variables: Set<String>, steps: Set<String>) {
      self.variables.formUnion(variables)
      self.steps.formUnion(steps)
    }
  }

  /// The steps around a block.
  struct Surroundings {
    let compiler: ExpressionCompiler
    let scope: Scope
  }

  /// The type of a step around the block that an expression may refer to.
  func outerStep(
    _ reference: ExpressionScan.Reference, _ text: PlacedText, _ names: [String]
  ) -> ValueType? {
    guard let around else { return nil }
    used.steps.insert(reference.name)
    return around.compiler.type(ofStep: reference, text, around.scope, names: names + stepNames)?.jsonForm
  }
}

/// The steps that steps of branches wait for.
struct BranchNeeds {
  private let recipe: Recipe
  private let positions: [String: Int]
  /// The last step of each line that is not the recipe's own, by the decision that it begins with.
  private var last: [Int: Int] = [:]

  init(_ recipe: Recipe) {
    self.recipe = recipe
    positions = Dictionary(recipe.steps.enumerated().map { ($1.id.value, $0) }) { first, _ in first }
  }

  /// The steps that a step without `needs` waits for; `nil` for a step of the recipe's line.
  ///
  /// The branches of a decision that names its needs are a line of their own.
  mutating func line(_ position: Int) -> [Int]? {
    guard let start = decisions(around: position).first(where: { recipe.steps[$0].needs != nil }) else { return nil }
    defer { last[start] = position }
    return [last[start] ?? start]
  }

  /// The steps that a step with `needs` waits for: those it names, the decision about its branch, and all branches of a decision
  /// that it names.
  func complete(_ needs: [Int], of position: Int) -> [Int] {
    let around = decisions(around: position)
    var all = Set(needs)
    if let decision = around.first { all.insert(decision) }
    for need in needs where !around.contains(need) {
      all.formUnion(
        recipe.steps.indices.filter { recipe.steps[$0].phase == .main && decisions(around: $0).contains(need) })
    }
    return all.sorted()
  }

  /// The decisions whose branches a step belongs to, the innermost first.
  private func decisions(around position: Int) -> [Int] {
    var found: [Int] = []
    var next = recipe.steps[position].decision
    while let id = next, let decision = positions[id], !found.contains(decision) {
      found.append(decision)
      next = recipe.steps[decision].decision
    }
    return found
  }
}
