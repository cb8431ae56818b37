internal import Localization

/// The common part of an ``Expression`` and the expressions of a ``Template``.
struct CompiledExpression: Sendable {
  let node: any Evaluable
  let slotCount: Int
  /// How deep the nodes nest.
  let depth: Int
  /// How many levels the expression can put round the values it is given; see ``NestingBound``.
  private let addedLevels: Int
  let type: ValueType
  /// The parts that fail in each evaluation that reaches them, as their operands are constants: `duration('soon')`.
  let constantFailures: [ExpressionError]
  private let origin: Origin

  /// The types of the parts; empty if types are not checked.
  var types: [TypedRange] { origin.types }
  var references: [Reference] { origin.references }

  /// The expression as others may look at it.
  var tree: ExpressionTree {
    var builder = ExpressionTreeBuilder(origin.environment, types: origin.types)
    return builder.tree(origin.syntax)
  }

  /// Data that evaluation does not need: one reference, so that a copy of the expression stays cheap.
  private final class Origin: Sendable {
    let syntax: SyntaxNode
    let environment: Environment
    let types: [TypedRange]
    let references: [Reference]

    init(_ syntax: SyntaxNode, _ environment: Environment, types: [TypedRange]) {
      self.syntax = syntax
      self.environment = environment
      self.types = types
      references = ReferenceCollector.references(in: syntax, environment)
    }
  }

  /// Checks and compiles a parsed expression.
  init(_ written: SyntaxNode, in environment: Environment) throws(ExpressionErrors) {
    let syntax = environment.spelling.map { written.spelled($0) } ?? written
    var types: [TypedRange] = []
    if environment.checksTypes {
      let checked = TypeChecker.check(syntax, in: environment)
      if !checked.problems.isEmpty { throw ExpressionErrors(checked.problems) }
      type = checked.type
      types = checked.types
    } else {
      type = .dynamic
    }
    addedLevels = NestingBound.levels(syntax)
    guard addedLevels <= NestingBound.maximum else {
      throw ExpressionErrors([
        ExpressionError(
          .limit,
          LocalizedText(
            "what this expression builds may nest \(addedLevels) levels deep, \(NestingBound.maximum) are allowed",
            de: "Was dieser Ausdruck baut, kann \(addedLevels) Ebenen tief sein, erlaubt sind \(NestingBound.maximum)"),
          range: syntax.range)
      ])
    }
    (node, slotCount, constantFailures) = Compiler.compile(syntax, in: environment)
    depth = syntax.depth
    origin = Origin(syntax, environment, types: types)
  }

  /// Evaluates the expression within its own limits.
  func evaluate(_ bindings: Bindings, limits: EvaluationLimits) throws(ExpressionError) -> Value {
    var cost = limits.cost
    return try evaluate(bindings, cost: &cost, limits: limits)
  }

  /// Evaluates the expression; its cost is subtracted from `cost`.
  func evaluate(
    _ bindings: Bindings, cost: inout Int, limits: EvaluationLimits
  ) throws(ExpressionError) -> Value {
    let limit = limits.depth
    guard depth <= limit else {
      throw ExpressionError(
        .limit,
        LocalizedText(
          "this expression nests \(depth) levels deep, \(limit) are allowed",
          de: "Dieser Ausdruck ist \(depth) Ebenen tief, erlaubt sind \(limit)"))
    }
    var frame = Frame(bindings, slotCount: slotCount, limits: EvaluationLimits(cost: cost, depth: limit))
    do throws(Fault) {
      let value = try node.evaluate(&frame)
      cost = frame.remainingCost
      // Values that go from one expression to the next must not grow without bound.
      if addedLevels > 0, !value.nests(within: limit) { throw Fault.tooDeep }
      guard value.writtenSize(upTo: limits.size) <= limits.size else { throw Fault.tooLarge }
      return value
    } catch {
      throw error.error
    }
  }
}
