extension JSONCursor {
  /// Reads a string; the quotation mark comes next.
  public mutating func string() throws(JSONFault) -> String {
    var scan = Scan(from: position + 1)
    try skipPlain(&scan)
    guard scan.hasEscapes else {
      position = scan.position + 1
      if let invalid = scan.invalid { throw fault(.encoding, at: invalid) }
      return text(base + scan.start, scan.position - scan.start, isASCII: scan.isASCII)
    }
    try unescape(&scan)
    return text(UnsafePointer(scratch.base), scratch.count, isASCII: scan.isASCII)
  }

  /// Reads the name of a member; the quotation mark comes next.
  ///
  /// - Returns: The name, and a number that is the same for equal names and mostly another one for others. It is 0 for
  ///   names that are not ASCII, which may be equal in spite of different bytes.
  public mutating func name() throws(JSONFault) -> (text: String, fingerprint: UInt64) {
    var scan = Scan(from: position + 1)
    try skipPlain(&scan)
    guard scan.hasEscapes else {
      position = scan.position + 1
      if let invalid = scan.invalid { throw fault(.encoding, at: invalid) }
      let (start, length) = (base + scan.start, scan.position - scan.start)
      return (text(start, length, isASCII: scan.isASCII), scan.isASCII ? fingerprint(start, length) : 0)
    }
    try unescape(&scan)
    let start = UnsafePointer(scratch.base)
    return (
      text(start, scratch.count, isASCII: scan.isASCII), scan.isASCII ? fingerprint(start, scratch.count) : 0
    )
  }

  /// How far a string has been read.
  private struct Scan {
    let start: Int
    var position: Int
    var isASCII = true
    var hasEscapes = false
    /// The first byte that is not UTF-8. Told only at the end of the string: what is no JSON at all comes first.
    var invalid: Int?

    init(from start: Int) {
      self.start = start
      position = start
    }
  }

