extension JSONBuffer {
  /// Adds a string in quotation marks (RFC 8259, section 7).
  public mutating func append(string text: String) {
    // Unlike `withUTF8`, this takes no copy of the string, which would be counted as a reference.
    if text.utf8.withContiguousStorageIfAvailable({ appendString($0) }) != nil { return }
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
    var (length, rest) = (1, number)
    while rest >= 10_000 {
      rest /= 10_000
      length += 4
    }
    length += rest >= 1000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0
    reserve(length)
    count += length
    var end = base + count
    rest = number
    while rest >= 100 {
      let pair = Int(rest % 100) * 2
      rest /= 100
      end -= 2
      end[0] = Self.pairs.utf8Start[pair]
      end[1] = Self.pairs.utf8Start[pair + 1]
    }
    if rest >= 10 {
      end -= 2
      end[0] = 48 + UInt8(rest / 10)
      end[1] = 48 + UInt8(rest % 10)
    } else {
      end[-1] = 48 + UInt8(rest)
    }
  }

  /// The numbers below 100 in two digits each.
  private static var pairs: StaticString {
    """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960\
    616263646566676869707172737475767778798081828384858687888990919293949596979899
    """
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
    // There is always room for what is left and 15 bytes more, so that eight bytes at once fit up to the end.
    var (position, end, seen) = (0, base + count, 0 as UInt64)
    while position < length {
      while length - position >= 8 {
        let word = UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
        UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
        seen |= word
        let found = Self.marks(word)
        guard found == 0 else {
          let plain = found.trailingZeroBitCount >> 3
          position += plain
          end += plain
          break
        }
        position += 8
        end += 8
      }
      guard position < length else { break }
      let byte = bytes[position]
      if byte >= 0x20, byte != 0x22, byte != 0x5C {
        let left = min(8, length - position)
        let (word, used) = Self.lastBytes(bytes + position, left)
        seen |= word
        let found = Self.marks(word) & used
        UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
        let plain = found == 0 ? left : found.trailingZeroBitCount >> 3
        position += plain
        end += plain
      } else {
        count = end - base
        appendEscape(byte)
        position += 1
        reserve(length - position + 16)
        end = base + count
      }
    }
    count = end - base
    notASCII |= seen
  }

  /// One to seven bytes as a number, the first of them the lowest, and the bits that they take.
  @inline(__always)
  private static func lastBytes(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> (word: UInt64, used: UInt64) {
    let raw = UnsafeRawPointer(bytes)
    let used = ~0 as UInt64 >> UInt64(64 - 8 * length)
    if length >= 4 {
      let low = UInt64(UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self)))
      let high = UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self)))
      return (low | high << UInt64(8 * (length - 4)), used)
    }
    // The first, the middle and the last of three, two or one.
    let (first, middle, last) = (UInt64(bytes[0]), UInt64(bytes[length >> 1]), UInt64(bytes[length - 1]))
    return (first | middle << UInt64(8 * (length >> 1)) | last << UInt64(8 * (length - 1)), used)
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

  @inline(__always)
  private mutating func appendEscape(_ byte: UInt8) {
    let letter: UInt8 =
      switch byte {
      case 0x22, 0x5C: byte
      case 0x0A: UInt8(ascii: "n")
      case 0x0D: UInt8(ascii: "r")
      case 0x09: UInt8(ascii: "t")
      default: UInt8(ascii: "u")
      }
    reserve(6)
    base[count] = 0x5C
    base[count + 1] = letter
    count += 2
    guard letter == UInt8(ascii: "u") else { return }
    append(word: "00")
    append(48 + byte >> 4)
    append(byte & 15 < 10 ? 48 + byte & 15 : 87 + byte & 15)
  }
}
