/// The names of users, groups and roles.
enum AccessName {
  /// Whether a text is a name: 1 to 64 lower case letters, digits, `.`, `-`, `_` or `@`, the first a letter or digit.
  static func isValid(_ text: String) -> Bool {
    guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isPlain(first) else { return false }
    return text.utf8.allSatisfy { isPlain($0) || [UInt8(ascii: "."), 0x2D, 0x5F, 0x40].contains($0) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
}
