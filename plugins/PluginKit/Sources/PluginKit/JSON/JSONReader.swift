/// Reads JSON text, RFC 8259, strictly.
///
/// Of equal names in an object the last counts. Nesting is limited, so that hostile text cannot exhaust the stack.
struct JSONReader {
  struct Failure: Error {
    let offset: Int
    let english: String
    let german: String
  }

  private static let depthLimit = 256

  private let text: ArraySlice<UInt8>
  private var position: Int

  static func read(_ json: [UInt8]) throws(Failure) -> JSONValue {
    var reader = JSONReader(text: json[...], position: 0)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.peek == nil else { throw reader.failure("text after the end", "Text nach dem Ende") }
    return value
  }

  private var peek: UInt8? { position < text.endIndex ? text[position] : nil }

  private func failure(_ english: String, _ german: String) -> Failure {
    Failure(offset: position, english: english, german: german)
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(Failure) {
    guard take(byte) else {
      let character = Character(Unicode.Scalar(byte))
      throw failure("expected '\(character)'", "'\(character)' erwartet")
    }
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth < JSONReader.depthLimit else { throw failure("nested too deeply", "zu tief verschachtelt") }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"): return try number()
    case let byte? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): return try number()
    case nil: throw failure("unexpected end", "unerwartetes Ende")
    default: throw failure("not a JSON value", "kein JSON-Wert")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
    let bytes = word.withUTF8Buffer { Array($0) }
    guard text[position...].starts(with: bytes) else { throw failure("not a JSON value", "kein JSON-Wert") }
    position += bytes.count
    return value
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    position += 1
    var members = JSONObject()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw failure("expected a name", "Name erwartet") }
      let name = try string()
      try expect(UInt8(ascii: ":"))
      members[name] = try value(depth: depth + 1)
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat { elements.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return .array(elements)
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    var isWhole = true
    if peek == UInt8(ascii: "-") { position += 1 }
    if peek == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if peek == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try digits()
    }
    if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      position += 1
      if let sign = peek, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let digits = String(decoding: text[start..<position], as: UTF8.self)
    if isWhole, let number = Int64(digits) { return .integer(number) }
    guard let number = Double(digits), number.isFinite else {
      position = start
      throw failure("number out of range", "Zahl außerhalb des Bereichs")
    }
    return .number(number)
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    guard position > start else { throw failure("malformed number", "fehlerhafte Zahl") }
  }

  private mutating func string() throws(Failure) -> String {
    position += 1
    var result: [UInt8] = []
    var start = position
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        result += text[start..<position]
        guard let string = String(validating: result, as: UTF8.self) else {
          throw failure("the string is not UTF-8", "der Text ist kein UTF-8")
        }
        position += 1
        return string
      case UInt8(ascii: "\\"):
        result += text[start..<position]
        position += 1
        result += Array(String(try escape()).utf8)
        start = position
      case 0..<0x20:
        throw failure("control character in a string", "Steuerzeichen in einem Text")
      default:
        position += 1
      }
    }
    throw failure("unexpected end of a string", "unerwartetes Ende eines Texts")
  }

  private mutating func escape() throws(Failure) -> Unicode.Scalar {
    guard let byte = peek else { throw failure("unexpected end of a string", "unerwartetes Ende eines Texts") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try codeUnit()
      if let scalar = Unicode.Scalar(first) { return scalar }
      // Half of a surrogate pair: RFC 8259 leaves a lone one open; here it becomes U+FFFD, so that no text is lost.
      let retreat = position
      if first < 0xDC00, text[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        position += 2
        let second = try codeUnit()
        if (0xDC00..<0xE000).contains(second) {
          return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
        }
        position = retreat
      }
      return "\u{FFFD}"
    default: throw failure("unknown escape", "unbekannte Escape-Folge")
    }
  }

  private mutating func codeUnit() throws(Failure) -> UInt32 {
    let end = position + 4
    guard end <= text.endIndex, text[position..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: text[position..<end], as: UTF8.self), radix: 16)
    else { throw failure("malformed \\u escape", "fehlerhafte \\u-Folge") }
    position = end
    return unit
  }
}
