/// A content line of iCalendar: `NAME;PARAMETER=value:value` (RFC 5545 §3.1).
struct CalendarLine {
  /// The name in upper case.
  let name: String
  /// The value as written.
  let value: String
  private let parameters: [(name: String, value: String)]

  init?(_ line: String) {
    let bytes = Array(line.utf8)
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
    guard let colon, let first = pieces.first, !first.isEmpty else { return nil }
    name = String(decoding: first, as: UTF8.self).trimmingASCIIWhitespace.uppercased()
    value = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    parameters = pieces.dropFirst().compactMap { piece in
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = String(decoding: piece[..<equals], as: UTF8.self).trimmingASCIIWhitespace.uppercased()
      let content = piece[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }
      return (name, String(decoding: content, as: UTF8.self))
    }
  }

  /// A parameter by its name in upper case, `^n`, `^'` and `^^` decoded (RFC 6868).
  func parameter(_ name: String) -> String? {
    guard let value = parameters.first(where: { $0.name == name })?.value else { return nil }
    guard value.contains("^") else { return value }
    return value.replacing("^n", with: " ").replacing("^'", with: "\"").replacing("^^", with: "^")
  }

  /// The value as text: escapes decoded (RFC 5545 §3.3.11).
  var text: String {
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
    return String(output).trimmingASCIIWhitespace
  }
}
