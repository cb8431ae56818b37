/// Labels of international domain names in ASCII (RFC 3492).
public enum Punycode {
  private static let base = 36
  private static let firstBias = 72
  private static let firstCode = 128

  /// Encodes a label, without the prefix `xn--`.
  ///
  /// - Returns: `nil` if the label is too long to count.
  public static func encode(_ label: String) -> String? {
    let codes = label.unicodeScalars.map { Int($0.value) }
    // A label has at most 63 bytes in the end, so no sum below can overflow.
    guard codes.count <= 63 else { return nil }
    var output = codes.filter { $0 < firstCode }.map { UInt8($0) }
    let basic = output.count
    var handled = basic
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    var (code, delta, bias) = (firstCode, 0, firstBias)
    while handled < codes.count {
      guard let next = codes.filter({ $0 >= code }).min() else { return nil }
      delta += (next - code) * (handled + 1)
      code = next
      for value in codes {
        if value < code { delta += 1 }
        guard value == code else { continue }
        output += digits(of: delta, bias: bias)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      code += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Decodes a label, without the prefix `xn--` (section 6.2).
  ///
  /// - Returns: `nil` if the text is not Punycode, or longer than a label.
  public static func decode(_ code: String) -> String? {
    let bytes = Array(code.utf8)
    guard bytes.count <= 63, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    let hyphen = bytes.lastIndex(of: UInt8(ascii: "-"))
    var output = bytes[..<(hyphen ?? 0)].map { Unicode.Scalar($0) }
    var rest = bytes[(hyphen.map { $0 + 1 } ?? 0)...]
    var (code, index, bias) = (firstCode, 0, firstBias)
    while !rest.isEmpty {
      let (old, count) = (index, output.count + 1)
      guard let delta = number(from: &rest, bias: bias) else { return nil }
      index += delta
      code += index / count
      index %= count
      guard code >= firstCode, code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
      output.insert(scalar, at: index)
      bias = adapted(delta, count: count, isFirst: old == 0 && count - 1 == bytes[..<(hyphen ?? 0)].count)
      index += 1
    }
    return String(String.UnicodeScalarView(output))
  }

  /// Reads a number in digits of varying weight (section 3.3); `nil` if the digits end or the number is too large.
  private static func number(from rest: inout ArraySlice<UInt8>, bias: Int) -> Int? {
    var (number, weight, position) = (0, 1, base)
    while let byte = rest.popFirst() {
      guard let digit = value(of: byte) else { return nil }
      let threshold = min(max(position - bias, 1), 26)
      number += digit * weight
      guard number <= Int(Int32.max) else { return nil }
      if digit < threshold { return number }
      weight *= base - threshold
      guard weight <= Int(Int32.max) else { return nil }
      position += base
    }
    return nil
  }

  private static func value(of byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
    default: nil
    }
  }

  /// Writes a number in digits of varying weight (section 3.3).
  private static func digits(of delta: Int, bias: Int) -> [UInt8] {
    var (rest, position, output) = (delta, base, [UInt8]())
    while true {
      let threshold = min(max(position - bias, 1), 26)
      if rest < threshold { return output + [digit(rest)] }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? Int(UInt8(ascii: "a")) + value : Int(UInt8(ascii: "0")) + value - 26)
  }

  /// Section 6.1.
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var rest = isFirst ? delta / 700 : delta / 2
    rest += rest / count
    var steps = 0
    while rest > 455 {
      rest /= 35
      steps += base
    }
    return steps + 36 * rest / (rest + 38)
  }
}
