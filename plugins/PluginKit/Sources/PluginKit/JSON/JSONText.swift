internal import JSONSyntax

/// Puts JSON text together from parts that are JSON already, keeping the order of keys.
enum JSONText {
  static func object(_ fields: [(name: String, value: String)]) -> String {
    "{" + fields.map { string($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
  }

  static func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }

  /// A JSON string, RFC 8259 section 7.
  static func string(_ text: String) -> String {
    var buffer = JSONBuffer()
    buffer.append(string: text)
    return buffer.text
  }
}
