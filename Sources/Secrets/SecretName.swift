import Localization

/// The name of a secret: 1 to 128 ASCII letters, digits, `_`, `-` and `.`, with a letter, digit or `_` at the front.
///
/// Such a name is not a path (`..`, `a/b`), no option (`-x`) and no assignment, whatever source it is handed to.
public struct SecretName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The most characters a name may have.
  public static let longest = 128

  /// The name.
  public let text: String

  /// Creates a name; `nil` for a text that cannot be one.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard let first = bytes.first, bytes.count <= SecretName.longest, SecretName.isWord(first),
      bytes.allSatisfy({ SecretName.isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") })
    else { return nil }
    self.text = text
  }

  /// Creates a name from what a person has written.
  ///
  /// - Throws: ``SecretError/Code/nameInvalid``; the text itself is not repeated, it may be a secret in the wrong place.
  public init(checking text: String) throws(SecretError) {
    guard let name = SecretName(text) else {
      throw SecretError(
        .nameInvalid,
        LocalizedText(
          "the name of a secret has at most \(SecretName.longest) letters (a-z, A-Z), digits, '_', '-' and '.', and "
            + "begins with a letter, a digit or '_': OPENAI_API_KEY",
          de:
            "der Name eines Geheimnisses hat höchstens \(SecretName.longest) Zeichen: Buchstaben (a-z, A-Z), Ziffern, "
            + "'_', '-' und '.', vorne einen Buchstaben, eine Ziffer oder '_': OPENAI_API_KEY"))
    }
    self = name
  }

  /// The name.
  public var description: String { text }

  /// Orders names by their bytes.
  public static func < (left: SecretName, right: SecretName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
