package import Expressions

/// What a plain scalar means: the core schema of YAML 1.2.2, section 10.3.2.
///
/// `no`, `on`, `1:30`, `0777` as octal and `1_000` of YAML 1.1 are not part of it: they are strings, or decimal.
package enum CoreSchema {
  /// The value of a plain scalar.
  package static func value(of text: String) -> Value {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return .double(.nan)
    default: return number(text) ?? .string(text)
    }
  }

  /// The value of a number; `nil` where the text is none.
  package static func number(_ text: String) -> Value? {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, bytes.count <= 400 else { return nil }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): break
    default: return nil
    }
    if text.hasPrefix("0x") { return radix(text.dropFirst(2), 16) }
    if text.hasPrefix("0o") { return radix(text.dropFirst(2), 8) }
    switch text {
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
    default: break
    }
    guard let isInteger = decimalForm(bytes) else { return nil }
    let unsigned = first == UInt8(ascii: "+") ? String(text.dropFirst()) : text
    if isInteger, let integer = Int64(unsigned) { return .int(integer) }
    if isInteger, let integer = UInt64(unsigned) { return .uint(integer) }
    return Double(unsigned).map { .double($0) }
  }

  /// Whether a text is a whole number with more digits than any number type keeps.
  package static func losesDigits(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= 400, decimalForm(bytes) == true, case .double(let number)? = number(text)
    else {
      return false
    }
    let digits = text.drop { $0 == "+" || $0 == "-" }.drop { $0 == "0" }
    return number.isInfinite || digits.dropFirst(15).contains { $0 != "0" } || digits.count > 23
  }

  private static func radix(_ digits: Substring, _ radix: Int) -> Value? {
    guard let first = digits.first, first != "-", first != "+" else { return nil }
    return Int64(digits, radix: radix).map { .int($0) }
  }

  /// Whether bytes are `[-+]? [0-9]+` (true) or `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
  private static func decimalForm(_ bytes: [UInt8]) -> Bool? {
    var index = 0
    func digits() -> Int {
      let start = index
      while index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39 { index += 1 }
      return index - start
    }
    if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
    let whole = digits()
    if index == bytes.count { return whole > 0 ? true : nil }
    if bytes[index] == UInt8(ascii: ".") {
      index += 1
      let fraction = digits()
      guard whole > 0 || fraction > 0 else { return nil }
    } else {
      guard whole > 0 else { return nil }
    }
    if index == bytes.count { return false }
    guard bytes[index] == UInt8(ascii: "e") || bytes[index] == UInt8(ascii: "E") else { return nil }
    index += 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
    guard digits() > 0, index == bytes.count else { return nil }
    return false
  }
}
