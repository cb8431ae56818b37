extension Double {
  /// The number with as few digits as tell it apart, as JavaScript prints it: `3`, `0.1`, `1e+21`, `NaN`, `-Infinity`.
  var text: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    if let whole = Int64(exactly: self), whole != 0 || sign == .plus, magnitude < 1e15 { return String(whole) }
    let (isNegative, digits, exponent) = decimal
    if self == 0 { return "-0" }
    let sign = isNegative ? "-" : ""
    if exponent > 21 || exponent < -5 {
      let fraction = digits.dropFirst()
      let power = exponent - 1
      return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e" + (power < 0 ? "-" : "+")
        + String(power.magnitude)
    }
    return sign + Self.positional(digits, exponent)
  }

  /// The number in positional notation, however long: `1000000000000000000000000`, `0.0000001`.
  var positionalText: String {
    guard isFinite, self != 0 else { return text }
    let (isNegative, digits, exponent) = decimal
    return (isNegative ? "-" : "") + Self.positional(digits, exponent)
  }

  /// The shortest digits `d₁d₂…` and the exponent with which the number is `0.d₁d₂… · 10^exponent`.
  private var decimal: (isNegative: Bool, digits: String, exponent: Int) {
    var text = Substring(description)
    let isNegative = text.first == "-"
    if isNegative { text = text.dropFirst() }
    var exponent = 0
    if let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      exponent = Int(text[text.index(after: mark)...].drop { $0 == "+" }) ?? 0
      text = text[..<mark]
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let whole = parts.first ?? ""
    let all = whole + (parts.count > 1 ? parts[1] : "")
    let significant = all.drop { $0 == "0" }
    exponent += whole.count - (all.count - significant.count)
    var digits = String(significant)
    while digits.last == "0" { digits.removeLast() }
    return (isNegative, digits.isEmpty ? "0" : digits, exponent)
  }

  private static func positional(_ digits: String, _ exponent: Int) -> String {
    if exponent <= 0 { return "0." + String(repeating: "0", count: -exponent) + digits }
    if exponent >= digits.utf8.count { return digits + String(repeating: "0", count: exponent - digits.utf8.count) }
    return digits.prefix(exponent) + "." + digits.dropFirst(exponent)
  }
}
