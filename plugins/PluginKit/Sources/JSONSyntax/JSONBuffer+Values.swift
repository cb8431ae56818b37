extension JSONBuffer {
  /// Adds a string in quotation marks (RFC 8259, section 7).
  public mutating func append(string text: String) {
    var text = text
    text.withUTF8 { appendString($0) }
  }

  /// The bytes that ``append(string:)`` would add.
  public static func size(ofString text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      var size = bytes.count + 2
      guard let start = bytes.baseAddress else { return size }
      var position = 0
      while position < bytes.count {
        if bytes.count - position >= 8,
          marks(UInt64(littleEndian: UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))) == 0
        {
          position += 8
          continue
        }
        switch start[position] {
        case 0x22, 0x5C, 0x0A, 0x0D, 0x09: size += 1
        case 0..<0x20: size += 5
        default: break
        }
        position += 1
      }
      return size
    }
  }

  /// Adds a whole number.
  public mutating func append(number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number: number.magnitude)
  }

  /// Adds a whole number.
  public mutating func append(number: UInt64) {
    // 2^64 has 20 digits.
    reserve(20)
    var (length, rest) = (1, number)
    while rest >= 10 {
      rest /= 10
      length += 1
    }
    rest = number
    for index in stride(from: count + length - 1, through: count, by: -1) {
      base[index] = UInt8(truncatingIfNeeded: rest % 10) + 48
      rest /= 10
    }
    count += length
  }

  /// Adds a number; it must be finite.
  ///
  /// Writes the shortest text that reads back as the same number; `1.0` keeps its fraction, so that a reader who tells
  /// integers from doubles does not see the type change with the value.
  public mutating func append(number: Double) { append(json: number.description) }

  private mutating func appendString(_ bytes: UnsafeBufferPointer<UInt8>) {
    // With escape sequences here and there.
    reserve(bytes.count + bytes.count / 8 + 16)
    append(UInt8(ascii: "\""))
    if let start = bytes.baseAddress { appendContent(start, bytes.count) }
    append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private mutating func appendContent(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    var position = 0
    while true {
      while length - position >= 8 {
        let word = UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
        put(word)
        let found = Self.marks(word)
        guard found == 0 else {
          let plain = found.trailingZeroBitCount >> 3
          position += plain
          count += plain
          break
        }
        position += 8
        count += 8
      }
      guard position < length else { return }
      let byte = bytes[position]
      if byte >= 0x20, byte != 0x22, byte != 0x5C {
        base[count] = byte
        count += 1
      } else {
        appendEscape(byte)
        reserve(length - position + 16)
      }
      position += 1
    }
  }

  /// Marks, by their highest bits, the bytes of a word that need an escape sequence. Above the lowest mark there may be
  /// false ones.
  @inline(__always)
  private static func marks(_ word: UInt64) -> UInt64 {
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let (quotes, slashes) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
    let equal = ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
    return (equal | ((word &- ones &* 0x20) & ~word)) & highs
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case 0x22: append(word: "\\\"")
    case 0x5C: append(word: "\\\\")
    case 0x0A: append(word: "\\n")
    case 0x0D: append(word: "\\r")
    case 0x09: append(word: "\\t")
    default:
      append(word: "\\u00")
      append(48 + byte >> 4)
      append(byte & 15 < 10 ? 48 + byte & 15 : 87 + byte & 15)
    }
  }
}
