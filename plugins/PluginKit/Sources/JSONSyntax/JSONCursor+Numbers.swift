/// A number of a JSON text.
public enum JSONNumber: Sendable, Equatable {
  /// A number without fraction and exponent that fits.
  case signed(Int64)
  /// A number without fraction and exponent that only an unsigned integer holds.
  case unsigned(UInt64)
  /// Any other number.
  case double(Double)
}

extension JSONCursor {
  /// Reads a number; its sign or first digit comes next.
  public mutating func number() throws(JSONFault) -> JSONNumber {
    let start = position
    let isNegative = take(UInt8(ascii: "-"))
    if let number = shortWhole() { return .signed(isNegative ? -number : number) }
    var digits = Digits()
    if !take(UInt8(ascii: "0")) { try readDigits(into: &digits) }
    var (isWhole, exponent) = (true, 0)
    if take(UInt8(ascii: ".")) {
      isWhole = false
      let first = position
      try readDigits(into: &digits)
      exponent = first - position
    }
    if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      position += 1
      exponent += try readExponent()
    }
    if isWhole {
      if digits.isComplete, digits.value <= UInt64(Int64.max) {
        let number = Int64(digits.value)
        return .signed(isNegative ? -number : number)
      }
    } else if digits.isComplete, digits.value <= 1 << 53, -22...22 ~= exponent {
      // Both numbers are exact as doubles, so that the one operation rounds correctly.
      let power = Self.power(UInt8(exponent.magnitude))
      let number = exponent < 0 ? Double(digits.value) / power : Double(digits.value) * power
      return .double(isNegative ? -number : number)
    } else if digits.isComplete, let number = Self.nearest(digits.value, exponent: exponent) {
      return .double(isNegative ? -number : number)
    }
    let text = String(decoding: UnsafeBufferPointer(start: base + start, count: position - start), as: UTF8.self)
    // Beyond the signed range a whole number still keeps all its digits.
    if isWhole, let number = Int64(text) { return .signed(number) }
    if isWhole, let number = UInt64(text) { return .unsigned(number) }
    guard let number = Double(text), number.isFinite else { throw fault(.range, at: start) }
    return .double(number)
  }

  /// Reads a number of up to eight digits without sign, leading zeros, fraction and exponent; anything else stays unread.
  @inlinable @inline(__always)
  public mutating func shortWhole() -> Int64? {
    // Text that ends here is left to the usual way, as what follows cannot be looked at.
    let end = min(count, position &+ 9)
    var (next, value) = (position, 0 as Int64)
    while next < end {
      let digit = base[next] &- 48
      guard digit < 10 else { break }
      value = value &* 10 &+ Int64(digit)
      next &+= 1
    }
    guard next > position, next < end, next == position &+ 1 || base[position] != 48 else { return nil }
    let after = base[next]
    if after == UInt8(ascii: ".") || after | 0x20 == UInt8(ascii: "e") { return nil }
    position = next
    return value
  }

  /// The digits of a number, without point and leading zeros.
  private struct Digits {
    var value: UInt64 = 0
    /// Whether the value holds all of them.
    var isComplete = true
  }

  @inline(__always)
  private mutating func readDigits(into digits: inout Digits) throws(JSONFault) {
    let start = position
    while count - position >= 8, digits.value < 100_000_000_000, let eight = Self.eightDigits(word(at: position)) {
      digits.value = digits.value * 100_000_000 + eight
      position += 8
    }
    while position < count {
      let digit = base[position] &- 48
      guard digit < 10 else { break }
      if digits.value < 1_000_000_000_000_000_000 {
        digits.value = digits.value &* 10 &+ UInt64(digit)
      } else {
        digits.isComplete = false
      }
      position += 1
    }
    if position == start { throw fault(.digits, at: position) }
  }

  /// Reads what follows the `e`; beyond what any double has, only that it is so much.
  private mutating func readExponent() throws(JSONFault) -> Int {
    let isNegative = take(UInt8(ascii: "-"))
    if !isNegative { _ = take(UInt8(ascii: "+")) }
    var digits = Digits()
    try readDigits(into: &digits)
    let magnitude = digits.isComplete ? Int(min(digits.value, 1_000_000)) : 1_000_000
    return isNegative ? -magnitude : magnitude
  }

  /// The number that eight digits say; `nil` where there are others among them.
  @inline(__always)
  private static func eightDigits(_ word: UInt64) -> UInt64? {
    let (highs, sixes) = (0xF0F0_F0F0_F0F0_F0F0 as UInt64, 0x0606_0606_0606_0606 as UInt64)
    guard (word & highs) | (((word &+ sixes) & highs) >> 4) == 0x3333_3333_3333_3333 else { return nil }
    // Each step joins neighbours: digits to pairs, pairs to fours, fours to eight.
    let pairs = ((word & 0x0F0F_0F0F_0F0F_0F0F) &* ((10 << 8) + 1)) >> 8
    let fours = ((pairs & 0x00FF_00FF_00FF_00FF) &* ((100 << 16) + 1)) >> 16
    return ((fours & 0x0000_FFFF_0000_FFFF) &* ((10_000 << 32) + 1)) >> 32
  }

  /// The double that is nearest to so many times a power of ten, of two equally near ones the even one; `nil` where the
  /// power is too large for exact arithmetic.
  private static func nearest(_ digits: UInt64, exponent: Int) -> Double? {
    guard digits > 0 else { return 0 }
    // 5 to the power of 27 is the last that 64 bits hold.
    guard -27...27 ~= exponent else { return nil }
    var (five, square, rest) = (1 as UInt64, 5 as UInt64, exponent.magnitude)
    while rest > 0 {
      if rest & 1 == 1 { five &*= square }
      square &*= square
      rest >>= 1
    }
    // The number is `word` times two to the power of `shift`, and a little more where `isMore`; the highest bit is set.
    let (word, shift, isMore): (UInt64, Int, Bool)
    if exponent < 0 {
      let (dividend, divisor) = (digits << digits.leadingZeroBitCount, five << five.leadingZeroBitCount)
      let isLess = dividend < divisor
      let (quotient, remainder) = divisor.dividingFullWidth(isLess ? (dividend, 0) : (dividend >> 1, dividend << 63))
      (word, isMore) = (quotient, remainder > 0)
      shift = five.leadingZeroBitCount - digits.leadingZeroBitCount - (isLess ? 64 : 63)
    } else {
      let (high, low) = digits.multipliedFullWidth(by: five)
      let zeros = high == 0 ? 64 + low.leadingZeroBitCount : high.leadingZeroBitCount
      (word, isMore) = (high << UInt64(zeros) | low >> (64 - zeros), zeros < 64 && low << UInt64(zeros) > 0)
      shift = 64 - zeros
    }
    let (kept, cut) = (word >> 11, word & 0x7FF)
    let roundsUp = cut > 0x400 || cut == 0x400 && (isMore || kept & 1 == 1)
    // One more may carry over into the exponent, which is right.
    let bits = UInt64(shift + exponent + 63 + 1023) << 52 + (kept - (1 << 52)) + (roundsUp ? 1 : 0)
    return Double(bitPattern: bits)
  }

  /// A power of ten that a double holds exactly.
  private static func power(_ exponent: UInt8) -> Double {
    switch exponent {
    case 0: 1e0
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    case 9: 1e9
    case 10: 1e10
    case 11: 1e11
    case 12: 1e12
    case 13: 1e13
    case 14: 1e14
    case 15: 1e15
    case 16: 1e16
    case 17: 1e17
    case 18: 1e18
    case 19: 1e19
    case 20: 1e20
    case 21: 1e21
    default: 1e22
    }
  }
}
