import Expressions
import Localization
import Mail

/// Why a part of a condition cannot be said in Sieve.
struct UnsupportedBySieve: Error {
  var message: LocalizedText
  /// UTF-8 offsets in the condition.
  var range: Range<Int>
}

/// Says conditions over `message` as tests of Sieve.
struct ConditionWriter {
  /// The extensions that the tests need.
  private(set) var extensions: Set<String> = []

  /// The test that says what a condition says.
  mutating func test(_ tree: ExpressionTree) throws(UnsupportedBySieve) -> String {
    switch tree.kind {
    case .literal(.bool(let value)): return value ? "true" : "false"
    case .and(let operands): return "allof (\(try tests(operands)))"
    case .or(let operands): return "anyof (\(try tests(operands)))"
    case .comprehension(let comprehension): return try exists(comprehension, tree)
    case .call("!_", let arguments):
      guard let inner = arguments.first else { throw Self.unknown(tree) }
      return "not \(try test(inner))"
    case .call("_!=_", let arguments) where arguments.count == 2:
      if arguments[0].path?.fields == ["list_id"], case .literal(.null) = arguments[1].kind {
        return "exists \"List-Id\""
      }
      let comparison = try Comparison(function: "_==_", arguments, tree)
      return "not \(try test(comparison, tree))"
    case .call(let function, let arguments) where arguments.count == 2:
      if let size = Self.size(function, arguments) { return size }
      return try test(try Comparison(function: function, arguments, tree), tree)
    default: throw Self.unknown(tree)
    }
  }

  private mutating func tests(_ operands: [ExpressionTree]) throws(UnsupportedBySieve) -> String {
    var parts: [String] = []
    for operand in operands { parts.append(try test(operand)) }
    return parts.joined(separator: ", ")
  }

  private static func unknown(_ tree: ExpressionTree) -> UnsupportedBySieve {
    UnsupportedBySieve(
      message: .init("Sieve has no test for this", de: "dafür hat Sieve keinen Test"), range: tree.range)
  }

  private static func size(_ function: String, _ arguments: [ExpressionTree]) -> String? {
    guard arguments[0].path.map({ $0.variable == "message" && $0.fields == ["size"] }) == true,
      case .literal(.int(let number)) = arguments[1].kind, (0..<Int64(UInt32.max)).contains(number)
    else { return nil }
    switch function {
    case "_>_": return "size :over \(number)"
    case "_>=_": return number == 0 ? "true" : "size :over \(number - 1)"
    case "_<_": return "size :under \(number)"
    case "_<=_": return "size :under \(number + 1)"
    default: return nil
    }
  }

  // MARK: Texts

  /// `subject.lowerAscii() == "x"` in its parts.
  private struct Comparison {
    var subject: ExpressionTree
    var ignoresCase = false
    var kind: String
    var keys: [String]

    init(function: String, _ arguments: [ExpressionTree], _ tree: ExpressionTree) throws(UnsupportedBySieve) {
      subject = arguments[0]
      if case .call("lowerAscii", let inner) = subject.kind, let only = inner.first {
        subject = only
        ignoresCase = true
      }
      guard ["_==_", "@in", "contains", "startsWith", "endsWith"].contains(function) else { throw unknown(tree) }
      kind = function
      switch arguments[1].kind {
      case .literal(.string(let text)): keys = [text]
      case .list(let elements) where function == "@in":
        keys = elements.compactMap { if case .literal(.string(let text)) = $0.value.kind { text } else { nil } }
        guard keys.count == elements.count, !keys.isEmpty else { throw unknown(tree) }
      default: throw unknown(tree)
      }
      if ignoresCase, keys.contains(where: { $0 != $0.asciiLowercased }) {
        throw UnsupportedBySieve(
          message: .init(
            "this never holds: a text in lower case is compared with capital letters",
            de: "das gilt nie: ein klein geschriebener Text wird mit Großbuchstaben verglichen"), range: tree.range)
      }
    }

