public import Expressions
public import Plans

extension BoundValue {
  /// Evaluates all expressions in the value.
  ///
  /// - Throws: ``Expressions/ExpressionError`` of the first one that fails.
  public func evaluate(_ bindings: Bindings) throws(ExpressionError) -> Value {
    switch self {
    case .literal(let value):
      return value
    case .template(let template):
      do throws(ExpressionError) {
        return try template.render(bindings)
      } catch {
        throw error.explained(by: template.references, template.source, bindings)
      }
    case .list(let elements):
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try element.evaluate(bindings)) }
      return .list(values)
    case .map(let entries):
      var map = ValueMap()
      for (name, value) in entries { map[name] = try value.evaluate(bindings) }
      return .map(map)
    }
  }
}
