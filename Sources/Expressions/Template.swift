/// A text with `{{ … }}` in it, compiled.
///
/// `{{ … }}` holds a CEL expression or the bare name of a keyword. A text that is one single `{{ … }}` keeps the type
/// of its value; anything else renders to a string. `{{ "{{" }}` renders two braces.
public struct Template: Sendable {
  /// The text it was compiled from.
  public let source: String
  /// The type of the rendered value as far as it is known.
  public let resultType: ValueType

  /// Parses and checks a template.
  ///
  /// - Throws: ``ExpressionErrors`` with every problem; ranges are UTF-8 offsets into `source`.
  public init(_ source: String, in environment: Environment) throws(ExpressionErrors) {
    self.source = source
    self.resultType = .dynamic
  }

  /// Renders the template.
  ///
  /// - Throws: ``ExpressionError`` with the place in ``source`` that failed.
  public func render(_ bindings: Bindings, limits: EvaluationLimits = .standard) throws(ExpressionError) -> Value {
    .null
  }
}