    /// Refuses empty keys: of a field that is read by itself an expression does not tell whether it is there.
    func checkKeys(_ tree: ExpressionTree) throws(UnsupportedBySieve) {
      guard keys.allSatisfy({ !$0.isEmpty }) else {
        throw UnsupportedBySieve(
          message: .init(
            "Sieve distinguishes an empty field from a missing one, expressions do not",
            de: "Sieve unterscheidet leere und fehlende Felder, Ausdrücke nicht"), range: tree.range)
      }
    }

    /// The match type and the keys, behind the comparator where one is needed.
    var match: String {
      let comparator = ignoresCase ? "" : ":comparator \"i;octet\" "
      switch kind {
      case "contains": return "\(comparator):contains"
      case "startsWith", "endsWith": return "\(comparator):matches"
      default: return "\(comparator):is"
      }
    }

    var list: String {
      switch kind {
      case "startsWith": ScriptText.list(keys.map { Wildcards.escaped($0) + "*" })
      case "endsWith": ScriptText.list(keys.map { "*" + Wildcards.escaped($0) })
      default: ScriptText.list(keys)
      }
    }

    /// The test of addresses in some fields; a whole domain or local part as such.
    func address(_ fields: String) throws(UnsupportedBySieve) -> String {
      var both = self
      both.keys = []
      for key in keys { both.keys += try spellings(of: key) }
      return both.addressTest(fields)
    }

    /// The spellings of a key in a header, where international domains have either form.
    private func spellings(of key: String) throws(UnsupportedBySieve) -> [String] {
      let ascii = DomainName.ascii(inDomainOf: key)
      let unicode = DomainName.unicode(in: ascii)
      guard ascii != unicode else { return [key] }
      // A part of a label is not a part of its other form.
      let labels = unicode[(unicode.lastIndex(of: "@") ?? unicode.startIndex)...].split { $0 == "." || $0 == "@" }
      let isOpenBefore = kind == "contains" || kind == "endsWith"
      let isOpenAfter = kind == "contains" || kind == "startsWith"
      let isCutBefore = isOpenBefore && unicode.first != "@" && unicode.first != "." && !unicode.contains("@")
      let cuts = [isCutBefore ? labels.first : nil, isOpenAfter ? labels.last : nil]
      guard cuts.allSatisfy({ $0?.utf8.allSatisfy { $0 < 0x80 } ?? true }) else {
        throw UnsupportedBySieve(
          message: .init(
            "Sieve compares '\(key)' with the ASCII form of the domain, which has no such part; write the whole domain",
            de:
              "Sieve vergleicht '\(key)' mit der ASCII-Form der Domain, die keinen solchen Teil hat; nötig ist die ganze "
              + "Domain"), range: subject.range)
      }
      return [unicode, ascii]
    }

    private func addressTest(_ fields: String) -> String {
      let comparator = ignoresCase ? "" : ":comparator \"i;octet\" "
      if kind == "endsWith", keys.allSatisfy({ $0.first == "@" && !$0.dropFirst().contains("@") && $0.count > 1 }) {
        return "address \(comparator):domain :is \(fields) \(ScriptText.list(keys.map { String($0.dropFirst()) }))"
      }
      if kind == "startsWith", let key = keys.first, key.last == "@", !key.dropLast().contains("@"), key.count > 1 {
        return "address \(comparator):localpart :is \(fields) \(ScriptText.quoted(String(key.dropLast())))"
      }
      return "address \(match) \(fields) \(list)"
    }
  }

  private mutating func test(_ comparison: Comparison, _ tree: ExpressionTree) throws(UnsupportedBySieve) -> String {
    guard let path = comparison.subject.path, path.variable == "message" else { throw Self.unknown(tree) }
    try comparison.checkKeys(tree)
    switch path.fields {
    case ["subject"]: return "header \(comparison.match) \"subject\" \(comparison.list)"
    case ["from", "address"]: return try comparison.address("\"from\"")
    case ["text"] where comparison.kind == "contains":
      extensions.insert("body")
      return "body :text \(comparison.match) \(comparison.list)"
    default: throw Self.unknown(tree)
    }
  }

