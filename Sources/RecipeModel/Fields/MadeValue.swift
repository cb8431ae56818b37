package import Expressions
package import RecipeSyntax

/// A value of a step that a recipe's kind implies and its text does not hold as such.
package indirect enum MadeValue: Sendable {
  /// A value that is written in the recipe.
  case node(Node)
  /// A value without expressions.
  case literal(Value)
  /// A text with `{{ … }}`, with the place that its problems are reported at.
  case text(PlacedText)
  /// A single expression for one text or a list of texts; what is known to be a text becomes a list of it.
  case oneOrMore(Node)
  /// A list, with the one in the recipe that it stands for.
  case list([MadeValue], Node)
  /// A map, with what it stands for.
  case map([(name: String, value: MadeValue)], Node)

  /// What is written in the recipe for it, if anything is.
  package var node: Node? {
    switch self {
    case .node(let node), .oneOrMore(let node): node
    case .text(let text): text.node
    case .list(_, let node), .map(_, let node): node
    default: nil
    }
  }
}
