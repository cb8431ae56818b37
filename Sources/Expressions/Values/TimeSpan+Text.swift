extension TimeSpan {
  /// Reads a span as CEL and Go write it: `1.5s`, `1h30m`, `-250ms`; units `h m s ms us µs ns`.
  ///
  /// - Returns: `nil` for anything else, and for more than about 292 years.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    var position = 0
    var isNegative = false
    if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      position = 1
    }
    if bytes.count - position == 1, bytes[position] == UInt8(ascii: "0") {
      self.init(nanoseconds: 0)
      return
    }
    guard position < bytes.count else { return nil }
    var magnitude: UInt64 = 0
    while position < bytes.count {
      guard let part = Self.part(of: bytes, at: &position) else { return nil }
      let (sum, overflows) = magnitude.addingReportingOverflow(part)
      guard !overflows else { return nil }
      magnitude = sum
    }
    if isNegative, magnitude == Int64.min.magnitude {
      self.init(nanoseconds: .min)
    } else {
      guard let nanoseconds = Int64(exactly: magnitude) else { return nil }
      self.init(nanoseconds: isNegative ? -nanoseconds : nanoseconds)
    }
  }

  /// One number with its unit, in nanoseconds.
  private static func part(of bytes: [UInt8], at position: inout Int) -> UInt64? {
    let start = position
    var whole: UInt64 = 0
    while position < bytes.count, (48...57).contains(bytes[position]) {
      let (product, overflows) = whole.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) = product.addingReportingOverflow(UInt64(bytes[position] - 48))
      guard !overflows, !sumOverflows else { return nil }
      whole = sum
      position += 1
    }
    var digitCount = position - start
    var fraction: [UInt8] = []
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      while position < bytes.count, (48...57).contains(bytes[position]) {
        if fraction.count < 18 { fraction.append(bytes[position] - 48) }
        digitCount += 1
        position += 1
      }
    }
    guard digitCount > 0, let unit = unit(in: bytes, at: &position) else { return nil }
    let (product, overflows) = whole.multipliedReportingOverflow(by: unit)
    guard !overflows else { return nil }
    var rest: UInt64 = 0
    var scale = unit
    for digit in fraction {
      rest += UInt64(digit) * (scale / 10) + UInt64(digit) * (scale % 10) / 10
      scale /= 10
    }
    let (sum, sumOverflows) = product.addingReportingOverflow(rest)
    return sumOverflows ? nil : sum
  }

  private static func unit(in bytes: [UInt8], at position: inout Int) -> UInt64? {
    let units: [(name: String, length: UInt64)] = [
      ("ns", 1), ("us", 1000), ("µs", 1000), ("μs", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
      ("m", 60_000_000_000), ("h", 3_600_000_000_000),
    ]
    for (name, length) in units where bytes[position...].starts(with: name.utf8) {
      position += name.utf8.count
      return length
    }
    return nil
  }

  /// The span in seconds as CEL prints it: `5400s`, `1.5s`, `-0.25s`.
  public var text: String {
    let magnitude = nanoseconds.magnitude
    var result = nanoseconds < 0 ? "-" : ""
    result += String(magnitude / 1_000_000_000)
    let rest = magnitude % 1_000_000_000
    if rest > 0 {
      var fraction = String(rest + 1_000_000_000).dropFirst()
      while fraction.last == "0" { fraction = fraction.dropLast() }
      result += "." + fraction
    }
    return result + "s"
  }
}

extension TimeSpan: LosslessStringConvertible {
  /// Same as ``text``.
  public var description: String { text }
}
