import Expressions

/// The `pattern` of a schema, matched in linear time by the expression language's own `matches` (RE2 syntax).
enum SchemaPattern {
  private static let expression: Expression? = {
    let environment = Environment(variables: ["text": .string, "pattern": .string])
    return try? Expression("text.matches(pattern)", in: environment)
  }()

  /// Whether a pattern is found in a text.
  static func matches(_ text: String, _ pattern: String) -> Bool {
    evaluate(text, pattern) ?? false
  }

  /// Whether a pattern can be compiled.
  static func isValid(_ pattern: String) -> Bool {
    evaluate("", pattern) != nil
  }

  private static func evaluate(_ text: String, _ pattern: String) -> Bool? {
    guard let expression else { return nil }
    let bindings = Bindings(variables: ["text": .string(text), "pattern": .string(pattern)])
    let limits = EvaluationLimits(cost: 100_000_000, depth: EvaluationLimits.standard.depth)
    guard case .bool(let answer)? = try? expression.evaluate(bindings, limits: limits) else { return nil }
    return answer
  }
}
