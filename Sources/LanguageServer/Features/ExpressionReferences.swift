import Expressions

/// Finds what the expressions of a text read, also where one of them is wrong.
enum ExpressionReferences {
  /// The references of a text with `{{ … }}`, or of an expression without braces; ranges are UTF-8 offsets into it.
  static func find(in text: String, _ environment: Environment) -> [Reference] {
    guard text.contains("{{") else {
      if let expression = try? Expression(text, in: environment) { return expression.references }
      return lexical(Array(text.utf8), 0, environment)
    }
    if let template = try? Template(text, in: environment) { return template.references }
    // One expression is wrong: the others still count.
    let bytes = Array(text.utf8)
    var found: [Reference] = []
    var index = 0
    while let open = pair(UInt8(ascii: "{"), in: bytes, from: index) {
      let end = pair(UInt8(ascii: "}"), in: bytes, from: open + 2) ?? bytes.count
      let inner = bytes[open..<min(end + 2, bytes.count)]
      if let template = try? Template(String(decoding: inner, as: UTF8.self), in: environment) {
        found += template.references.map { moved($0, by: open) }
      } else {
        found += lexical(Array(inner), open, environment)
      }
      index = min(end + 2, bytes.count)
    }
    return found
  }

  private static func pair(_ byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == byte, bytes[index + 1] == byte { return index }
      index += 1
    }
    return nil
  }

  private static func moved(_ reference: Reference, by distance: Int) -> Reference {
    var reference = reference
    for index in reference.components.indices {
      let range = reference.components[index].range
      reference.components[index].range = range.lowerBound + distance..<range.upperBound + distance
    }
    return reference
  }

  /// The chains of names in what cannot be parsed: what is in quotes and what follows a dot is left out.
  private static func lexical(_ bytes: [UInt8], _ base: Int, _ environment: Environment) -> [Reference] {
    var found: [Reference] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        index += 1
        while index < bytes.count, bytes[index] != byte { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index += 1
        continue
      }
      guard ExpressionCursor.isName(byte) else {
        index += 1
        continue
      }
      let follows = index > 0 && bytes[index - 1] == UInt8(ascii: ".")
      var components: [Reference.Component] = []
      while index < bytes.count, ExpressionCursor.isName(bytes[index]) {
        let start = index
        while index < bytes.count, ExpressionCursor.isName(bytes[index]) { index += 1 }
        components.append(
          .init(name: String(decoding: bytes[start..<index], as: UTF8.self), range: base + start..<base + index))
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), ExpressionCursor.isName(bytes[index + 1])
        else { break }
        index += 1
      }
      guard !follows, let root = components.first?.name else { continue }
      let isBare = environment.keywords.contains(root) && environment.variables[root] == nil
      if root == "keywords", components.count > 1 {
        found.append(Reference(components: Array(components.dropFirst()), isKeyword: true))
      } else {
        found.append(Reference(components: components, isKeyword: isBare))
      }
    }
    return found
  }
}
