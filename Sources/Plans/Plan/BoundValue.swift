public import Expressions

/// A value of a recipe that may still hold `{{ … }}`.
public indirect enum BoundValue: Sendable {
  /// A value without any expression.
  case literal(Value)
  /// A text with expressions.
  case template(Template)
  /// A list of which some element holds an expression.
  case list([BoundValue])
  /// A map of which some value holds an expression; keys are literal.
  case map([(name: String, value: BoundValue)])
}

extension BoundValue {
  /// What its expressions speak of.
  public var references: [Reference] {
    switch self {
    case .literal: []
    case .template(let template): template.references
    case .list(let elements): elements.flatMap(\.references)
    case .map(let entries): entries.flatMap(\.value.references)
    }
  }

  /// The value of a name of a map.
  package func entry(_ name: String) -> BoundValue? {
    switch self {
    case .map(let entries): entries.first { $0.name == name }?.value
    case .literal(.map(let map)): map[name].map { .literal($0) }
    default: nil
    }
  }
}
