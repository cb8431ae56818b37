import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

/// Binds the input of an action that takes secrets: `{ secret: NAME }`, and `{{ secrets.NAME }}` within a text.
///
/// Only what the recipe itself writes becomes a secret. The same words in an output or an event remain data, so that
/// nothing from outside can ask for a secret.
struct SecretBinder {
  let binder: ValueBinder

  /// The fields of an action whose values may be or hold secrets; empty for most actions.
  static func fields(of action: ActionSignature?) -> Set<String> {
    guard let action, action.isBuiltin else { return [] }
    if action.isProgram { return ["environment", "input"] }
    if action.name.hasPrefix("http.") { return ["url", "query", "headers", "body", "json", "form"] }
    return []
  }

  func bind(_ node: Node) -> ValueBinder.Bound {
    switch node.content {
    case .sequence(let elements): return .list(elements.map { bind($0) })
    case .mapping(let mapping):
      if mapping.entries.count == 1, let entry = mapping.entries.first, entry.name == "secret",
        let text = entry.value.scalar?.text
      {
        guard SecretText.isName(text) else {
          report(entry.value)
          return .unknown
        }
        return bound(to: .literal(.secretMark(text)), shape: .string(text))
      }
      return .map(
        mapping.entries.map { entry in
          binder.checkKey(entry)
          return (entry.name, bind(entry.value))
        })
    case .scalar(let scalar):
      guard case .string = scalar.value, case let text = SecretText(scalar.text), !text.secretNames.isEmpty else {
        return binder.bind(node)
      }
      var values: [BoundValue] = []
      for part in text.parts {
        switch part {
        case .secret(let name): values.append(.literal(.secretMark(name)))
        case .text(let text, let base):
          let placed = PlacedText(text: text, node: node, document: binder.compiler.reader.document, base: base)
          values.append(binder.bind(placed, literal: .string(text)).value)
        }
      }
      return bound(to: .list(values), shape: .string(""))
    case .invalid: return .unknown
    }
  }

  private func bound(to value: BoundValue, shape: Value) -> ValueBinder.Bound {
    // A map of bound values even if nothing in it is an expression: the shape has names where the value has marks.
    ValueBinder.Bound(value: .map([("secret", value)]), shape: .map(["secret": shape]))
  }

  private func report(_ node: Node) {
    binder.compiler.reader.report(
      .invalidName,
      LocalizedText(
        "the name of a secret is written as it is: letters, digits, '_', '-' and '.', without an expression",
        de: "der Name eines Geheimnisses steht, wie er ist: Buchstaben, Ziffern, '_', '-' und '.', ohne Ausdruck"),
      at: node.range)
  }
}
