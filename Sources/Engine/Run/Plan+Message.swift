public import Expressions
public import Plans

extension Plan {
  /// What a step is given in a run in which no step has ended yet.
  ///
  /// - Parameters:
  ///   - step: A step of the plan.
  ///   - request: What the run starts from.
  ///   - now: When it begins.
  /// - Throws: `ExpressionError`, also where the input speaks of another step.
  public func input(of step: PlanStep, _ request: RunRequest, at now: Timestamp) throws(ExpressionError) -> Value {
    let values = try RunValues(plan: self, request: request, now: now)
    return try step.input.evaluate(values.bindings(for: step))
  }
}
