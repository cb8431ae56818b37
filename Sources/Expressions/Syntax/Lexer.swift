internal import Localization

/// Splits the text of an expression into tokens.
struct Lexer {
  let bytes: [UInt8]
  /// Where the expression ends; the text may go on behind it.
  let end: Int
  var position: Int

  /// Creates a lexer for a part of a text.
  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// All tokens; the last one is the end of the text.
  mutating func tokens() throws(ExpressionError) -> [Token] {
    var tokens: [Token] = []
    while true {
      skipBlanks()
      if position >= end { break }
      tokens.append(try next())
    }
    tokens.append(Token(kind: .end, range: end..<end))
    return tokens
  }

  /// The byte so far ahead, 0 beyond the end.
  @inline(__always)
  func peek(_ distance: Int = 0) -> UInt8 {
    position + distance < end ? bytes[position + distance] : 0
  }

  /// Skips white space and comments.
  mutating func skipBlanks() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
        position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
        while position < end, bytes[position] != 0x0A { position += 1 }
      default:
        return
      }
    }
  }

  private mutating func next() throws(ExpressionError) -> Token {
    let start = position
    let byte = bytes[position]
    if let quote = try quotedLiteral() { return quote }
    if isNameStart(byte) {
      while position < end, isNamePart(bytes[position]) { position += 1 }
      return Token(kind: .name(text(start..<position)), range: start..<position)
    }
    if isDigit(byte) || (byte == UInt8(ascii: ".") && isDigit(peek(1))) { return try number() }
    if byte == UInt8(ascii: "`") { return try quotedName() }
    return try symbol()
  }

  private mutating func symbol() throws(ExpressionError) -> Token {
    let start = position
    for length in [2, 1] where start + length <= end {
      if let symbol = Token.Symbol(rawValue: text(start..<start + length)) {
        position += length
        return Token(kind: .symbol(symbol), range: start..<position)
      }
    }
    position += 1
    while position < end, bytes[position] & 0xC0 == 0x80 { position += 1 }
    let found = text(start..<position)
    let hint =
      switch found {
      case "=": LocalizedText(": compare with '=='", de: ": Vergleiche stehen als '=='")
      case "&": LocalizedText(": 'and' is written '&&'", de: ": 'und' schreibt sich '&&'")
      case "|": LocalizedText(": 'or' is written '||'", de: ": 'oder' schreibt sich '||'")
      case "$":
        LocalizedText(
          ": names have no '$'; the output of a step is 'steps.ID.output'",
          de: ": Namen haben kein '$'; die Ausgabe eines Schritts ist 'steps.ID.output'")
      default: LocalizedText(" in an expression", de: " in einem Ausdruck")
      }
    throw .syntax(LocalizedText("unexpected '\(found)'", de: "unerwartetes '\(found)'") + hint, at: start..<position)
  }

  private mutating func quotedName() throws(ExpressionError) -> Token {
    let start = position
    position += 1
    while position < end, bytes[position] != UInt8(ascii: "`") {
      let byte = bytes[position]
      guard isNamePart(byte) || [UInt8](" -./".utf8).contains(byte) else {
        throw .syntax(
          LocalizedText(
            "a name in backquotes holds letters, digits, '_', '.', '-', '/' and spaces only",
            de: "Ein Name in Backquotes enthält nur Buchstaben, Ziffern, '_', '.', '-', '/' und Leerzeichen"),
          at: position..<position + 1)
      }
      position += 1
    }
    guard position < end, position > start + 1 else {
      throw .syntax(
        LocalizedText(
          "this name in backquotes is empty or not closed", de: "Der Name in Backquotes ist leer oder offen"),
        at: start..<position)
    }
    position += 1
    return Token(kind: .quotedName(text(start + 1..<position - 1)), range: start..<position)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  func isNameStart(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 }

  func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }
}

extension ExpressionError {
  /// The text is not an expression.
  static func syntax(_ message: LocalizedText, at range: Range<Int>) -> ExpressionError {
    ExpressionError(.syntax, message, range: range)
  }
}
