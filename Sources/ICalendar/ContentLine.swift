/// A content line of iCalendar: `NAME;PARAMETER=value:value` (RFC 5545, section 3.1).
///
/// Its callers decide what the line means: `Mail` accepts broken lines in messages, `Schedules` rejects them in calendars of the
/// user.
package struct ContentLine {
  /// The name in upper case.
  package let name: String
  /// The value as written.
  package let value: String
  /// Where the line is in the caller's text, in UTF-8 bytes; empty unless the caller says so.
  package let range: Range<Int>
  private let parameters: [(name: String, value: String)]

  /// Reads a line whose continuations are joined; `nil` if it is not a content line. Of its parameters the first 49 count.
  package init?(_ bytes: [UInt8], range: Range<Int> = 0..<0) {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    var isQuoted = false
    var colon: Int?
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
        if pieces.count < 50 { pieces.append(bytes[start..<index]) }
        start = index + 1
        if byte == UInt8(ascii: ":") {
          colon = index
          break
        }
      }
    }
    guard let colon, let first = pieces.first, !first.isEmpty, first.count <= 100 else { return nil }
    name = Self.name(first)
    value = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    self.range = range
    parameters = pieces.dropFirst().compactMap { piece in
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let content = piece[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }
      return (Self.name(piece[..<equals]), String(decoding: content, as: UTF8.self))
    }
  }

  /// A name in upper case. Some programs write blanks around it.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
    return String(decoding: bytes[..<end].drop(while: isBlank), as: UTF8.self).uppercased()
  }

  /// A parameter by its name in upper case, without quotes; `^n`, `^'` and `^^` decoded (RFC 6868).
  package func parameter(_ name: String) -> String? {
    guard let value = parameters.first(where: { $0.name == name })?.value else { return nil }
    guard value.contains("^") else { return value }
    return value.replacing("^n", with: " ").replacing("^'", with: "\"").replacing("^^", with: "^")
  }

  /// The value as text: escapes decoded (RFC 5545, section 3.3.11).
  package var text: String {
    var output = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if isEscaped {
        output.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        output.append(scalar)
      }
    }
    return String(output)
  }
}
