import Expressions
import Localization
package import RecipeSyntax

/// Conditions: one expression, with or without `{{ }}` around the whole of it.
extension FieldReader {
  /// The expression of a condition, without braces; `nil` after a problem was reported.
  package func condition(_ node: Node, _ key: String) -> PlacedText? {
    if node.isInvalid { return nil }
    if let inner = conditionAfterDollar(node) {
      report(
        .invalidValue,
        LocalizedText(
          "'\(key)' is one expression without '$': leave out the '$' before '{{'",
          de: "'\(key)' ist ein einziger Ausdruck ohne '$': das '$' vor '{{' weglassen"),
        at: node.range)
      // Its other problems are reported together with this one.
      return inner
    }
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

  /// The expression of a condition in the form of GitHub Actions, `${{ … }}`; `nil` for other nodes.
  private func conditionAfterDollar(_ node: Node) -> PlacedText? {
    guard let text = node.string else { return nil }
    let space = text.utf8.prefix { $0 <= 0x20 }.count
    let rest = text.utf8.dropFirst(space)
    guard rest.starts(with: "${{".utf8) else { return nil }
    return PlacedText(
      text: String(decoding: rest.dropFirst(), as: UTF8.self), node: node, document: document, base: space + 1
    ).unwrapped
  }
}
