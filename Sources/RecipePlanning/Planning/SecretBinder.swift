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
        guard Self.isName(text) else {
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
      guard case .string = scalar.value, let parts = Self.parts(of: scalar.text) else { return binder.bind(node) }
      var values: [BoundValue] = []
      for part in parts {
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

  private enum Part {
    case text(String, base: Int)
    case secret(String)
  }

  /// A text around its `{{ secrets.NAME }}`; `nil` if it has none.
  private static func parts(of text: String) -> [Part]? {
    var parts: [Part] = []
    var hasSecret = false
    var rest = text[...]
    var pending = rest.startIndex
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      let inner = rest[open.upperBound..<close.lowerBound].filter { $0 != " " }
      if inner.hasPrefix("secrets."), case let name = String(inner.dropFirst("secrets.".count)), isName(name) {
        add(text[pending..<open.lowerBound])
        parts.append(.secret(name))
        hasSecret = true
        pending = close.upperBound
      }
      rest = text[close.upperBound...]
    }
    guard hasSecret else { return nil }
    add(text[pending...])
    return parts

    func add(_ part: Substring) {
      guard !part.isEmpty else { return }
      parts.append(.text(String(part), base: text[..<part.startIndex].utf8.count))
    }
  }

  private static func isName(_ text: String) -> Bool {
    func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "_"): true
      default: false
      }
    }
    return !text.isEmpty && text.utf8.count <= 128 && text.utf8.first.map(isWord) ?? false
      && text.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }
}
