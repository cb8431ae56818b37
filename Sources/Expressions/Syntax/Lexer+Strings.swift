internal import Localization

extension Lexer {
  /// The quotes of a string or bytes literal and what precedes them.
  struct Quote {
    var isRaw = false
    var isBytes = false
    /// Where the content begins.
    var contentStart: Int
    var mark: UInt8
    var isTriple: Bool
  }

  /// The opening of a string literal at the position, with its prefix (`r`, `b`, in either order and case).
  func openingQuote() -> Quote? {
    var isRaw = false
    var isBytes = false
    var distance = 0
    prefix: while distance < 2 {
      switch peek(distance) | 0x20 {
      case UInt8(ascii: "r") where !isRaw: isRaw = true
      case UInt8(ascii: "b") where !isBytes: isBytes = true
      default: break prefix
      }
      distance += 1
    }
    let mark = peek(distance)
    guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else { return nil }
    let isTriple = peek(distance + 1) == mark && peek(distance + 2) == mark
    return Quote(
      isRaw: isRaw, isBytes: isBytes, contentStart: position + distance + (isTriple ? 3 : 1), mark: mark,
      isTriple: isTriple)
  }

  /// Where the content of a literal ends; `nil` if its quotes are not closed.
  ///
  /// The language definition allows line breaks in triple quotes only. Here they may occur in every literal: YAML turns the
  /// `\n` of `"{{ lines.join('\n') }}"` into a line break before the expression is read.
  func contentEnd(of quote: Quote) -> Int? {
    var position = quote.contentStart
    while position < end {
      let byte = bytes[position]
      if byte == quote.mark {
        if !quote.isTriple { return position }
        if position + 2 < end, bytes[position + 1] == byte, bytes[position + 2] == byte { return position }
      } else if byte == UInt8(ascii: "\\"), !quote.isRaw {
        position += 1
      }
      position += 1
    }
    return nil
  }

  /// A string or bytes literal; `nil` if none begins here.
  mutating func quotedLiteral() throws(ExpressionError) -> Token? {
    guard let quote = openingQuote() else { return nil }
    let start = position
    guard let contentEnd = contentEnd(of: quote) else {
      throw .syntax(
        LocalizedText("this string is not closed", de: "Dieser Text hat kein schließendes Anführungszeichen"),
        at: start..<quote.contentStart)
    }
    position = contentEnd + (quote.isTriple ? 3 : 1)
    var content: [UInt8]
    if quote.isRaw {
      content = Array(bytes[quote.contentStart..<contentEnd])
    } else {
      content = try unescape(quote.contentStart..<contentEnd, isBytes: quote.isBytes)
    }
    let range = start..<position
    if quote.isBytes { return Token(kind: .bytes(content), range: range) }
    return Token(kind: .string(String(decoding: content, as: UTF8.self)), range: range)
  }

  private func unescape(_ range: Range<Int>, isBytes: Bool) throws(ExpressionError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes[position]
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        position += 1
        continue
      }
      let start = position
      position += 2
      let letter = start + 1 < range.upperBound ? bytes[start + 1] : 0
      if let simple = Self.simpleEscapes[letter] {
        result.append(simple)
        continue
      }
      var value: UInt32?
      switch letter {
      case UInt8(ascii: "x"), UInt8(ascii: "X"):
        value = digits(2, radix: 16, at: &position, before: range.upperBound)
      case UInt8(ascii: "u") where !isBytes:
        value = digits(4, radix: 16, at: &position, before: range.upperBound)
      case UInt8(ascii: "U") where !isBytes:
        value = digits(8, radix: 16, at: &position, before: range.upperBound)
      case UInt8(ascii: "0")...UInt8(ascii: "3"):
        position -= 1
        value = digits(3, radix: 8, at: &position, before: range.upperBound)
      default:
        break
      }
      guard let value else { throw badEscape(start..<min(position, range.upperBound)) }
      if isBytes {
        result.append(UInt8(truncatingIfNeeded: value))
      } else if let scalar = Unicode.Scalar(value) {
        result.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
      } else {
        throw badEscape(start..<position)
      }
    }
    return result
  }

  private static let simpleEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "v"): 0x0B, UInt8(ascii: "\\"): 0x5C,
    UInt8(ascii: "?"): 0x3F, UInt8(ascii: "\""): 0x22, UInt8(ascii: "'"): 0x27, UInt8(ascii: "`"): 0x60,
  ]

  private func digits(_ count: Int, radix: UInt32, at position: inout Int, before limit: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard position < limit, let digit = hexValue(bytes[position]), digit < radix else { return nil }
      value = value &* radix &+ digit
      position += 1
    }
    return value
  }

  private func badEscape(_ range: Range<Int>) -> ExpressionError {
    .syntax(
      LocalizedText(
        "'\(text(range))' is not an escape sequence; a backslash itself is written '\\\\'",
        de: "'\(text(range))' ist keine Escape-Folge; ein Backslash selbst schreibt sich '\\\\'"),
      at: range)
  }
}
