internal import Localization

extension Lexer {
  /// A number: `12`, `0xFF`, `7u`, `1.5`, `.5`, `1e9`.
  mutating func number() throws(ExpressionError) -> Token {
    let start = position
    if peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x") {
      position += 2
      let digits = position
      while position < end, hexValue(bytes[position]) != nil { position += 1 }
      guard position > digits else { throw malformed(start) }
      return try wholeNumber(digits: text(digits..<position), radix: 16, start: start)
    }
    skipDigits()
    let wholeEnd = position
    if peek() == UInt8(ascii: "."), isDigit(peek(1)) {
      position += 1
      skipDigits()
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      let signLength = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
      if isDigit(peek(1 + signLength)) {
        position += 1 + signLength
        skipDigits()
      }
    }
    if position == wholeEnd {
      return try wholeNumber(digits: text(start..<position), radix: 10, start: start)
    }
    try expectNumberEnd(start)
    guard let number = Double(text(start..<position)), number.isFinite else {
      throw .syntax(
        LocalizedText("this number is too large for a double", de: "Diese Zahl ist zu groß für double"),
        at: start..<position)
    }
    return Token(kind: .double(number), range: start..<position)
  }

  private mutating func wholeNumber(digits: String, radix: Int, start: Int) throws(ExpressionError) -> Token {
    let magnitude = UInt64(digits, radix: radix)
    if peek() | 0x20 == UInt8(ascii: "u") {
      position += 1
      try expectNumberEnd(start)
      guard let magnitude else {
        throw .syntax(
          LocalizedText("this number is too large for uint", de: "Diese Zahl ist zu groß für uint"),
          at: start..<position)
      }
      return Token(kind: .uint(magnitude), range: start..<position)
    }
    try expectNumberEnd(start)
    return Token(kind: .int(magnitude), range: start..<position)
  }

  private mutating func expectNumberEnd(_ start: Int) throws(ExpressionError) {
    guard isNamePart(peek()) else { return }
    while position < end, isNamePart(bytes[position]) { position += 1 }
    throw malformed(start)
  }

  private func malformed(_ start: Int) -> ExpressionError {
    .syntax(
      LocalizedText(
        "'\(text(start..<position))' is not a number", de: "'\(text(start..<position))' ist keine Zahl"),
      at: start..<position)
  }

  private mutating func skipDigits() {
    while position < end, isDigit(bytes[position]) { position += 1 }
  }

  func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 48...57: UInt32(byte - 48)
    case 65...70: UInt32(byte - 55)
    case 97...102: UInt32(byte - 87)
    default: nil
    }
  }
}
