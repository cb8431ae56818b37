package import RecipeSyntax

/// A text of a scalar, or a part of it, that leads back to its place in the file.
package struct PlacedText {
  /// The text.
  package var text: String
  /// The scalar it comes from.
  package var node: Node
  /// The file the scalar stands in.
  package var document: YAMLDocument
  /// The UTF-8 offset of the text in the scalar's text; negative where something was put before it.
  package var base = 0

  package init(text: String, node: Node, document: YAMLDocument, base: Int = 0) {
    self.text = text
    self.node = node
    self.document = document
    self.base = base
  }

  /// The place of a part of the text.
  package func range(_ offsets: Range<Int>?) -> SourceRange {
    guard let offsets else { return document.range(of: max(base, 0)..<max(base, 0) + text.utf8.count, in: node) }
    let lower = max(offsets.lowerBound + base, 0)
    return document.range(of: lower..<max(offsets.upperBound + base, lower), in: node)
  }

  /// The expression in `{{ … }}`, or the text itself where there are no braces; `nil` for text around braces.
  package var unwrapped: PlacedText? {
    let bytes = Array(text.utf8)
    guard text.contains("{{") else { return self }
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 }),
      last - first >= 3, bytes[first...].starts(with: Array("{{".utf8)),
      bytes[last] == UInt8(ascii: "}"), bytes[last - 1] == UInt8(ascii: "}")
    else { return nil }
    let inner = String(decoding: bytes[first + 2..<last - 1], as: UTF8.self)
    guard !inner.contains("{{") || !inner.contains("}}") else { return nil }
    return PlacedText(text: inner, node: node, document: document, base: base + first + 2)
  }

  /// A text as a literal of CEL.
  static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'").replacing("\n", with: "\\n") + "'"
  }
}
