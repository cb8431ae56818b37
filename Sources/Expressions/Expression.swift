/// A compiled CEL expression: parsed and checked once, evaluated many times.
public struct Expression: Sendable {
  /// The text it was compiled from.
  public let source: String
  /// The type of its value as far as it is known.
  public let resultType: ValueType

  /// Parses and checks an expression.
  ///
  /// - Throws: ``ExpressionErrors`` with every problem found.
  public init(_ source: String, in environment: Environment) throws(ExpressionErrors) {
    self.source = source
    self.resultType = .dynamic
  }

  /// Evaluates the expression.
  ///
  /// - Parameters:
  ///   - bindings: The values of the variables the environment declares.
  ///   - limits: How much work the evaluation may do.
  /// - Throws: ``ExpressionError`` with the place in ``source`` that failed.
  public func evaluate(_ bindings: Bindings, limits: EvaluationLimits = .standard) throws(ExpressionError) -> Value {
    .null
  }
}
