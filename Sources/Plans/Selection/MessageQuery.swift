import Expressions

/// Translates a condition over `message` into the query tree of `mail.search`, version 2.
///
/// The query finds every message that the condition holds for, and perhaps more: CEL compares letter by letter, while
/// servers ignore the case. What is found is decided again by the condition itself. Only what both sides decide alike,
/// flags, may be negated.
struct MessageQuery {
  /// The query that finds no message.
  static let nothing: Value = ["not": ["all": true]]
  private static let everything: Value = ["all": true]
  /// Longer texts are left to the condition; servers limit the length of commands.
  private static let longestText = 500
  /// The most words of one text that are searched for; fewer where there are several texts.
  private static let mostWords = 3

  /// The value of a part that does not speak of the message; `nil` where it is not known.
  let constant: (ExpressionTree) -> Value?

  /// A query for at least the messages that a condition holds for; `nil` for all.
  func query(_ tree: ExpressionTree) -> Value? {
    guard let found = translate(tree), found.query != Self.everything else { return nil }
    return found.query
  }

  /// A query, and whether it finds just the messages that the condition holds for.
  private typealias Translation = (query: Value, isExact: Bool)

  private func translate(_ tree: ExpressionTree) -> Translation? {
    if !tree.mentionsMessage, case .bool(let holds)? = constant(tree) {
      return (holds ? Self.everything : Self.nothing, true)
    }
    switch tree.kind {
    case .and(let operands):
      let known = operands.map { translate($0) }
      let found = known.compactMap { $0 }.filter { $0.query != Self.everything }
      guard !found.isEmpty else { return nil }
      let isExact = known.allSatisfy { $0?.isExact == true }
      return (found.count == 1 ? found[0].query : ["and": .list(found.map(\.query))], isExact)
    case .or(let operands):
      var found: [Translation] = []
      for operand in operands {
        guard let translation = translate(operand) else { return nil }
        found.append(translation)
      }
      if found.contains(where: { $0.query == Self.everything }) { return (Self.everything, false) }
      found.removeAll { $0.query == Self.nothing }
      guard !found.isEmpty else { return (Self.nothing, true) }
      return (found.count == 1 ? found[0].query : ["or": .list(found.map(\.query))], found.allSatisfy(\.isExact))
    case .conditional(_, let first, let second):
      // What holds, holds in one of the branches.
      guard let first = translate(first)?.query, let second = translate(second)?.query else { return nil }
      if first == Self.everything || second == Self.everything { return nil }
      return (["or": [first, second]], false)
    case .field: return flag(tree)
    case .call(let function, let arguments): return call(function, arguments)
    case .comprehension(let comprehension): return people(comprehension) ?? headers(comprehension)
    default: return nil
    }
  }

  /// `message.seen`, `message.flagged`, `message.answered`.
  private func flag(_ tree: ExpressionTree) -> Translation? {
    let flags = ["seen": #"\Seen"#, "flagged": #"\Flagged"#, "answered": #"\Answered"#]
    guard let field = tree.messageField, let flag = flags[field] else { return nil }
    return (["flag": .string(flag)], true)
  }

  private func call(_ function: String, _ arguments: [ExpressionTree]) -> Translation? {
    if function == "!_", let only = arguments.first {
      guard let found = translate(only), found.isExact else { return nil }
      if found.query == Self.everything { return (Self.nothing, true) }
      return (found.query == Self.nothing ? Self.everything : ["not": found.query], true)
    }
    guard arguments.count == 2 else { return nil }
    let (left, right) = (arguments[0], arguments[1])
    switch function {
    case "_==_", "_!=_": return equality(left, right, isEqual: function == "_==_")
    case "contains", "startsWith", "endsWith":
      guard !right.mentionsMessage, case .string(let text)? = constant(right) else { return nil }
      return part(text, of: left)
    case "@in": return membership(left, right)
    case "_<_", "_<=_", "_>_", "_>=_": return order(function, left, right)
    default: return nil
    }
  }

  // MARK: Texts

  private func equality(_ left: ExpressionTree, _ right: ExpressionTree, isEqual: Bool) -> Translation? {
    let (side, other) = left.mentionsMessage ? (left, right) : (right, left)
    guard side.mentionsMessage, !other.mentionsMessage, let value = constant(other) else { return nil }
    if case .bool(let wanted) = value, let found = translate(side), found.isExact {
      return wanted == isEqual ? found : call("!_", [side])
    }
    if value.isNull, !isEqual, side.messageField == "list_id" {
      return (["header": ["name": "List-Id"]], false)
    }
    if isEqual, let number = value.intValue, number > 0, side.messageField == "size" {
      return (["and": [Self.larger(number), Self.smaller(number)]], false)
    }
    guard isEqual, case .string(let text) = value else { return nil }
    return part(text, of: side)
  }

  /// `message.from.address in ["a", "b"]`, `"\\Flagged" in message.flags`.
  private func membership(_ element: ExpressionTree, _ list: ExpressionTree) -> Translation? {
    if !element.mentionsMessage, case .string(let text)? = constant(element),
      let field = list.messageField, ["flags", "labels"].contains(field)
    {
      return Self.isKeyword(text) ? (["flag": .string(text)], false) : nil
    }
    guard element.mentionsMessage, !list.mentionsMessage, case .list(let values)? = constant(list), values.count <= 20
    else { return nil }
    var found: [Value] = []
    for value in values {
      guard case .string(let text) = value, let part = part(text, of: element, among: values.count) else { return nil }
      found.append(part.query)
    }
    if found.isEmpty { return (Self.nothing, false) }
    return (found.count == 1 ? found[0] : ["or": .list(found)], false)
  }

  private static func isKeyword(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"(){%*\"]".utf8.contains($0) }
  }

