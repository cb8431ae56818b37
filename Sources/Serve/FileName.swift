import UseCases

/// The name of a file, compared by its bytes as the file system does.
///
/// Swift compares strings by canonical equivalence: `ü` as one code point and as two would be one name.
struct FileName: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
  /// The name.
  let text: String

  init(_ text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }

  static func == (left: FileName, right: FileName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  static func < (left: FileName, right: FileName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }
}
