import Engine
import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// Makes recipes at random: lines and graphs, loops, conditions, waits, recipes within recipes, steps that undo, deal
/// with failures and run at the end.
struct RecipeMaker {
  private var chance: Chance
  /// About how long waits last, in seconds.
  let scale: Double
  /// Whether runs have deadlines and steps have budgets.
  let hasDeadlines: Bool
  /// How many runs of the concurrency group work at a time: the same for all recipes of a simulation.
  let places: Int

  private static let position = SourceRange.Position(line: 1, column: 1, offset: 0)
  private static let environment = Environment(
    variables: ["steps": .dynamic, "item": .dynamic, "run": .dynamic, "inputs": .dynamic])

  init(seed: UInt64, name: String, scale: Double, hasDeadlines: Bool) {
    chance = Chance(seed, "recipe \(name)")
    self.scale = scale
    self.hasDeadlines = hasDeadlines
    places = Int(seed % 3) + 1
  }

  /// Makes a recipe and those that it runs.
  mutating func plan(_ name: String, depth: Int = 0) throws -> Plan {
    let isGraph = chance.happens(0.5)
    var steps: [PlanStep] = []
    let count = depth == 0 ? chance.within(2...6) : chance.within(1...3)
    for index in 0..<count {
      var needs: [Int] = index == 0 ? [] : [index - 1]
      if isGraph, index > 0 {
        needs = (0..<index).filter { _ in chance.happens(0.4) }
      }
      steps.append(try step(index, of: name, needs: needs, steps, depth: depth))
    }
    let main = Array(0..<count)
    var undo: [Int] = []
    for target in main.reversed() where steps[target].child == nil && !steps[target].action.isWait {
      guard chance.happens(0.3) else { continue }
      var step = try action("u\(target)", "idempotent", input: reference(to: target))
      step.phase = .undo(of: target)
      step.needs = main + undo
      undo.append(steps.count)
      steps.append(step)
    }
    if chance.happens(0.3) {
      var step = try action("f", "once", input: nil)
      step.phase = .onFailure
      step.needs = main + undo
      steps.append(step)
    }
    if chance.happens(0.4) {
      let needs = Array(steps.indices)
      var step =
        chance.happens(0.2)
        ? wait("z", .sleep, ["for": .double(duration())]) : try action("z", "idempotent", input: nil)
      step.phase = .finally
      step.needs = needs
      steps.append(step)
    }
    var outputs: [(name: String, value: BoundValue)] = []
    for step in main where steps[step].action.name != "sleep" { outputs.append(("s\(step)", try reference(to: step))) }
    var plan = Plan(name: name, path: "\(name).yaml", fingerprint: name, steps: steps, outputs: outputs)
    plan.priority = chance.within(0...2)
    if hasDeadlines, depth == 0, chance.happens(0.3) { plan.timeout = 20 + chance.within(1...100) / 100 * scale }
    if depth == 0, chance.happens(0.2) {
      plan.concurrency = .init(group: .literal(.string("g")), policy: .queue, max: places)
    }
    return plan
  }

  private mutating func step(
    _ index: Int, of name: String, needs: [Int], _ steps: [PlanStep], depth: Int
  ) throws -> PlanStep {
    let id = "s\(index)"
    var step: PlanStep
    let kind = chance.fraction()
    if kind < 0.13 {
      step = wait(id, .sleep, ["for": .double(duration())])
    } else if kind < 0.18, depth == 0 {
      let run = try Template("{{ run.id }}", in: Self.environment)
      step = wait(id, .waitFor, .null)
      step.input = .map([("event", .literal(.string(id))), ("key", .template(run))])
    } else if kind < 0.23, depth == 0 {
      step = wait(id, .approve, ["message": "Go on?"])
    } else if kind < 0.33, depth < 2 {
      step = try action(id, "pure", input: nil)
      step.action = .recipe
      step.input = .literal(.map([:]))
      if !chance.happens(0.15) { step.timeout = nil }
      step.child = try plan("\(name)-\(id)", depth: depth + 1)
      if chance.happens(0.2) { try loop(&step, false) }
    } else {
      let effect = chance.one(of: ["pure", "read", "idempotent", "idempotent", "once", "once"])
      let last = needs.last { steps[$0].action.name != "sleep" }
      step = try action(id, effect, input: last.map { try reference(to: $0) })
      if chance.happens(0.2) { try loop(&step, true) }
      if chance.happens(0.1), let last, steps[last].loop == nil, !steps[last].action.isWait, steps[last].child == nil {
        step.condition = try Expression(
          "steps.s\(last).output != null && steps.s\(last).output.n > 300", in: Self.environment)
      }
    }
    step.needs = needs
    if chance.happens(0.25) { step.onError = .continue }
    return step
  }

  private mutating func loop(_ step: inout PlanStep, _ hasItem: Bool) throws {
    let count = chance.within(1...4)
    step.loop = .init(
      items: .literal(.list((0..<count).map { .int(Int64($0)) })), parallel: chance.one(of: [1, 1, 2, 3]))
    guard hasItem else { return }
    step.input = .map([
      ("x", step.input), ("i", .template(try Template("{{ item }}", in: Self.environment))),
    ])
  }

  private mutating func action(_ id: String, _ effect: String, input: BoundValue?) throws -> PlanStep {
    let signature = ActionSignature(
      name: "sim.\(effect)", summary: LocalizedText(verbatim: effect), effect: Effect(rawValue: effect) ?? .once,
      isCostly: chance.happens(0.1), input: .anything, output: .anything)
    var policy = RetryPolicy(
      attempts: chance.within(3...5), backoff: chance.one(of: [0.1, 1, 8, 20]), factor: 2, maximum: 60,
      jitter: chance.one(of: [0, 0.2]))
    if hasDeadlines, id.hasPrefix("s"), chance.happens(0.4) { policy.within = chance.within(3.0...90.0) }
    var step = PlanStep(
      id: id, action: signature, providers: chance.happens(0.3) ? ["east", "west"] : ["east"],
      input: .map([("x", input ?? .literal(.null))]), retry: policy, timeout: chance.within(20.0...90.0),
      range: SourceRange(start: Self.position, end: Self.position))
    if signature.effect <= .read, chance.happens(0.3) { step.cache = .init(seconds: chance.one(of: [1, 60, scale])) }
    return step
  }

  private func wait(_ id: String, _ action: ActionSignature, _ input: Value) -> PlanStep {
    PlanStep(
      id: id, action: action, input: .literal(input),
      range: SourceRange(start: Self.position, end: Self.position))
  }

  private func reference(to step: Int) throws -> BoundValue {
    .template(try Template("{{ steps.s\(step).output }}", in: Self.environment))
  }

  private mutating func duration() -> Double {
    chance.happens(0.2) ? chance.within(0.1...3) : chance.within(1...100) / 100 * scale
  }
}