  /// A text that a field has as a part of it.
  private func part(_ text: String, of tree: ExpressionTree, among count: Int = 1) -> Translation? {
    guard let (node, name) = place(tree) else { return nil }
    // Domains are written in two ways.
    if node == "from", !text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    return (containing(text, node, name, among: count) ?? Self.everything, false)
  }

  /// A search for a text in a place; `nil` where no word of it can be searched for.
  ///
  /// What is in the message as it came may have other white space than what is read out of it, and in addresses other quotes
  /// and brackets. So the words are searched for, each by itself.
  ///
  /// - Parameter count: How many texts one condition searches for.
  private func containing(_ text: String, _ node: String, _ header: String?, among count: Int = 1) -> Value? {
    let hasMarks = node != "subject"
    let words = text.split { $0.isWhitespace || hasMarks && Self.marks.contains($0) }.filter { word in
      word.utf8.count <= Self.longestText && word.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }
    let longest = words.sorted { $0.utf8.count > $1.utf8.count }.prefix(
      max(1, min(Self.mostWords, Self.mostFields / count)))
    let found = longest.map { Self.node(node, header, String($0)) }
    return found.count > 1 ? ["and": .list(found)] : found.first
  }

  private static func node(_ node: String, _ header: String?, _ text: String) -> Value {
    if let header { return ["header": ["name": .string(header), "contains": .string(text)]] }
    return .map([node: .string(text)])
  }

  /// Where a text of the message stands: a node of the query tree, or a header field.
  private func place(_ tree: ExpressionTree) -> (node: String, header: String?)? {
    switch tree.kind {
    case .call(let function, let arguments)
    where ["lowerAscii", "upperAscii", "trim"].contains(function) && arguments.count == 1:
      return place(arguments[0])
    default: break
    }
    guard let path = tree.path, path.variable == "message" else { return nil }
    switch path.fields {
    case ["from", "address"], ["from", "name"]: return ("from", nil)
    case ["subject"]: return ("subject", nil)
    case ["list_id"]: return ("header", "List-Id")
    case ["message_id"]: return ("header", "Message-ID")
    case ["in_reply_to"]: return ("header", "In-Reply-To")
    default: return nil
    }
  }

  /// `message.to.exists(a, a.address == "x")`.
  private func people(_ comprehension: ExpressionTree.Comprehension) -> Translation? {
    let nodes = ["to": "to", "cc": "cc", "bcc": "bcc"]
    guard [.exists, .existsOne].contains(comprehension.macro), comprehension.condition == nil,
      let variable = comprehension.variables.first, comprehension.variables.count == 1,
      let field = comprehension.target.messageField, let node = nodes[field]
    else { return nil }
    return person(comprehension.body, variable, node)
  }

  private func person(_ tree: ExpressionTree, _ variable: String, _ node: String) -> Translation? {
    switch tree.kind {
    case .or(let operands):
      let found = operands.map { person($0, variable, node)?.query }
      guard found.allSatisfy({ $0 != nil }) else { return nil }
      return (["or": .list(found.compactMap { $0 })], false)
    case .and(let operands): return operands.compactMap { person($0, variable, node) }.first
    case .call(let function, let arguments)
    where ["_==_", "contains", "startsWith", "endsWith"].contains(function) && arguments.count == 2:
      var target = arguments[0]
      if case .call("lowerAscii", let inner) = target.kind, let only = inner.first { target = only }
      guard case .field(let owner, let name, isOptional: false) = target.kind, ["address", "name"].contains(name),
        case .local(variable) = owner.kind, !arguments[1].mentionsMessage,
        case .string(let text)? = constant(arguments[1])
      else { return nil }
      guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
      return containing(text, node, nil).map { ($0, false) }
    default: return nil
    }
  }

  // MARK: Header fields

  private static let marks: Set<Character> = ["\"", "<", ">", "(", ")", "\\", ",", ";"]
  /// The most conditions that one look at header fields becomes; with more, only the names of the fields count.
  private static let mostFields = 20

