internal import JSONSyntax
internal import Localization

/// Reads JSON as RFC 8259 defines it, and nothing beyond.
struct JSONReader: ~Copyable {
  private var cursor: JSONCursor
  private let limits: JSONLimits
  /// The rest of the decoded size.
  private var room: Int

  static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits) throws(ExpressionError) -> Value {
    guard bytes.count <= limits.size else {
      throw failure(
        LocalizedText(
          "the JSON text has \(bytes.count) bytes, \(limits.size) are allowed",
          de: "Der JSON-Text hat \(bytes.count) Bytes, erlaubt sind \(limits.size)"), at: limits.size, .jsonTooLarge)
    }
    guard let base = bytes.baseAddress else { throw unexpected(nil, at: 0) }
    var reader = JSONReader(JSONCursor(base, count: bytes.count), limits)
    let value = try reader.value(depth: 0)
    reader.cursor.skipBlanks()
    guard reader.cursor.position == bytes.count else { throw reader.unexpected() }
    return value
  }

  private init(_ cursor: consuming JSONCursor, _ limits: JSONLimits) {
    self.cursor = cursor
    self.limits = limits
    room = limits.decodedSize
  }

  /// Counts what a part of the value takes.
  @inline(__always)
  private mutating func take(_ cost: Int) throws(ExpressionError) {
    room -= cost
    if room < 0 { throw tooLarge() }
  }

  private func tooLarge() -> ExpressionError {
    let size = limits.decodedSize >> 20
    return Self.failure(
      LocalizedText(
        "the JSON text holds too many values: they need more than \(size) MiB of memory",
        de: "Der JSON-Text enthält zu viele Werte: Sie brauchen mehr als \(size) MiB Speicher"),
      at: cursor.position, .jsonTooLarge)
  }

  // MARK: Values

  // A part of what reads arrays and objects, so that only those and rare values are calls.
  @inline(__always)
  private mutating func value(depth: Int) throws(ExpressionError) -> Value {
    cursor.skipBlanks()
    guard let byte = cursor.peek else { throw unexpected() }
    try take(JSONLimits.Cost.value)
    switch byte {
    case UInt8(ascii: "\""):
      let text: String
      do { text = try cursor.string() } catch { throw failure(error) }
      if text.utf8.count > JSONLimits.Cost.shortText { try take(JSONLimits.Cost.text + text.utf8.count) }
      return .string(text)
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    default:
      if let number = cursor.shortWhole() { return .int(number) }
      switch cursor.constant() {
      case .true: return .bool(true)
      case .false: return .bool(false)
      case .null: return .null
      case nil: return try number()
      }
    }
  }

  @inline(never)
  private mutating func object(depth: Int) throws(ExpressionError) -> Value {
    if depth >= limits.depth { throw tooDeep() }
    cursor.position += 1
    cursor.skipBlanks()
    if cursor.take(UInt8(ascii: "}")) { return .map(ValueMap()) }
    try take(JSONLimits.Cost.container)
    var entries: [ValueMap.Entry] = []
    while true {
      cursor.skipBlanks()
      let name = try name()
      try take(JSONLimits.Cost.entry + name.utf8.count)
      cursor.skipBlanks()
      guard cursor.take(UInt8(ascii: ":")) else { throw unexpected() }
      entries.append(ValueMap.Entry(key: .string(name), value: try value(depth: depth + 1)))
      cursor.skipBlanks()
      if cursor.take(UInt8(ascii: ",")) { continue }
      guard cursor.take(UInt8(ascii: "}")) else { throw unexpected() }
      return .map(ValueMap(entries))
    }
  }

  private mutating func name() throws(ExpressionError) -> String {
    guard cursor.peek == UInt8(ascii: "\"") else { throw unexpected() }
    do throws(JSONFault) { return try cursor.string() } catch { throw failure(error) }
  }

  @inline(never)
  private mutating func array(depth: Int) throws(ExpressionError) -> Value {
    if depth >= limits.depth { throw tooDeep() }
    cursor.position += 1
    cursor.skipBlanks()
    if cursor.take(UInt8(ascii: "]")) { return .list([]) }
    try take(JSONLimits.Cost.container)
    var elements: [Value] = []
    while true {
      elements.append(try value(depth: depth + 1))
      cursor.skipBlanks()
      if cursor.take(UInt8(ascii: ",")) { continue }
      guard cursor.take(UInt8(ascii: "]")) else { throw unexpected() }
      return .list(elements)
    }
  }

  private func tooDeep() -> ExpressionError {
    Self.failure(
      LocalizedText(
        "the JSON text nests deeper than \(limits.depth) levels",
        de: "Der JSON-Text ist tiefer als \(limits.depth) Ebenen verschachtelt"), at: cursor.position)
  }

  @inline(never)
  private mutating func number() throws(ExpressionError) -> Value {
    guard let byte = cursor.peek, byte == UInt8(ascii: "-") || 48...57 ~= byte else { throw unexpected() }
    do {
      switch try cursor.number() {
      case .signed(let number): return .int(number)
      case .unsigned(let number): return .uint(number)
      case .double(let number): return .double(number)
      }
    } catch {
      throw failure(error)
    }
  }

  // MARK: Failures

  private func failure(_ fault: JSONFault) -> ExpressionError {
    switch fault.reason {
    case .surrogate:
      Self.failure(
        LocalizedText("half of a surrogate pair in the JSON text", de: "halbes Ersatzzeichenpaar im JSON-Text"),
        at: fault.offset)
    case .encoding:
      Self.failure(LocalizedText("the JSON text is not UTF-8", de: "Der JSON-Text ist nicht UTF-8"), at: fault.offset)
    case .range:
      Self.failure(LocalizedText("this number is too large", de: "Diese Zahl ist zu groß"), at: fault.offset)
    case .unterminated, .control, .escape, .hexadecimal, .digits:
      Self.unexpected(cursor[fault.offset], at: fault.offset)
    }
  }

  private func unexpected() -> ExpressionError { Self.unexpected(cursor.peek, at: cursor.position) }

  private static func unexpected(_ byte: UInt8?, at offset: Int) -> ExpressionError {
    guard let byte else {
      return failure(LocalizedText("the JSON text ends too early", de: "Der JSON-Text endet zu früh"), at: offset)
    }
    let shown = (0x21..<0x7F).contains(byte) ? "'\(Unicode.Scalar(byte))'" : "byte \(byte)"
    return failure(
      LocalizedText("unexpected \(shown) in the JSON text", de: "\(shown) im JSON-Text unerwartet"), at: offset)
  }

  private static func failure(
    _ message: LocalizedText, at offset: Int, _ code: ExpressionError.Code = .json
  ) -> ExpressionError {
    ExpressionError(
      code, message + LocalizedText(" (byte \(offset))", de: " (Byte \(offset))"), range: offset..<offset + 1)
  }
}
