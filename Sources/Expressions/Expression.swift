/// A compiled CEL expression: parsed and checked once, evaluated many times.
public struct Expression: Sendable {
  /// The text it was compiled from.
  public let source: String
  let compiled: CompiledExpression

  /// The type of its value as far as it is known.
  public var resultType: ValueType { compiled.type }

  /// The names that it reads: variables and keywords with the fields it goes through, in source order.
  public var references: [Reference] { compiled.references }

  /// The parts that fail in each evaluation that reaches them, as their operands are constants: `duration('soon')`.
  public var constantFailures: [ExpressionError] { compiled.constantFailures }

  /// The type of the smallest part at a place, such as a field of a chain, with the place of that part.
  ///
  /// - Parameter offset: A UTF-8 offset into ``source``; the place behind the last letter of a name counts to the name.
  /// - Returns: `nil` if there is no part, and where types are not checked.
  public func type(at offset: Int) -> TypedRange? { compiled.types.smallest(at: offset) }

  /// Parses and checks an expression.
  ///
  /// - Throws: ``ExpressionErrors`` with every problem found.
  public init(_ source: String, in environment: Environment) throws(ExpressionErrors) {
    self.source = source
    let syntax: SyntaxNode
    do {
      let bytes = Array(source.utf8)
      syntax = try Parser.parse(bytes, range: bytes.indices)
    } catch {
      throw ExpressionErrors([error])
    }
    compiled = try CompiledExpression(syntax, in: environment)
  }

  /// Evaluates the expression.
  ///
  /// - Parameters:
  ///   - bindings: The values of the variables the environment declares.
  ///   - limits: How much work the evaluation may do.
  /// - Throws: ``ExpressionError`` with the place in ``source`` that failed.
  public func evaluate(_ bindings: Bindings, limits: EvaluationLimits = .standard) throws(ExpressionError) -> Value {
    try compiled.evaluate(bindings, limits: limits)
  }
}
