/// Reads the tokens of one whole response (RFC 9051 §9), from left to right.
struct ResponseCursor {
  /// How deep lists may be nested.
  static let maximumDepth = 64

  let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  /// The next byte; `nil` at the end.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  static func syntax(_ expected: String) -> ProtocolFault { ProtocolFault(.syntax, "expected \(expected)") }

  /// Takes one byte, where it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  /// Takes a byte that has to come next.
  mutating func expect(_ byte: UInt8) throws(ProtocolFault) {
    guard take(byte) else { throw Self.syntax("'\(Character(UnicodeScalar(byte)))'") }
  }

  mutating func space() throws(ProtocolFault) { try expect(0x20) }

  /// Goes over spaces, of which some servers send too many.
  mutating func spaces() { while take(0x20) {} }

  /// The rest as text; invalid UTF-8 as U+FFFD.
  mutating func rest() -> String {
    defer { position = bytes.count }
    return String(decoding: bytes[min(position, bytes.count)...], as: UTF8.self)
  }

  // MARK: Atoms and numbers

  /// Whether a byte may occur in an atom; brackets and backslashes are looked at by those who ask.
  private static func isAtom(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x20, 0x22, 0x28, 0x29, 0x7B, 0x7F: false
    default: true
    }
  }

  private mutating func run(_ isPart: (UInt8) -> Bool) -> Range<Int> {
    let first = position
    while position < bytes.count, isPart(bytes[position]) { position += 1 }
    return first..<position
  }

  /// A word of a command or status, in capitals.
  mutating func keyword() throws(ProtocolFault) -> String {
    let range = run { ResponseCursor.isAtom($0) && $0 != 0x5B && $0 != 0x5D }
    guard !range.isEmpty else { throw Self.syntax("a word") }
    return String(decoding: bytes[range], as: UTF8.self).uppercased()
  }

  /// A tag, flag or other word unchanged, with brackets.
  mutating func word() throws(ProtocolFault) -> String {
    let range = run(ResponseCursor.isAtom)
    guard !range.isEmpty else { throw Self.syntax("a word") }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// A number of at most 63 bits.
  mutating func number() throws(ProtocolFault) -> UInt64 {
    let range = run { $0 >= 0x30 && $0 <= 0x39 }
    guard !range.isEmpty, range.count <= 18 else { throw Self.syntax("a number") }
    return bytes[range].reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
  }

  /// A mod-sequence, a number of 63 bits (RFC 7162 §7).
  mutating func modSequence() throws(ProtocolFault) -> UInt64 {
    let range = run { $0 >= 0x30 && $0 <= 0x39 }
    guard !range.isEmpty, range.count <= 19 else { throw Self.syntax("a number") }
    return bytes[range].reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
  }

  /// A number of 32 bits: a sequence number or UID, and how many.
  mutating func number32() throws(ProtocolFault) -> UInt32 {
    guard let number = UInt32(exactly: try number()) else { throw Self.syntax("a number of 32 bits") }
    return number
  }

  // MARK: Strings

  /// Whether a word comes next, in any case, and ends there.
  func isNext(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard bytes.count - position >= length else { return false }
    let isSame = word.withUTF8Buffer { expected in
      for index in 0..<length {
        let byte = bytes[position + index]
        if (byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte) != expected[index] { return false }
      }
      return true
    }
    guard isSame else { return false }
    guard position + length < bytes.count else { return true }
    return !ResponseCursor.isAtom(bytes[position + length])
  }

  /// A string, quoted or literal; `nil` for NIL.
  mutating func nilOrString() throws(ProtocolFault) -> ArraySlice<UInt8>? {
    switch peek {
    case 0x22: return try quoted()
    case 0x7B, 0x7E: return try literal()
    default:
      guard isNext("NIL") else { throw Self.syntax("a string or NIL") }
      position += 3
      return nil
    }
  }

  /// A string in any form, or an atom.
  mutating func astring() throws(ProtocolFault) -> ArraySlice<UInt8> {
    switch peek {
    case 0x22: return try quoted()
    case 0x7B, 0x7E: return try literal()
    default:
      let range = run(ResponseCursor.isAtom)
      guard !range.isEmpty else { throw Self.syntax("a string") }
      return bytes[range]
    }
  }

  /// A string in any form as text; invalid UTF-8 as U+FFFD.
  mutating func text() throws(ProtocolFault) -> String { String(decoding: try astring(), as: UTF8.self) }

  private mutating func quoted() throws(ProtocolFault) -> ArraySlice<UInt8> {
    try expect(0x22)
    let first = position
    var isEscaped = false
    while position < bytes.count {
      switch bytes[position] {
      case 0x22:
        defer { position += 1 }
        guard isEscaped else { return bytes[first..<position] }
        return unescaped(bytes[first..<position])[...]
      case 0x5C:
        isEscaped = true
        position += 2
      case 0x0D, 0x0A: throw ProtocolFault(.lineEnd, "in a quoted string")
      default: position += 1
      }
    }
    position = bytes.count
    throw Self.syntax("the end of a quoted string")
  }

  private func unescaped(_ slice: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(slice.count)
    var isEscaped = false
    for byte in slice {
      if byte == 0x5C, !isEscaped {
        isEscaped = true
      } else {
        result.append(byte)
        isEscaped = false
      }
    }
    return result
  }

  /// The reader has seen to it that all of the literal is there; this does not rely on it.
  private mutating func literal() throws(ProtocolFault) -> ArraySlice<UInt8> {
    _ = take(0x7E)
    try expect(0x7B)
    let size = try number()
    _ = take(0x2B)
    try expect(0x7D)
    try expect(0x0D)
    try expect(0x0A)
    guard size <= UInt64(bytes.count - position) else { throw Self.syntax("the whole of a literal") }
    let first = position
    position += Int(size)
    return bytes[first..<position]
  }

  // MARK: Lists

  /// Reads a list in parentheses, its elements set apart by spaces.
  mutating func list(_ element: (inout ResponseCursor) throws(ProtocolFault) -> Void) throws(ProtocolFault) {
    try expect(0x28)
    spaces()
    while !take(0x29) {
      try element(&self)
      let before = position
      spaces()
      guard position > before || peek == 0x29 || peek == 0x28 else { throw Self.syntax("')'") }
    }
  }

  /// Goes over a value of any form.
  mutating func skip() throws(ProtocolFault) {
    var depth = 0
    repeat {
      switch peek {
      case 0x28:
        depth += 1
        guard depth <= Self.maximumDepth else { throw ProtocolFault(.tooDeep, "lists within lists") }
        position += 1
      case 0x29 where depth > 0:
        depth -= 1
        position += 1
      case 0x20 where depth > 0: position += 1
      case nil: throw Self.syntax("a value")
      default: _ = try astring()
      }
    } while depth > 0
  }
}

extension ResponseCursor {
  /// A set, `1:3,7`.
  mutating func uidSet() throws(ProtocolFault) -> UIDSet {
    var set = UIDSet()
    repeat {
      let first = try number32()
      let last = take(0x3A) ? try number32() : first
      // Servers may write a range from its end (RFC 9051 `seq-range`).
      set.append(min(first, last)...max(first, last))
    } while take(0x2C)
    return set
  }
}