  // The bytes of the string are UTF-8: every one of them was looked at.
  @inline(__always)
  private func text(_ start: UnsafePointer<UInt8>, _ length: Int, isASCII: Bool) -> String {
    let bytes = UnsafeBufferPointer(start: start, count: length)
    return String(copying: unsafe UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
  }

  @inline(__always)
  private func fingerprint(_ start: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    let bytes = UnsafeRawPointer(start)
    var (first, last): (UInt64, UInt64) = (0, 0)
    if length >= 8 {
      first = bytes.loadUnaligned(as: UInt64.self)
      last = (bytes + length - 8).loadUnaligned(as: UInt64.self)
    } else if length >= 4 {
      first = UInt64(bytes.loadUnaligned(as: UInt32.self))
      last = UInt64((bytes + length - 4).loadUnaligned(as: UInt32.self))
    } else {
      for index in 0..<length { first = first << 8 | UInt64(start[index]) }
    }
    let mixed = (first ^ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15 ^ last &* 0xC2B2_AE3D_27D4_EB4F
    return mixed ^ mixed >> 29 | 1
  }

  /// Marks, by their highest bits, the bytes of a word that are quotation marks, backslashes, control characters or not
  /// ASCII. Above the lowest mark there may be false ones.
  @inline(__always)
  private func marks(_ word: UInt64) -> UInt64 {
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let (quotes, slashes) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
    let equal = ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
    return (equal | (word &- ones &* 0x20) | word) & highs
  }

  /// Goes on to the end of the string or to its first escape sequence.
  @inline(__always)
  private func skipPlain(_ scan: inout Scan) throws(JSONFault) {
    while true {
      while count - scan.position >= 8 {
        let found = marks(word(at: scan.position))
        guard found == 0 else {
          scan.position += found.trailingZeroBitCount >> 3
          break
        }
        scan.position += 8
      }
      guard scan.position < count else { throw fault(.unterminated, at: count) }
      switch base[scan.position] {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"):
        scan.hasEscapes = true
        return
      case 0..<0x20: throw fault(.control, at: scan.position)
      case 0x80...: skipSequences(&scan)
      default: scan.position += 1
      }
    }
  }

  /// Goes behind the bytes that come next and are not ASCII.
  private func skipSequences(_ scan: inout Scan) {
    scan.isASCII = false
    while scan.position < count, base[scan.position] >= 0x80 {
      let length = sequenceLength(at: scan.position)
      if length == 0, scan.invalid == nil { scan.invalid = scan.position }
      scan.position += max(1, length)
    }
  }

  /// The length of a character of several bytes; 0 where it is not UTF-8 (RFC 3629, section 4).
  @inline(__always)
  private func sequenceLength(at index: Int) -> Int {
    let (lead, left) = (base[index], count - index)
    func isTail(_ distance: Int) -> Bool { base[index + distance] & 0xC0 == 0x80 }
    switch lead {
    case 0xC2...0xDF: return left > 1 && isTail(1) ? 2 : 0
    case 0xE0...0xEF:
      guard left > 2, isTail(1), isTail(2) else { return 0 }
      let second = base[index + 1]
      return (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ? 0 : 3
    case 0xF0...0xF4:
      guard left > 3, isTail(1), isTail(2), isTail(3) else { return 0 }
      let second = base[index + 1]
      return (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F) ? 0 : 4
    default: return 0
    }
  }

  // MARK: Escape sequences

  /// Reads the rest of a string from its first escape sequence on; its whole content is in `scratch` then.
  private mutating func unescape(_ scan: inout Scan) throws(JSONFault) {
    scratch.removeAll()
    // No escape sequence is shorter than what it stands for: what has been put there is never longer than what was read,
    // and eight bytes at once fit up to the end. Room that is not used costs nothing.
    scratch.reserve(count - scan.start + 16)
    scratch.append(bytes: UnsafeBufferPointer(start: base + scan.start, count: scan.position - scan.start))
    var (position, end) = (scan.position, scratch.base + scratch.count)
    while true {
      while count - position >= 8 {
        let word = word(at: position)
        UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
        let found = marks(word)
        guard found == 0 else {
          let plain = found.trailingZeroBitCount >> 3
          position += plain
          end += plain
          break
        }
        position += 8
        end += 8
      }
      guard position < count else { throw fault(.unterminated, at: count) }
      let byte = base[position]
      switch byte {
      case UInt8(ascii: "\""):
        self.position = position + 1
        scratch.count = end - scratch.base
        if let invalid = scan.invalid { throw fault(.encoding, at: invalid) }
        return
      case UInt8(ascii: "\\"):
        if position + 1 < count, let character = Self.character(escapedAs: base[position + 1]) {
          end[0] = character
          end += 1
          position += 2
        } else {
          scratch.count = end - scratch.base
          try unescapeScalar(at: &position, &scan)
          end = scratch.base + scratch.count
        }
      case 0..<0x20: throw fault(.control, at: position)
      case 0x80...:
        scan.isASCII = false
        let length = sequenceLength(at: position)
        if length == 0, scan.invalid == nil { scan.invalid = position }
        for _ in 0..<max(1, length) {
          end[0] = base[position]
          end += 1
          position += 1
        }
      default:
        end[0] = byte
        end += 1
        position += 1
      }
    }
  }

  /// What one letter behind a backslash stands for.
  @inline(__always)
  private static func character(escapedAs letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Reads `\u` and what follows it into `scratch`.
  private mutating func unescapeScalar(at position: inout Int, _ scan: inout Scan) throws(JSONFault) {
    let start = position
    guard start + 1 < count else { throw fault(.unterminated, at: count) }
    guard base[start + 1] == UInt8(ascii: "u") else { throw fault(.escape, at: start + 1, from: start) }
    scan.position = start + 2
    let scalar = try scalar(&scan, from: start)
    if !scalar.isASCII { scan.isASCII = false }
    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { scratch.append(unit) }
    position = scan.position
  }

  /// Reads what follows `\u`.
  private func scalar(_ scan: inout Scan, from start: Int) throws(JSONFault) -> Unicode.Scalar {
    let first = try hexadecimal(&scan)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let next = scan.position
    if first < 0xDC00, next + 1 < count, base[next] == UInt8(ascii: "\\"), base[next + 1] == UInt8(ascii: "u") {
      scan.position += 2
      let second = try hexadecimal(&scan)
      if (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
      scan.position = next
    }
    guard repairsSurrogates else { throw fault(.surrogate, at: start) }
    return "\u{FFFD}"
  }

  private func hexadecimal(_ scan: inout Scan) throws(JSONFault) -> UInt32 {
    let start = scan.position
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard scan.position < count else { throw fault(.hexadecimal, at: count, from: start) }
      let digit = base[scan.position]
      switch digit {
      case 48...57: code = code << 4 | UInt32(digit - 48)
      case 65...70: code = code << 4 | UInt32(digit - 55)
      case 97...102: code = code << 4 | UInt32(digit - 87)
      default: throw fault(.hexadecimal, at: scan.position, from: start)
      }
      scan.position += 1
    }
    return code
  }
}
