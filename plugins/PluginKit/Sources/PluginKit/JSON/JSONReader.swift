internal import JSONSyntax

/// Reads JSON text, RFC 8259, strictly.
///
/// Of equal names in an object the last counts. Nesting is limited, so that hostile text cannot exhaust the stack.
struct JSONReader: ~Copyable {
  struct Failure: Error {
    let offset: Int
    let english: String
    let german: String
  }

  private static let depthLimit = 256

  private var cursor: JSONCursor

  static func read(_ json: [UInt8]) throws(Failure) -> JSONValue {
    let result = json.withUnsafeBufferPointer { bytes in
      Result { () throws(Failure) in try read(bytes) }
    }
    return try result.get()
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(Failure) -> JSONValue {
    guard let base = bytes.baseAddress else {
      throw Failure(offset: 0, english: "unexpected end", german: "unerwartetes Ende")
    }
    var reader = JSONReader(JSONCursor(base, count: bytes.count, repairsSurrogates: true))
    let value = try reader.value(depth: 0)
    reader.cursor.skipBlanks()
    guard reader.cursor.peek == nil else { throw reader.failure("text after the end", "Text nach dem Ende") }
    return value
  }

  private init(_ cursor: consuming JSONCursor) { self.cursor = cursor }

  // A part of what reads arrays and objects, so that only those and rare values are calls.
  @inline(__always)
  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth < JSONReader.depthLimit else { throw failure("nested too deeply", "zu tief verschachtelt") }
    cursor.skipBlanks()
    guard let byte = cursor.peek else { throw failure("unexpected end", "unerwartetes Ende") }
    switch byte {
    case UInt8(ascii: "\""):
      do { return .string(try cursor.string()) } catch { throw failure(error) }
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    default:
      if let number = cursor.shortWhole() { return .integer(number) }
      switch cursor.constant() {
      case .true: return .bool(true)
      case .false: return .bool(false)
      case .null: return .null
      case nil: return try number()
      }
    }
  }

  @inline(never)
  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    cursor.position += 1
    if takes(UInt8(ascii: "}")) { return .object(JSONObject()) }
    var members: [OrderedMembers<JSONValue>.Member] = []
    repeat {
      cursor.skipBlanks()
      let name = try name()
      try expect(UInt8(ascii: ":"))
      members.append(OrderedMembers.Member(name: name, value: try value(depth: depth + 1)))
    } while takes(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return .object(JSONObject(OrderedMembers(members)))
  }

  private mutating func name() throws(Failure) -> String {
    guard cursor.peek == UInt8(ascii: "\"") else { throw failure("expected a name", "Name erwartet") }
    do { return try cursor.string() } catch { throw failure(error) }
  }

  @inline(never)
  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    cursor.position += 1
    if takes(UInt8(ascii: "]")) { return .array([]) }
    var elements: [JSONValue] = []
    repeat { elements.append(try value(depth: depth + 1)) } while takes(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return .array(elements)
  }

  @inline(never)
  private mutating func number() throws(Failure) -> JSONValue {
    guard let byte = cursor.peek, byte == UInt8(ascii: "-") || 48...57 ~= byte else {
      throw failure("not a JSON value", "kein JSON-Wert")
    }
    do {
      switch try cursor.number() {
      case .signed(let number): return .integer(number)
      case .unsigned(let number): return .number(Double(number))
      case .double(let number): return .number(number)
      }
    } catch {
      throw failure(error)
    }
  }

  @inline(__always)
  private mutating func takes(_ byte: UInt8) -> Bool {
    cursor.skipBlanks()
    return cursor.take(byte)
  }

  @inline(__always)
  private mutating func expect(_ byte: UInt8) throws(Failure) {
    guard takes(byte) else { throw expected(byte) }
  }

  private func expected(_ byte: UInt8) -> Failure {
    let character = Character(Unicode.Scalar(byte))
    return failure("expected '\(character)'", "'\(character)' erwartet")
  }

  private func failure(_ english: String, _ german: String) -> Failure {
    Failure(offset: cursor.position, english: english, german: german)
  }

  private func failure(_ fault: JSONFault) -> Failure {
    let (english, german, offset) =
      switch fault.reason {
      case .unterminated: ("unexpected end of a string", "unerwartetes Ende eines Texts", fault.offset)
      case .control: ("control character in a string", "Steuerzeichen in einem Text", fault.offset)
      case .escape: ("unknown escape", "unbekannte Escape-Folge", fault.offset + 1)
      case .hexadecimal: ("malformed \\u escape", "fehlerhafte \\u-Folge", fault.start)
      case .encoding, .surrogate: ("the string is not UTF-8", "der Text ist kein UTF-8", fault.offset)
      case .digits: ("malformed number", "fehlerhafte Zahl", fault.offset)
      case .range: ("number out of range", "Zahl außerhalb des Bereichs", fault.offset)
      }
    return Failure(offset: offset, english: english, german: german)
  }
}
