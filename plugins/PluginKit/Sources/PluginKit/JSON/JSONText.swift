/// Puts JSON text together from parts that are JSON already, keeping the order of keys.
enum JSONText {
  static func object(_ fields: [(name: String, value: String)]) -> String {
    "{" + fields.map { string($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
  }

  static func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }

  /// A JSON number; `nil` for what JSON cannot express.
  static func number(_ number: Double) -> String? {
    // Swift writes the shortest text that reads back as the same number, in a form that JSON shares; `1.0` keeps its
    // fraction, so that a reader who tells integers from doubles does not see the type change with the value.
    number.isFinite ? String(number) : nil
  }

  /// A JSON string, RFC 8259 section 7.
  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
