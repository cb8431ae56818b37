public import Expressions
public import Plans
public import RecipeModel
import RecipeSyntax
import Schedules
import Schemas

/// What a plan will do, for people and for machines.
public struct PlanExplanation: Sendable {
  /// The plan.
  public let plan: Plan
  /// When the circuit breaker of a provider that keeps failing opens.
  public let breaker: EngineSettings.Breaker

  /// Explains a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - breaker: When the circuit breaker of a provider that keeps failing opens.
  public init(_ plan: Plan, breaker: EngineSettings.Breaker = EngineSettings.Breaker()) {
    self.plan = plan
    self.breaker = breaker
  }

  /// The plan as one value: names, triggers, steps with their retry schedules, outputs. Durations are seconds, values
  /// with expressions stand as they were written.
  public var value: Value {
    value(of: plan, depth: 0)
  }

  private func value(of plan: Plan, depth: Int) -> Value {
    .map([
      "name": .string(plan.name), "kind": .string(plan.kind), "path": .string(plan.path),
      "fingerprint": .string(plan.fingerprint), "description": plan.summary.map { .string($0) } ?? .null,
      "inputs": .list(
        plan.inputs.map { input in
          ["name": .string(input.name), "required": .bool(input.isRequired), "schema": input.schema.document]
        }),
      "keywords": Self.values(plan.keywords), "triggers": .list(plan.triggers.map(\.value)),
      "repeat": plan.repetition.map {
        [
          "every": .double($0.every), "until": .string($0.until.rawValue),
          "limit": $0.limit.map { .int(Int64($0)) } ?? .null,
        ]
      } ?? .null,
      "dispatch": plan.dispatch.map {
        [
          "at": $0.time.map { .string($0.rfc3339) } ?? .null, "timezone": $0.timezone.map { .string($0) } ?? .null,
          "phrase": $0.phrase.map { .string($0) } ?? .null, "undo_for": $0.undoFor.map { .double($0) } ?? .null,
        ]
      } ?? .null,
      "priority": .int(Int64(plan.priority)),
      "permissions": Self.words(plan.permissions),
      "timeout": plan.timeout.map { .double($0) } ?? .null,
      "concurrency": plan.concurrency.map(\.explanation) ?? .null,
      "steps": .list(plan.steps.map { value(of: $0, in: plan, depth: depth) }), "outputs": Self.values(plan.outputs),
    ])
  }

  private static func words(_ permissions: Set<Permission>?) -> Value {
    guard let permissions else { return .null }
    return .list(permissions.sorted().map { Value.string($0.rawValue) })
  }

  private func value(of step: PlanStep, in plan: Plan, depth: Int) -> Value {
    let retry: Value = [
      "attempts": .int(Int64(step.retry.attempts)), "pauses": .list(step.retry.pauses().map { .double($0) }),
      "jitter": .double(step.retry.jitter), "longest_wait": .double(step.retry.longestWait),
      "within": step.retry.within.map { .double($0) } ?? .null,
    ]
    let loop: Value =
      step.loop.map {
        ["items": $0.items.source, "as": .string($0.variable), "parallel": .int(Int64($0.parallel))]
      } ?? .null
    // Recipes do not recurse; the bound is for plans made by hand.
    let child = depth < 8 ? step.child.map { value(of: $0, depth: depth + 1) } : nil
    let isBlock = step.child?.block != nil
    let selection: Value = step.selection?.explanation ?? .null
    return .map([
      "id": .string(step.id), "title": step.title.map { .string($0) } ?? .null, "action": .string(step.action.name),
      "effect": .string(step.action.effect.rawValue), "costly": .bool(step.action.isCostly),
      "providers": .list(step.providers.map { .string($0) }),
      "demands": Self.words(step.demands),
      "needs": .list(
        step.needs.filter { plan.steps.indices.contains($0) }.map { .string(plan.steps[$0].id) }),
      "when": step.condition.map { .string($0.source) } ?? .null, "loop": loop,
      "input": isBlock ? .map([:]) : step.input.source,
      "keywords": Self.values(step.keywords), "retry": retry,
      "breaker": step.providers.isEmpty
        ? .null
        : [
          "failures": .int(Int64(breaker.failures)), "open": .double(breaker.openSeconds),
          "longest": .double(breaker.longestSeconds),
        ], "timeout": step.timeout.map { .double($0) } ?? .null,
      "on_error": .string(step.onError.rawValue), "finally": .bool(step.isFinally),
      "phase": .string(step.phase.name), "undo_of": Self.undone(step, in: plan), "waits": .bool(step.action.isWait),
      "cache": step.cache.map {
        ["key": $0.key?.source ?? .null, "for": .double($0.seconds)]
      } ?? .null,
      "selection": selection,
      "line": .int(Int64(step.range.start.line)),
      "recipe": isBlock ? .null : child ?? .null, "block": isBlock ? child?["steps"] ?? .null : .null,
    ])
  }

  /// The step that a step undoes.
  private static func undone(_ step: PlanStep, in plan: Plan) -> Value {
    guard case .undo(let target) = step.phase, plan.steps.indices.contains(target) else { return .null }
    return .string(plan.steps[target].id)
  }

  private static func values(_ entries: [(name: String, value: BoundValue)]) -> Value {
    var map = ValueMap()
    for (name, value) in entries { map[name] = value.source }
    return .map(map)
  }
}
