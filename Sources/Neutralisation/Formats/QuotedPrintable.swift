/// Decides whether a text is quoted-printable (RFC 2045).
///
/// A wrong guess hides what follows an equals sign: `Token=de8f…` would lose its first digits, and `q83=` at the end of a line
/// would join two lines. So each equals sign of the text has to be one that an encoder writes.
struct QuotedPrintable {
  /// The longest line that an encoder writes, in bytes.
  private static let widest = 76

  /// Whether a character of two to four octets occurred: `=C3=BC`.
  private(set) var hasCharacters = false
  private var hasOctets = false
  private var softBreaks = 0
  private var isConsistent = true

  /// Whether the whole text is quoted-printable.
  var isWhole: Bool { isConsistent && hasOctets && softBreaks > 0 }

  /// Notes the length of a line.
  mutating func noteLine(bytes: Int) { if bytes > Self.widest { isConsistent = false } }

  /// Notes an equals sign.
  ///
  /// - Returns: The place behind what it escapes, without the end of the line; behind the sign alone if it escapes nothing.
  mutating func noteEquals(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, isLineStart: Bool) -> Int {
    func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
    if byte(1) == 0x0A || byte(1) == 0x0D && byte(2) == 0x0A {
      softBreaks += 1
      return index + 1
    }
    if let end = Self.characterEnd(bytes, at: index) {
      hasCharacters = true
      hasOctets = true
      return end
    }
    guard Self.isUpper(byte(1)), Self.isUpper(byte(2)), let octet = EscapedText.octet(bytes, at: index) else {
      isConsistent = false
      return index + 1
    }
    switch octet {
    case 0x80...0xFF: hasOctets = true
    // An equals sign itself.
    case 0x3D: hasOctets = true
    // A blank is escaped at the end of a line alone.
    case 0x09, 0x20:
      if byte(3) == 0x0A || byte(3) == 0x0D || byte(3) == 0x3D || index + 3 == bytes.count {
        hasOctets = true
      } else {
        isConsistent = false
      }
    case 0x00...0x1F, 0x7F: hasOctets = true
    // "=46rom", "=2E" and "=2D-" at the beginning of a line, which programs on the way would change.
    case 0x2D, 0x2E, 0x46:
      if isLineStart { hasOctets = true } else { isConsistent = false }
    default: isConsistent = false
    }
    return index + 3
  }

  /// The end of a character of two to four octets in UTF-8, each escaped in upper case; `nil` if none begins here.
  static func characterEnd(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    guard let first = upperOctet(bytes, at: index), 0xC2...0xF4 ~= first else { return nil }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    for number in 1..<length {
      guard let next = upperOctet(bytes, at: index + 3 * number), 0x80...0xBF ~= next else { return nil }
    }
    return index + 3 * length
  }

  private static func upperOctet(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt8? {
    guard let octet = EscapedText.octet(bytes, at: index), isUpper(bytes[index + 1]), isUpper(bytes[index + 2]) else {
      return nil
    }
    return octet
  }

  private static func isUpper(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) }

  /// The parts of a text that a field declares as quoted-printable: from the empty line behind the field to the next line
  /// that begins with two hyphens, or to the end.
  static func declaredParts(of bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    let field = Array("content-transfer-encoding: quoted-printable".utf8)
    var parts: [Range<Int>] = []
    var isDeclared = false
    var start: Int?
    var lineStart = 0
    while lineStart < bytes.count {
      let lineEnd = bytes[lineStart...].firstIndex(of: 0x0A) ?? bytes.count
      let line = bytes[lineStart..<lineEnd]
      if let begin = start, line.starts(with: [0x2D, 0x2D]) {
        parts.append(begin..<lineStart)
        start = nil
      } else if start == nil {
        if isDeclared, line.allSatisfy({ $0 <= 0x20 }) {
          start = min(lineEnd + 1, bytes.count)
          isDeclared = false
        } else if line.count >= field.count, zip(line, field).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }) {
          isDeclared = true
        }
      }
      lineStart = lineEnd + 1
    }
    if let start, start < bytes.count { parts.append(start..<bytes.count) }
    return parts
  }
}
