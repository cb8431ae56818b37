import Expressions
import Localization
package import RecipeSyntax

/// Conditions: one expression, with or without `{{ }}` around the whole of it.
extension FieldReader {
  /// The expression of a condition, without braces; `nil` after a problem was reported.
  package func condition(_ node: Node, _ key: String) -> PlacedText? {
    if node.isInvalid { return nil }
    if let text = condition(of: node) { return text }
    if node.string == nil {
      mismatch(node, key, wanted: LocalizedText("an expression", de: "ein Ausdruck"))
    } else {
      report(
        .invalidValue,
        LocalizedText(
          "'\(key)' is one expression, with or without '{{ }}' around the whole of it",
          de: "'\(key)' ist ein einziger Ausdruck, mit oder ohne '{{ }}' um das Ganze"),
        at: node.range)
    }
    return nil
  }

  /// The expression of a condition, without braces; `nil` if the node holds none. Reports nothing.
  func condition(of node: Node) -> PlacedText? {
    if case .bool(let value)? = node.scalar?.value {
      return PlacedText(text: value ? "true" : "false", node: node, document: document)
    }
    return node.string.flatMap { PlacedText(text: $0, node: node, document: document).unwrapped }
  }
}
