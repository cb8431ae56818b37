public import Expressions
public import Plans

extension BoundValue {
  /// The value with its expressions as they were written, `{{ … }}` included.
  public var source: Value {
    switch self {
    case .literal(let value): return value
    case .template(let template): return .string(template.source)
    case .list(let elements): return .list(elements.map(\.source))
    case .map(let entries):
      var map = ValueMap()
      for (name, value) in entries { map[name] = value.source }
      return .map(map)
    }
  }
}
