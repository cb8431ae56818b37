/// A text of a scalar, or a part of it, that leads back to its place in the file.
struct PlacedText {
  /// The text.
  var text: String
  /// The scalar it comes from.
  var node: Node
  /// The file the scalar stands in.
  var document: YAMLDocument
  /// The UTF-8 offset of the text in the scalar's text; negative where something was put before it.
  var base = 0

  /// The place of a part of the text.
  func range(_ offsets: Range<Int>?) -> SourceRange {
    guard let offsets else { return document.range(of: max(base, 0)..<max(base, 0) + text.utf8.count, in: node) }
    let lower = max(offsets.lowerBound + base, 0)
    return document.range(of: lower..<max(offsets.upperBound + base, lower), in: node)
  }
}
