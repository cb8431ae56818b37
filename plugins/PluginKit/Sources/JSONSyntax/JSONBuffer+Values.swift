extension JSONBuffer {
  /// Adds a string in quotation marks (RFC 8259, section 7).
  public mutating func append(string text: String) {
    // Unlike `withUTF8`, this takes no copy of the string, which would be counted as a reference.
    if text.utf8.withContiguousStorageIfAvailable({ append(string: $0) }) != nil { return }
    var text = text
    text.withUTF8 { append(string: $0) }
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
    reserve(20)
    let tenToThe8: UInt64 = 100_000_000
    if number < tenToThe8 { return appendDigits(of: number) }
    if number < tenToThe8 * tenToThe8 {
      appendDigits(of: number / tenToThe8)
    } else {
      let upper = number / tenToThe8
      appendDigits(of: upper / tenToThe8)
      appendEightDigits(of: upper % tenToThe8)
    }
    appendEightDigits(of: number % tenToThe8)
  }

  /// Adds a number of up to eight digits, for which there must be room.
  @inline(__always)
  private mutating func appendDigits(of number: UInt64) {
    count +=
      number < 10_000
      ? (number < 100 ? (number < 10 ? 1 : 2) : (number < 1000 ? 3 : 4))
      : (number < 1_000_000 ? (number < 100_000 ? 5 : 6) : (number < 10_000_000 ? 7 : 8))
    var (end, rest) = (base + count, number)
    while rest >= 100 {
      end -= 2
      Self.put(pair: rest % 100, at: end)
      rest /= 100
    }
    if rest >= 10 { Self.put(pair: rest, at: end - 2) } else { end[-1] = 48 + UInt8(rest) }
  }

  /// Adds a number of eight digits, with zeros before it, for which there must be room.
  @inline(__always)
  private mutating func appendEightDigits(of number: UInt64) {
    let (upper, lower) = (number / 10_000, number % 10_000)
    let end = base + count
    Self.put(pair: upper / 100, at: end)
    Self.put(pair: upper % 100, at: end + 2)
    Self.put(pair: lower / 100, at: end + 4)
    Self.put(pair: lower % 100, at: end + 6)
    count += 8
  }

  @inline(__always)
  private static func put(pair: UInt64, at place: UnsafeMutablePointer<UInt8>) {
    place[0] = pairs.utf8Start[Int(pair) * 2]
    place[1] = pairs.utf8Start[Int(pair) * 2 + 1]
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
  public mutating func append(number: Double) {
    if appendShort(number) { return }
    var text = number.description
    text.withUTF8 { append(bytes: $0) }
  }

  /// Adds a number that has no more than six digits behind the point and is not large, as most are; nothing else.
  private mutating func appendShort(_ number: Double) -> Bool {
    // So few digits are exact in a double, and no fewer say the same.
    guard number.magnitude < 1e9, number.magnitude >= 1e-4 || number == 0 else { return false }
    var digits = UInt64(number.magnitude * 1e6 + 0.5)
    guard Double(digits) / 1e6 == number.magnitude else { return false }
    if number.sign == .minus { append(UInt8(ascii: "-")) }
    append(number: digits / 1_000_000)
    digits %= 1_000_000
    reserve(8)
    base[count] = UInt8(ascii: ".")
    Self.put(pair: digits / 10_000, at: base + count + 1)
    Self.put(pair: digits / 100 % 100, at: base + count + 3)
    Self.put(pair: digits % 100, at: base + count + 5)
    count += 7
    // Zeros at the end, but for the first digit.
    var zeros = 0
    while zeros < 5, base[count - 1 - zeros] == 48 { zeros += 1 }
    count -= zeros
    return true
  }

  /// Adds a string in quotation marks.
  ///
  /// - Parameter bytes: The string, UTF-8.
  public mutating func append(string bytes: UnsafeBufferPointer<UInt8>) {
    // With escape sequences here and there.
    reserve(bytes.count + bytes.count / 8 + 32)
    base[count] = UInt8(ascii: "\"")
    count += 1
    if let start = bytes.baseAddress { appendContent(start, bytes.count) }
    base[count] = UInt8(ascii: "\"")
    count += 1
  }

  @inline(__always)
  private mutating func appendContent(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    // There is always room for what is left and 16 bytes more, so that eight bytes at once fit up to the end.
    var (position, end, seen) = (0, base + count, 0 as UInt64)
    while true {
      let left = length &- position
      var (word, found): (UInt64, UInt64)
      if left >= 8 {
        word = UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
        found = Self.marks(word)
      } else if left > 0 {
        if length >= 8 {
          word = UInt64(littleEndian: UnsafeRawPointer(bytes + (length &- 8)).loadUnaligned(as: UInt64.self))
          word >>= UInt64(truncatingIfNeeded: 64 &- 8 &* left)
        } else {
          word = Self.lastBytes(bytes + position, left)
        }
        // What is beyond the end is zero, which is a mark.
        found = Self.marks(word)
        if found.trailingZeroBitCount >> 3 >= left { found = 0 }
      } else {
        break
      }
      UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
      seen |= word
      guard found != 0 else {
        position &+= min(left, 8)
        end += min(left, 8)
        continue
      }
      let plain = found.trailingZeroBitCount >> 3
      position &+= plain
      end += plain
      // Mostly, more of them follow soon.
      var byte = bytes[position]
      repeat {
        end += Self.put(escapeOf: byte, at: end)
        position &+= 1
        let used = end - base
        if capacity &- used < length &- position &+ 32 {
          count = used
          reserve(length - position + (length - position) / 2 + 32)
          end = base + used
        }
        guard position < length else { break }
        byte = bytes[position]
      } while byte < 0x20 || byte == 0x22 || byte == 0x5C
    }
    count = end - base
    notASCII |= seen
  }

  /// One to seven bytes as a number, the first of them the lowest.
  @inline(__always)
  private static func lastBytes(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    let raw = UnsafeRawPointer(bytes)
    if length >= 4 {
      let low = UInt64(UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self)))
      let high = UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)))
      return low | high << UInt64(truncatingIfNeeded: 8 &* (length &- 4))
    }
    // The first, the middle and the last of three, two or one.
    let (first, middle, last) = (UInt64(bytes[0]), UInt64(bytes[length >> 1]), UInt64(bytes[length &- 1]))
    let shift = UInt64(truncatingIfNeeded: 8 &* (length >> 1))
    return first | middle << shift | last << UInt64(truncatingIfNeeded: 8 &* (length &- 1))
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

  /// Writes the escape sequence of a character; there must be room for eight bytes.
  ///
  /// - Returns: How many it takes.
  @inline(__always)
  private static func put(escapeOf byte: UInt8, at place: UnsafeMutablePointer<UInt8>) -> Int {
    let letter = byte >= 0x20 ? byte : letters.utf8Start[Int(byte)]
    place[0] = 0x5C
    place[1] = letter
    guard letter == UInt8(ascii: "u") else { return 2 }
    place[2] = 48
    place[3] = 48
    place[4] = 48 + byte >> 4
    place[5] = byte & 15 < 10 ? 48 + byte & 15 : 87 + byte & 15
    return 6
  }

  /// What stands behind the backslash for each control character.
  private static var letters: StaticString { "uuuuuuuuutnuuruuuuuuuuuuuuuuuuuu" }
}
