import Expressions

/// The place of the cursor in an expression: the part that is being written and what it is a field of.
struct ExpressionCursor {
  /// A call whose closing parenthesis the cursor precedes.
  struct Call {
    /// The name of the function or macro, its namespace included where one precedes it: `math.abs`.
    var name: String
    /// The receiver; `nil` for a function.
    var receiver: String?
    /// The arguments that are complete, then the one that the cursor is in.
    var arguments: [String]
  }

  /// The text of the expression before the cursor.
  let before: [UInt8]
  /// The part of a name before the cursor.
  let word: String
  /// The value that the field or method belongs to; `nil` at the start of a chain.
  let receiver: String?
  /// The calls around the cursor, outermost first.
  let calls: [Call]
  /// Whether the cursor is in a text in quotes.
  let isInText: Bool

  /// Finds the expression that the end of a text is in.
  ///
  /// - Parameters:
  ///   - text: The value up to the cursor.
  ///   - isExpression: Whether the value is an expression even without braces.
  /// - Returns: `nil` if the cursor is in no expression.
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
    let (open, isInText) = Self.openBrackets(before)
    self.isInText = isInText
    calls = open.compactMap { Self.call(in: before, $0) }
  }

  static func isName(_ byte: UInt8) -> Bool {
    byte == 95 || byte >= 0x80 || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  // MARK: Reading backwards

  private static let opening = Array("([{".utf8)
  private static let closing = Array(")]}".utf8)

  /// The chain before the dot that precedes an offset.
  private static func receiver(in bytes: [UInt8], before offset: Int) -> String? {
    guard offset > 0, bytes[offset - 1] == UInt8(ascii: ".") else { return nil }
    let end = offset - 1
    var index = end
    while index > 0 {
      let last = bytes[index - 1]
      if closing.contains(last) {
        var depth = 0
        while index > 0 {
          index -= 1
          if closing.contains(bytes[index]) { depth += 1 }
          if opening.contains(bytes[index]) { depth -= 1 }
          if depth == 0 { break }
        }
        // Other brackets are a list or a map.
        if index == 0 || !(isName(bytes[index - 1]) || closing.contains(bytes[index - 1])) { break }
      } else if last == UInt8(ascii: "\"") || last == UInt8(ascii: "'") {
        index -= 1
        while index > 0, bytes[index - 1] != last { index -= 1 }
        if index > 0 { index -= 1 }
        break
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

  // MARK: Calls

  /// A bracket that is open, with the commas right inside of it.
  private struct Bracket {
    var offset: Int
    var commas: [Int] = []
  }

  /// The brackets that are open at the end of a text, and whether a text in quotes is.
  private static func openBrackets(_ bytes: [UInt8]) -> (open: [Bracket], isInText: Bool) {
    var open: [Bracket] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // Inside of a value in quotes, the quotes of an expression are escaped themselves.
        let isEscaped = index > 0 && bytes[index - 1] == UInt8(ascii: "\\")
        guard let end = textEnd(bytes, index, isEscaped: isEscaped) else { return (open, true) }
        index = end
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(Bracket(offset: index))
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
      case UInt8(ascii: ","):
        if !open.isEmpty { open[open.count - 1].commas.append(index) }
      default: break
      }
      index += 1
    }
    return (open, false)
  }

  /// The index of the quote that ends a text.
  private static func textEnd(_ bytes: [UInt8], _ start: Int, isEscaped: Bool) -> Int? {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == bytes[start] { return index }
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
        if isEscaped, bytes[index + 1] == bytes[start] { return index + 1 }
        index += 1
      }
      index += 1
    }
    return nil
  }

  private static func call(in bytes: [UInt8], _ bracket: Bracket) -> Call? {
    guard bytes[bracket.offset] == UInt8(ascii: "(") else { return nil }
    var start = bracket.offset
    while start > 0, isName(bytes[start - 1]) { start -= 1 }
    guard start < bracket.offset else { return nil }
    var name = String(decoding: bytes[start..<bracket.offset], as: UTF8.self)
    var receiver = receiver(in: bytes, before: start)
    if let namespace = receiver, isNamespace(namespace) {
      name = namespace + "." + name
      receiver = nil
    }
    var arguments: [String] = []
    var from = bracket.offset + 1
    for comma in bracket.commas + [bytes.count] {
      arguments.append(String(decoding: bytes[from..<comma].drop { $0 <= 32 }, as: UTF8.self))
      from = comma + 1
    }
    return Call(name: name, receiver: receiver, arguments: arguments)
  }

  /// Whether functions have a name as the part before their dot: `math`, `cel`.
  static func isNamespace(_ name: String) -> Bool { namespaces.contains(name) }

  private static let namespaces: Set<String> = Set(
    (FunctionSignature.known.filter { !$0.isMethod }.map(\.name)
      + Macro.standard.filter { !$0.isMethod }.map(\.name)).compactMap { name in
        name.lastIndex(of: ".").map { String(name[..<$0]) }
      })

  // MARK: Names that macros bind

  /// An environment that knows the names that macros around the cursor bind too.
  func environment(_ environment: Environment) -> Environment {
    var result = environment
    for call in calls {
      guard let macro = Macro.standard.first(where: { $0.name == call.name && $0.isMethod == (call.receiver != nil) })
      else { continue }
      let complete = call.arguments.dropLast()
      guard let receiver = call.receiver else {
        // cel.bind(name, value, …)
        if complete.count == 2, let name = complete.first, Self.isPlain(name) {
          result.variables[name] = Self.type(of: complete[1], result) ?? .dynamic
        }
        continue
      }
      let counts = Set(macro.forms.map { Self.boundNames(in: $0) })
      let names = complete.prefix(counts.max() ?? 0).prefix { Self.isPlain($0) }
      // The name of a form with one and of one with two looks the same until the second comes.
      let hasPosition = names.count > 1 || !counts.contains(1)
      let types = Self.elements(of: Self.type(of: receiver, result) ?? .dynamic, hasPosition: hasPosition)
      for (name, type) in zip(names, types) { result.variables[name] = type }
    }
    return result
  }

  private static func isPlain(_ argument: String) -> Bool {
    !argument.isEmpty && argument.utf8.allSatisfy(isName)
  }

  /// How many names a form of a macro binds; they are the arguments of one letter: `list.exists(i, e, test)`.
  private static func boundNames(in form: String) -> Int {
    form.drop { $0 != "(" }.dropFirst().split(separator: ",").prefix { $0.filter { $0 != " " }.count == 1 }.count
  }

  /// The types of the names that a macro on a value binds.
  private static func elements(of type: ValueType, hasPosition: Bool) -> [ValueType] {
    switch type {
    case .list(let element): hasPosition ? [.int, element] : [element]
    case .map(let key, let value): hasPosition ? [key, value] : [key]
    case .object: hasPosition ? [.string, .dynamic] : [.string]
    case .optional(let wrapped): [wrapped]
    default: [.dynamic, .dynamic]
    }
  }

  /// The type of an expression; `nil` if it has none.
  static func type(of source: String, _ environment: Environment) -> ValueType? {
    guard source.utf8.count < 10_000 else { return nil }
    return try? Expression(source, in: environment).resultType
  }
}
