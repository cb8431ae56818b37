/// Finds where the expressions of a template begin and end.
enum TemplateScanner {
  /// The next `{{` at or after a position.
  static func opening(in bytes: [UInt8], from start: Int) -> Int? {
    ByteSearch(Array("{{".utf8)).first(in: bytes, from: start)
  }

  /// The `}}` that ends the expression which begins at a position. Braces inside strings, comments and map literals do
  /// not end it.
  static func closing(in bytes: [UInt8], from start: Int) -> Int? {
    var lexer = Lexer(bytes: bytes, range: start..<bytes.count)
    var depth = 0
    while lexer.position < bytes.count {
      if let quote = lexer.openingQuote(), !isPartOfName(bytes, lexer.position, from: start) {
        // An unclosed string takes nothing with it: the parser reports it in its place.
        lexer.position = lexer.contentEnd(of: quote).map { $0 + (quote.isTriple ? 3 : 1) } ?? quote.contentStart
        continue
      }
      switch bytes[lexer.position] {
      case UInt8(ascii: "/") where lexer.peek(1) == UInt8(ascii: "/"):
        while lexer.position < bytes.count, bytes[lexer.position] != 0x0A,
          !(bytes[lexer.position] == UInt8(ascii: "}") && lexer.peek(1) == UInt8(ascii: "}"))
        { lexer.position += 1 }
        continue
      case UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: "}"):
        if depth == 0, lexer.peek(1) == UInt8(ascii: "}") { return lexer.position }
        depth = max(0, depth - 1)
      default:
        break
      }
      lexer.position += 1
    }
    return nil
  }

  /// Whether the `r` or `b` at a position ends a name and so is not a prefix of a string.
  private static func isPartOfName(_ bytes: [UInt8], _ position: Int, from start: Int) -> Bool {
    guard bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "'"), position > start else {
      return false
    }
    let before = bytes[position - 1]
    return before == 95 || (48...57).contains(before) || (97...122).contains(before | 0x20)
  }

  /// The one name that all of an expression is: letters of any script, digits, `_` and `-`, beginning with a letter
  /// or `_`.
  static func bareName(in bytes: [UInt8], _ range: Range<Int>) -> (name: String, range: Range<Int>)? {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    var range = range
    while let first = range.first, blanks.contains(bytes[first]) { range = first + 1..<range.upperBound }
    while let last = range.last, blanks.contains(bytes[last]) { range = range.lowerBound..<last }
    guard let name = String(validating: bytes[range], as: UTF8.self), let first = name.unicodeScalars.first,
      first == "_" || first.properties.isAlphabetic, name.unicodeScalars.allSatisfy(isNamePart)
    else { return nil }
    return (name, range)
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
      return true
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }
}
