import PluginKit

/// Prepares a message for DATA (RFC 5321, section 4.5.2), piece by piece.
///
/// Every line end becomes CRLF, also a CR or LF that is alone: servers disagree about those, and one that takes them for the
/// end of a line could be made to see an end of the message, and commands behind it, inside the text.
struct DotStuffing: Sendable {
  /// The longest line in bytes, without its end (RFC 5321, section 4.5.3.1.6).
  static let longestLine = 998

  private let isStuffed: Bool
  private var lineLength = 0
  private var endsWithCR = false
  /// Whether a byte beyond ASCII has passed.
  private(set) var has8Bit = false

  /// - Parameter isStuffed: Whether a dot at the beginning of a line is doubled; not for BDAT.
  init(stuffed isStuffed: Bool = true) { self.isStuffed = isStuffed }

  /// The piece as it goes over the wire.
  ///
  /// - Throws: `invalid_input` for a line that is too long, and for a NUL byte.
  mutating func prepare(_ piece: [UInt8]) throws(ActionError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(piece.count + piece.count / 32 + 2)
    for byte in piece {
      if byte == 0x0A {
        // After a CR the line has ended already.
        if !endsWithCR { endLine(&output) }
        endsWithCR = false
        continue
      }
      endsWithCR = byte == 0x0D
      if endsWithCR {
        endLine(&output)
        continue
      }
      guard byte != 0 else { throw Self.unusable("a NUL byte", "ein NUL-Byte") }
      if lineLength == 0, byte == 0x2E, isStuffed { output.append(0x2E) }
      lineLength += 1
      guard lineLength <= Self.longestLine else {
        throw Self.unusable("a line of more than 998 bytes", "eine Zeile mit mehr als 998 Byte")
      }
      if byte >= 0x80 { has8Bit = true }
      output.append(byte)
    }
    return output
  }

  /// The end of the message: a line end where the last line has none, and for DATA the line with the dot.
  mutating func end() -> [UInt8] {
    var output: [UInt8] = []
    if lineLength > 0 { endLine(&output) }
    return isStuffed ? output + Array(".\r\n".utf8) : output
  }

  private mutating func endLine(_ output: inout [UInt8]) {
    output.append(0x0D)
    output.append(0x0A)
    lineLength = 0
  }

  private static func unusable(_ english: String, _ german: String) -> ActionError {
    ActionError(
      .invalidInput, "The message holds \(english), which mail servers do not take.",
      german: "Die Nachricht enthält \(german); das nehmen Mailserver nicht an.")
  }
}
