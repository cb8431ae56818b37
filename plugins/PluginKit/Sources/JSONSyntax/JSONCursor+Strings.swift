extension JSONCursor {
  /// Reads a string; the quotation mark comes next.
  public mutating func string() throws(JSONFault) -> String {
    let start = position + 1
    if let length = takeASCII() { return text(base + start, length, isASCII: true) }
    var scan = Scan(from: start)
    try skipPlain(&scan)
    guard scan.hasEscapes else {
      position = scan.position + 1
      if let invalid = scan.invalid { throw fault(.encoding, at: invalid) }
      return text(base + scan.start, scan.position - scan.start, isASCII: scan.isASCII)
    }
    try unescape(&scan)
    return text(UnsafePointer(scratch.base), scratch.count, isASCII: scan.isASCII)
  }

  /// Reads a string of up to 32 characters that are ASCII and stand for themselves, as most strings are; anything else stays
  /// unread.
  ///
  /// - Returns: Its length.
  @inline(__always)
  private mutating func takeASCII() -> Int? {
    let start = position &+ 1
    var end = start
    while count &- end >= 8, end &- start < 32 {
      let found = marks(word(at: end))
      guard found == 0 else {
        end &+= found.trailingZeroBitCount >> 3
        guard base[end] == UInt8(ascii: "\"") else { return nil }
        position = end &+ 1
        return end &- start
      }
      end &+= 8
    }
    return nil
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

  /// Goes behind the characters that come next and are not ASCII, and single ones between them that are.
  private func skipSequences(_ scan: inout Scan) {
    scan.isASCII = false
    while scan.position < count {
      let byte = base[scan.position]
      if byte < 0x80 {
        let isBetween = scan.position + 1 < count && base[scan.position + 1] >= 0x80
        guard isBetween, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return }
        scan.position += 1
        continue
      }
      if count - scan.position >= 8 {
        let length = Self.plainSequences(word(at: scan.position))
        scan.position += length
        if length > 0 { continue }
      }
      let length = sequenceLength(at: scan.position)
      if length == 0, scan.invalid == nil { scan.invalid = scan.position }
      scan.position &+= max(1, length)
    }
  }

  /// How many bytes four characters of two bytes, or two of three or four, take at the beginning of a word; 0 where there
  /// are none, or where it takes a closer look.
  @inline(__always)
  private static func plainSequences(_ word: UInt64) -> Int {
    if word & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0 {
      // No character of two bytes begins with C0 or C1.
      let short = word & 0x001E_001E_001E_001E
      return (short &+ 0x00FE_00FE_00FE_00FE) & 0x0100_0100_0100_0100 == 0x0100_0100_0100_0100 ? 8 : 0
    }
    if word & 0xC0C0_C0F8_C0C0_C0F8 == 0x8080_80F0_8080_80F0 {
      // Not all that follows F0 and F4 is a character.
      func isCharacter(_ bytes: UInt64) -> Bool {
        bytes & 0x3007 != 0 && (bytes & 7 < 4 || bytes & 0x3007 == 4)
      }
      return isCharacter(word) && isCharacter(word >> 32) ? 8 : 0
    }
    guard word & 0x0000_C0C0_F0C0_C0F0 == 0x0000_8080_E080_80E0 else { return 0 }
    // Not all that follows E0 and ED is a character.
    func isCharacter(_ bytes: UInt64) -> Bool { bytes & 0x200F != 0 && bytes & 0x200F != 0x200D }
    return isCharacter(word) && isCharacter(word >> 24) ? 6 : 0
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
          // What is written in another script comes as one such sequence after the other.
          let start = position
          while count - position >= 6, base[position] == UInt8(ascii: "\\"), base[position + 1] == UInt8(ascii: "u"),
            let unit = Self.hexadecimal(fourBytes(at: position + 2)), unit & 0xF800 != 0xD800
          {
            end += Self.put(unit, at: end)
            if unit >= 0x80 { scan.isASCII = false }
            position += 6
          }
          if position > start { continue }
          scratch.count = end - scratch.base
          try unescapeScalar(at: &position, &scan)
          end = scratch.base + scratch.count
        }
      case 0..<0x20: throw fault(.control, at: position)
      case 0x80...:
        scan.isASCII = false
        let length = sequenceLength(at: position)
        if length == 0, scan.invalid == nil { scan.invalid = position }
        for index in 0..<max(1, length) { end[index] = base[position + index] }
        end += max(1, length)
        position += max(1, length)
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

  @inline(__always)
  private func fourBytes(at index: Int) -> UInt32 {
    UInt32(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt32.self))
  }

  /// The number that four hexadecimal digits say, the first of them the lowest byte; `nil` where there are others among them.
  @inline(__always)
  private static func hexadecimal(_ digits: UInt32) -> UInt32? {
    let (nibbles, letters) = (digits & 0x0F0F_0F0F, digits >> 6 & 0x0101_0101)
    guard (digits | letters &* 0x20) & 0xF0F0_F0F0 == 0x3030_3030 &+ letters &* 0x30,
      // Digits end at 9; letters begin at 1 and end at 6.
      (nibbles &+ 0x7676_7676 &+ letters &* 3) & 0x8080_8080 == 0, letters << 7 & ~(nibbles &+ 0x7F7F_7F7F) == 0
    else { return nil }
    let values = nibbles &+ letters &* 9
    let pairs = (values << 4 | values >> 8) & 0x00FF_00FF
    return (pairs << 8 | pairs >> 16) & 0xFFFF
  }

  /// Writes a character of up to three bytes.
  ///
  /// - Returns: How many it has.
  @inline(__always)
  private static func put(_ scalar: UInt32, at end: UnsafeMutablePointer<UInt8>) -> Int {
    if scalar < 0x80 {
      end[0] = UInt8(truncatingIfNeeded: scalar)
      return 1
    }
    if scalar < 0x800 {
      end[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      end[1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 2
    }
    end[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
    end[1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
    end[2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
    return 3
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
