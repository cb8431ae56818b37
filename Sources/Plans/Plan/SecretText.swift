/// A text of a recipe or of `sous.yaml` with secrets in it: `https://example.com/{{ secrets.TOKEN }}`.
public struct SecretText: Sendable, Hashable {
  /// A piece of the text.
  public enum Part: Sendable, Hashable {
    /// Text as it is written. `base` is its first byte in the whole text.
    case text(String, base: Int)
    /// The name of a secret.
    case secret(String)
  }

  /// The pieces, in order.
  public var parts: [Part]

  /// The text that is the value of one secret.
  package init(secret name: String) { parts = [.secret(name)] }

  /// Finds the `{{ secrets.NAME }}` of a text. Other `{{ }}` stay text.
  package init(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    var pending = rest.startIndex
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      let inner = rest[open.upperBound..<close.lowerBound].filter { $0 != " " }
      if inner.hasPrefix("secrets."), case let name = String(inner.dropFirst("secrets.".count)), Self.isName(name) {
        add(text[pending..<open.lowerBound])
        parts.append(.secret(name))
        pending = close.upperBound
      }
      rest = text[close.upperBound...]
    }
    add(text[pending...])
    self.parts = parts

    func add(_ part: Substring) {
      guard !part.isEmpty else { return }
      parts.append(.text(String(part), base: text[..<part.startIndex].utf8.count))
    }
  }

  /// The names of the secrets.
  public var secretNames: [String] {
    parts.compactMap { if case .secret(let name) = $0 { name } else { nil } }
  }

  /// The text before the first secret.
  public var beginning: String {
    guard case .text(let text, _)? = parts.first else { return "" }
    return text
  }

  /// The text with the values of its secrets.
  public func filled(_ value: (String) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text, _): text
      case .secret(let name): value(name)
      }
    }.joined()
  }

  /// Whether a text can name a secret.
  package static func isName(_ text: String) -> Bool {
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