  // MARK: Lists

  /// `message.to.exists(a, …)`, `message.headers.exists(h, …)`.
  private mutating func exists(
    _ comprehension: ExpressionTree.Comprehension, _ tree: ExpressionTree
  ) throws(UnsupportedBySieve) -> String {
    guard comprehension.macro == .exists, comprehension.variables.count == 1, comprehension.condition == nil,
      let variable = comprehension.variables.first, let path = comprehension.target.path, path.variable == "message",
      let field = path.fields.first, path.fields.count == 1
    else { throw Self.unknown(tree) }
    let lists = ["to": "to", "cc": "cc", "bcc": "bcc", "reply_to": "reply-to"]
    if let name = lists[field] {
      return try anyOf(comprehension.body) { (part) throws(UnsupportedBySieve) in
        let comparison = try Self.comparison(part)
        guard Self.field(comparison.subject, of: variable) == "address" else { throw Self.unknown(part) }
        try comparison.checkKeys(part)
        return try comparison.address(ScriptText.quoted(name))
      }
    }
    guard field == "headers" else { throw Self.unknown(tree) }
    return try header(comprehension.body, variable)
  }

  /// One test, or `anyof` with one for each alternative.
  private func anyOf(
    _ tree: ExpressionTree, _ test: (ExpressionTree) throws(UnsupportedBySieve) -> String
  ) throws(UnsupportedBySieve) -> String {
    guard case .or(let operands) = tree.kind else { return try test(tree) }
    var parts: [String] = []
    for operand in operands { parts.append(try test(operand)) }
    return "anyof (\(parts.joined(separator: ", ")))"
  }

  private static func comparison(_ tree: ExpressionTree) throws(UnsupportedBySieve) -> Comparison {
    guard case .call(let function, let arguments) = tree.kind, arguments.count == 2 else { throw unknown(tree) }
    return try Comparison(function: function, arguments, tree)
  }

  private static func field(_ tree: ExpressionTree, of variable: String) -> String? {
    guard case .field(let owner, let name, isOptional: false) = tree.kind, case .local(variable) = owner.kind else {
      return nil
    }
    return name
  }

  /// A header field by its name, and perhaps what is in it.
  private func header(_ body: ExpressionTree, _ variable: String) throws(UnsupportedBySieve) -> String {
    let parts: [ExpressionTree] = if case .and(let operands) = body.kind { operands } else { [body] }
    guard let first = parts.first, let names = Self.names(first, variable), parts.count <= 2 else {
      throw Self.unknown(body)
    }
    guard parts.count == 2 else {
      let tests = names.map { "exists \(ScriptText.quoted($0))" }
      return tests.count == 1 ? tests[0] : "anyof (\(tests.joined(separator: ", ")))"
    }
    return try anyOf(parts[1]) { (part) throws(UnsupportedBySieve) in
      let comparison = try Self.comparison(part)
      guard Self.field(comparison.subject, of: variable) == "value" else { throw Self.unknown(part) }
      return "header \(comparison.match) \(ScriptText.list(names)) \(comparison.list)"
    }
  }

  /// The names that a part compares the name of a header field with.
  private static func names(_ tree: ExpressionTree, _ variable: String) -> [String]? {
    if case .or(let operands) = tree.kind {
      let found = operands.map { names($0, variable) }
      return found.contains { $0 == nil } ? nil : found.flatMap { $0 ?? [] }
    }
    guard case .call("_==_", let arguments) = tree.kind, arguments.count == 2,
      case .call("lowerAscii", let inner) = arguments[0].kind, let side = inner.first,
      field(side, of: variable) == "name", case .literal(.string(let name)) = arguments[1].kind,
      name == name.asciiLowercased
    else { return nil }
    return [name]
  }
}
