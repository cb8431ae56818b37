internal import Localization

/// Reads JSON as RFC 8259 defines it, and nothing beyond.
struct JSONReader {
  private let bytes: UnsafeRawBufferPointer
  private let maximumDepth: Int
  private var position = 0

  static func read(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) throws(ExpressionError) -> Value {
    guard bytes.count <= limits.size else {
      throw failure(
        LocalizedText(
          "the JSON text has \(bytes.count) bytes, \(limits.size) are allowed",
          de: "Der JSON-Text hat \(bytes.count) Bytes, erlaubt sind \(limits.size)"), at: limits.size)
    }
    var reader = JSONReader(bytes: bytes, maximumDepth: limits.depth)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.position == bytes.count else { throw reader.unexpected() }
    return value
  }

  private init(bytes: UnsafeRawBufferPointer, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(ExpressionError) -> Value {
    skipBlanks()
    guard position < bytes.count else { throw unexpected() }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), 48...57: return try number()
    default: throw unexpected()
    }
  }

  private mutating func object(depth: Int) throws(ExpressionError) -> Value {
    try descend(depth)
    position += 1
    var map = ValueMap()
    skipBlanks()
    if skip(UInt8(ascii: "}")) { return .map(map) }
    while true {
      skipBlanks()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw unexpected() }
      let name = try string()
      skipBlanks()
      guard skip(UInt8(ascii: ":")) else { throw unexpected() }
      map[.string(name)] = try value(depth: depth + 1)
      skipBlanks()
      if skip(UInt8(ascii: "}")) { return .map(map) }
      guard skip(UInt8(ascii: ",")) else { throw unexpected() }
    }
  }

  private mutating func array(depth: Int) throws(ExpressionError) -> Value {
    try descend(depth)
    position += 1
    var elements: [Value] = []
    skipBlanks()
    if skip(UInt8(ascii: "]")) { return .list(elements) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipBlanks()
      if skip(UInt8(ascii: "]")) { return .list(elements) }
      guard skip(UInt8(ascii: ",")) else { throw unexpected() }
    }
  }

  private func descend(_ depth: Int) throws(ExpressionError) {
    guard depth >= maximumDepth else { return }
    throw Self.failure(
      LocalizedText(
        "the JSON text nests deeper than \(maximumDepth) levels",
        de: "Der JSON-Text ist tiefer als \(maximumDepth) Ebenen verschachtelt"), at: position)
  }

  private mutating func word(_ word: StaticString, _ value: Value) throws(ExpressionError) -> Value {
    let length = word.utf8CodeUnitCount
    guard position + length <= bytes.count,
      UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
        .elementsEqual(UnsafeRawBufferPointer(start: word.utf8Start, count: length))
    else { throw unexpected() }
    position += length
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(ExpressionError) -> Value {
    let start = position
    let isNegative = skip(UInt8(ascii: "-"))
    let digits = position
    // Counted downwards, as the negative range is the larger one.
    var total: Int64 = 0
    var fits = true
    while position < bytes.count, (48...57).contains(bytes[position]) {
      let (product, overflows) = total.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) = product.subtractingReportingOverflow(Int64(bytes[position] - 48))
      fits = fits && !overflows && !sumOverflows
      total = sum
      position += 1
    }
    guard position > digits, bytes[digits] != UInt8(ascii: "0") || position == digits + 1 else {
      // Digits are missing, or follow a leading zero.
      if position > digits { position = digits + 1 }
      throw unexpected()
    }
    var isWhole = true
    if skip(UInt8(ascii: ".")) {
      isWhole = false
      try skipDigits()
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      position += 1
      if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
      try skipDigits()
    }
    if isWhole, fits {
      if isNegative { return .int(total) }
      if total > .min { return .int(-total) }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // Beyond the signed range a whole number still keeps all its digits.
    if isWhole, let number = UInt64(text) { return .uint(number) }
    guard let number = Double(text), number.isFinite else {
      throw Self.failure(
        LocalizedText("this number is too large", de: "Diese Zahl ist zu groß"), at: start)
    }
    return .double(number)
  }

  private mutating func skipDigits() throws(ExpressionError) {
    let start = position
    while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
    if position == start { throw unexpected() }
  }

  // MARK: Strings

  private mutating func string() throws(ExpressionError) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let content = bytes[start..<position]
        position += 1
        return try text(UnsafeRawBufferPointer(rebasing: content), at: start)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      if byte < 0x20 { break }
      position += 1
    }
    throw unexpected()
  }

  /// The rest of a string from its first escape sequence on.
  private mutating func escapedString(from start: Int) throws(ExpressionError) -> String {
    var content = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        let end = start
        let result: Result<String, ExpressionError> = content.withUnsafeBytes { buffer in
          Result { () throws(ExpressionError) in try text(buffer, at: end) }
        }
        return try result.get()
      case UInt8(ascii: "\\"):
        try escape(into: &content)
      case 0..<0x20:
        position -= 1
        throw unexpected()
      default:
        content.append(byte)
      }
    }
    throw unexpected()
  }

  private mutating func escape(into content: inout [UInt8]) throws(ExpressionError) {
    guard position < bytes.count else { throw unexpected() }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      let start = position - 2
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
        bytes[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw unpairedSurrogate(start) }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw unpairedSurrogate(start) }
      content.append(contentsOf: String(Character(scalar)).utf8)
    default:
      position -= 1
      throw unexpected()
    }
  }

  private mutating func hexadecimal() throws(ExpressionError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count else { throw unexpected() }
      switch bytes[position] {
      case 48...57: code = code << 4 | UInt32(bytes[position] - 48)
      case 65...70: code = code << 4 | UInt32(bytes[position] - 55)
      case 97...102: code = code << 4 | UInt32(bytes[position] - 87)
      default: throw unexpected()
      }
      position += 1
    }
    return code
  }

  private func text(_ content: UnsafeRawBufferPointer, at start: Int) throws(ExpressionError) -> String {
    if let text = String(validating: content, as: UTF8.self) { return text }
    var decoder = UTF8()
    var iterator = content.makeIterator()
    var offset = start
    decoding: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput, .error: break decoding
      }
    }
    throw Self.failure(LocalizedText("the JSON text is not UTF-8", de: "Der JSON-Text ist nicht UTF-8"), at: offset)
  }

  // MARK: Helpers of the grammar

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private func unexpected() -> ExpressionError {
    if position >= bytes.count {
      return Self.failure(
        LocalizedText("the JSON text ends too early", de: "Der JSON-Text endet zu früh"), at: bytes.count)
    }
    let byte = bytes[position]
    let shown = (0x21..<0x7F).contains(byte) ? "'\(Unicode.Scalar(byte))'" : "byte \(byte)"
    return Self.failure(
      LocalizedText("unexpected \(shown) in the JSON text", de: "\(shown) im JSON-Text unerwartet"), at: position)
  }

  private func unpairedSurrogate(_ start: Int) -> ExpressionError {
    Self.failure(
      LocalizedText("half of a surrogate pair in the JSON text", de: "halbes Ersatzzeichenpaar im JSON-Text"),
      at: start)
  }

  private static func failure(_ message: LocalizedText, at offset: Int) -> ExpressionError {
    ExpressionError(
      .json, message + LocalizedText(" (byte \(offset))", de: " (Byte \(offset))"), range: offset..<offset + 1)
  }
}
