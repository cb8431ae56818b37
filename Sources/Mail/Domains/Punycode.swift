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

  /// A number in digits of varying weight (section 3.3).
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
