import Expressions

/// The place of the cursor in an expression: the part that is being written and what it is a field of.
struct ExpressionCursor {
  /// The text of the expression before the cursor.
  let before: [UInt8]
  /// The part of a name before the cursor.
  let word: String
  /// What the name is a field or method of; `nil` at the start of a chain.
  let receiver: String?
  /// The names that macros around the cursor bind, with what each goes through, outermost first.
  let bound: [(name: String, list: String)]

  private static let macros: Set<String> = [
    "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap",
  ]

  /// Finds the expression that the end of a text stands in.
  ///
  /// - Parameters:
  ///   - text: The value up to the cursor.
  ///   - isExpression: Whether the value is an expression even without braces.
  /// - Returns: `nil` where the cursor stands in no expression.
  init?(_ text: String, isExpression: Bool) {
    let bytes = Array(text.utf8)
    var start: Int?
    var index = 0
    var hasBraces = false
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{"), start == nil {
        start = index + 2
        hasBraces = true
        index += 2
      } else if bytes[index] == UInt8(ascii: "}"), bytes[index + 1] == UInt8(ascii: "}"), start != nil {
        start = nil
        index += 2
      } else {
        index += 1
      }
    }
    if start == nil, isExpression, !hasBraces { start = 0 }
    guard let start else { return nil }
    self.init(expression: Array(bytes[start...]))
  }

  /// Takes an expression up to the cursor.
  init(expression before: [UInt8]) {
    self.before = before
    var wordStart = before.count
    while wordStart > 0, Self.isName(before[wordStart - 1]) { wordStart -= 1 }
    word = String(decoding: before[wordStart...], as: UTF8.self)
    receiver = Self.receiver(in: before, before: wordStart)
    var bound: [(name: String, list: String)] = []
    for open in Self.openParentheses(before) {
      var nameStart = open
      while nameStart > 0, Self.isName(before[nameStart - 1]) { nameStart -= 1 }
      guard Self.macros.contains(String(decoding: before[nameStart..<open], as: UTF8.self)),
        let list = Self.receiver(in: before, before: nameStart),
        let comma = before[open...].firstIndex(of: UInt8(ascii: ","))
      else { continue }
      let name = before[open + 1..<comma].filter { $0 > 32 }
      guard !name.isEmpty, name.allSatisfy(Self.isName) else { continue }
      bound.append((String(decoding: name, as: UTF8.self), list))
    }
    self.bound = bound
  }

  static func isName(_ byte: UInt8) -> Bool {
    byte == 95 || byte >= 0x80 || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// The chain before the dot that stands before an offset.
  private static func receiver(in bytes: [UInt8], before offset: Int) -> String? {
    guard offset > 0, bytes[offset - 1] == UInt8(ascii: ".") else { return nil }
    let end = offset - 1
    var index = end
    while index > 0 {
      let last = bytes[index - 1]
      if last == UInt8(ascii: ")") || last == UInt8(ascii: "]") {
        var depth = 0
        while index > 0 {
          index -= 1
          if bytes[index] == UInt8(ascii: ")") || bytes[index] == UInt8(ascii: "]") { depth += 1 }
          if bytes[index] == UInt8(ascii: "(") || bytes[index] == UInt8(ascii: "[") { depth -= 1 }
          if depth == 0 { break }
        }
      } else if isName(last) {
        while index > 0, isName(bytes[index - 1]) { index -= 1 }
        guard index > 0, bytes[index - 1] == UInt8(ascii: ".") else { break }
        index -= 1
      } else {
        break
      }
    }
    return index < end ? String(decoding: bytes[index..<end], as: UTF8.self) : nil
  }

  private static func openParentheses(_ bytes: [UInt8]) -> [Int] {
    var open: [Int] = []
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "(") { open.append(index) }
      if byte == UInt8(ascii: ")") { open = open.dropLast() }
    }
    return open
  }

  /// An environment that knows the names that macros bind too.
  func environment(_ environment: Environment) -> Environment {
    var result = environment
    for (name, list) in bound {
      switch Self.type(of: list, result) {
      case .list(let element): result.variables[name] = element
      case .map(let key, _): result.variables[name] = key
      case .object: result.variables[name] = .string
      default: result.variables[name] = .dynamic
      }
    }
    return result
  }

  /// The type of an expression; `nil` where it has none.
  static func type(of source: String, _ environment: Environment) -> ValueType? {
    guard source.utf8.count < 10_000 else { return nil }
    return try? Expression(source, in: environment).resultType
  }
}
