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
    if let number = shortWhole() { return .signed(number) }
    let isNegative = take(UInt8(ascii: "-"))
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
    }
    let text = String(decoding: UnsafeBufferPointer(start: base + start, count: position - start), as: UTF8.self)
    // Beyond the signed range a whole number still keeps all its digits.
    if isWhole, let number = Int64(text) { return .signed(number) }
    if isWhole, let number = UInt64(text) { return .unsigned(number) }
    guard let number = Double(text), number.isFinite else { throw fault(.range, at: start) }
    return .double(number)
  }

  /// Reads a number of up to 18 digits without sign, leading zeros, fraction and exponent; anything else stays unread.
  @inline(__always)
  private mutating func shortWhole() -> Int64? {
    let end = min(count, position + 19)
    var (next, value) = (position, 0 as Int64)
    while next < end {
      let digit = base[next] &- 48
      guard digit < 10 else { break }
      value = value &* 10 &+ Int64(digit)
      next += 1
    }
    let length = next - position
    // Text that ends here is left to the usual way, as what follows cannot be looked at.
    guard 1...18 ~= length, next < count, length == 1 || base[position] != 48 else { return nil }
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
