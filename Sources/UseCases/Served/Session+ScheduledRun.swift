package import Engine
package import Expressions
import Recipes

extension Session {
  /// The run of a point of a schedule: the same one whoever begins it.
  package func start(
    of recipe: ServedRecipe, _ served: ServedRecipe.ServedSchedule, at point: Timestamp, isCaughtUp: Bool,
    now: Timestamp
  ) throws(EngineError) -> RunStart {
    var facts: ValueMap = [
      "type": "schedule", "at": .string(point.adding(seconds: served.lead).rfc3339),
      "late_seconds": .double(max(0, now.seconds(since: point))), "caught_up": .bool(isCaughtUp),
    ]
    if served.lead > 0 { facts["lead_seconds"] = .double(served.lead) }
    let jitter = served.machine.delay(of: served.source)
    if jitter > 0 { facts["jitter_seconds"] = .double(jitter) }
    let event = Value.map(facts)
    var inputs = recipe.defaults
    if let position = served.trigger, recipe.scheduleTriggers.indices.contains(position) {
      inputs = try recipe.plan.inputs(of: recipe.scheduleTriggers[position], event: event, at: now) ?? inputs
    }
    let request = RunRequest(
      id: RunID(at: point, of: "\(served.source)\n\(point.rfc3339Milliseconds)"), inputs: inputs, trigger: "schedule",
      event: event)
    return try start(of: recipe.plan, request)
  }
}