  /// `message.headers.exists(h, h.name.lowerAscii() == "x-spam-flag" && h.value.contains("YES"))`.
  private func headers(_ comprehension: ExpressionTree.Comprehension) -> Translation? {
    guard [.exists, .existsOne].contains(comprehension.macro), comprehension.condition == nil,
      let variable = comprehension.variables.first, comprehension.variables.count == 1,
      comprehension.target.messageField == "headers", let query = header(comprehension.body, variable)
    else { return nil }
    return (query, false)
  }

  private func header(_ tree: ExpressionTree, _ variable: String) -> Value? {
    let operands = if case .and(let operands) = tree.kind { operands } else { [tree] }
    guard let names = operands.lazy.compactMap({ texts($0, "name", of: variable, isWhole: true) }).first else {
      guard case .or(let alternatives) = tree.kind else { return nil }
      let found = alternatives.compactMap { header($0, variable) }
      return found.count == alternatives.count ? ["or": .list(found)] : nil
    }
    guard !names.isEmpty, names.count <= Self.mostFields, names.allSatisfy(Self.isFieldName) else { return nil }
    let parts = operands.lazy.compactMap { texts($0, "value", of: variable, isWhole: false) }.first ?? []
    let isTooMuch = names.count * parts.count > Self.mostFields
    let found: [Value] = names.flatMap { name -> [Value] in
      let searches = isTooMuch ? [] : parts.map { containing($0, "header", name, among: names.count * parts.count) }
      // A field without the text for which a server cannot search has to be found as well.
      return searches.isEmpty || searches.contains(nil)
        ? [["header": ["name": .string(name)]]] : searches.compactMap(\.self)
    }
    return found.count == 1 ? found[0] : ["or": .list(found)]
  }

  private static func isFieldName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
  }

  /// The texts of which name or value of a header field has one: as a whole, or as a part; `nil` where a condition says something
  /// else.
  private func texts(_ tree: ExpressionTree, _ property: String, of variable: String, isWhole: Bool) -> [String]? {
    switch tree.kind {
    case .or(let operands):
      let found = operands.compactMap { texts($0, property, of: variable, isWhole: isWhole) }
      return found.count == operands.count ? found.flatMap { $0 } : nil
    case .call(let function, let arguments) where arguments.count == 2:
      let parts = isWhole ? [] : ["contains", "startsWith", "endsWith"]
      guard (["_==_", "@in"] + parts).contains(function), Self.isProperty(arguments[0], property, of: variable),
        !arguments[1].mentionsMessage, let value = constant(arguments[1])
      else { return nil }
      if function != "@in" { return value.stringValue.map { [$0] } }
      guard case .list(let values) = value else { return nil }
      let found = values.compactMap(\.stringValue)
      return found.count == values.count ? found : nil
    default: return nil
    }
  }

  /// `h.value`, `h.value.lowerAscii()`.
  private static func isProperty(_ tree: ExpressionTree, _ property: String, of variable: String) -> Bool {
    if case .call(let function, let arguments) = tree.kind, ["lowerAscii", "upperAscii", "trim"].contains(function),
      arguments.count == 1
    {
      return isProperty(arguments[0], property, of: variable)
    }
    guard case .field(let owner, property, isOptional: false) = tree.kind, case .local(variable) = owner.kind else {
      return false
    }
    return true
  }

  // MARK: Sizes and dates

  private static func larger(_ number: Int64) -> Value { ["larger": .int(max(0, number.subtracting(1)))] }

  private static func smaller(_ number: Int64) -> Value { ["smaller": .int(number.adding(1))] }

  private func order(_ function: String, _ left: ExpressionTree, _ right: ExpressionTree) -> Translation? {
    guard left.mentionsMessage != right.mentionsMessage else { return nil }
    let turned = ["_<_": "_>_", "_<=_": "_>=_", "_>_": "_<_", "_>=_": "_<=_"]
    let (side, other) = left.mentionsMessage ? (left, right) : (right, left)
    let relation = left.mentionsMessage ? function : turned[function] ?? function
    guard let value = constant(other) else { return nil }
    let isLower = relation == "_<_" || relation == "_<=_"
    if side.messageField == "size" {
      if case .string = value { return (isLower ? ["smaller": value] : ["larger": value], false) }
      guard let number = value.intValue, number > 0 else { return nil }
      // With a unit more than needed: no harm, as the condition decides.
      return (isLower ? Self.smaller(number) : Self.larger(number), false)
    }
    guard case .call("timestamp", let inner) = side.kind, let field = inner.first?.messageField,
      ["date", "received"].contains(field)
    else { return nil }
    let prefix = field == "received" ? "received_" : ""
    let time: Value
    switch value {
    // A second more, for messages whose time has fractions.
    case .timestamp(let moment): time = .string(moment.adding(seconds: isLower ? 1 : -1).rfc3339)
    case .string: time = value
    default: return nil
    }
    return (.map([prefix + (isLower ? "before" : "since"): time]), false)
  }
}

extension Int64 {
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }

  fileprivate func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? .min : difference
  }
}
