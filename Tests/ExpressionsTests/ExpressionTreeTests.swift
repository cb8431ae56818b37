import Testing

@testable import Expressions

/// The tree that code outside the module sees.
@Suite struct ExpressionTreeTests {
  private static let environment = Environment(
    variables: [
      "message": .object(
        ObjectType(
          name: "message",
          fields: [
            "subject": .string, "size": .int, "bulk": .bool,
            "from": .object(ObjectType(name: "address", fields: ["address": .string])),
            "labels": .list(.string), "headers": .map(.string, .string),
          ])), "mail.limit": .int,
    ], keywords: ["Betrag"])

  /// The tree written out: what each part means, with the names of the cases shortened.
  private static func words(_ tree: ExpressionTree) -> String {
    switch tree.kind {
    case .literal(let value): return value.jsonString
    case .variable(let name): return "$" + name
    case .keyword(let name): return "#" + name
    case .keywords: return "#"
    case .local(let name): return "%" + name
    case .type(let type): return "type:\(type)"
    case .field(let target, let name, let isOptional): return words(target) + (isOptional ? ".?" : ".") + name
    case .presence(let target, let name): return "has(\(words(target)).\(name))"
    case .element(let target, let index, let isOptional):
      return "\(words(target))[\(isOptional ? "?" : "")\(words(index))]"
    case .call(let function, let arguments): return "\(function)(\(arguments.map(words).joined(separator: ", ")))"
    case .and(let operands): return "and(\(operands.map(words).joined(separator: ", ")))"
    case .or(let operands): return "or(\(operands.map(words).joined(separator: ", ")))"
    case .conditional(let condition, let first, let second):
      return "if(\(words(condition)), \(words(first)), \(words(second)))"
    case .list(let elements):
      return "[" + elements.map { ($0.isOptional ? "?" : "") + words($0.value) }.joined(separator: ", ") + "]"
    case .map(let entries):
      return "{" + entries.map { words($0.key) + ": " + words($0.value) }.joined(separator: ", ") + "}"
    case .comprehension(let macro):
      let condition = macro.condition.map { words($0) + ", " } ?? ""
      return
        "\(macro.macro)(\(words(macro.target)), \(macro.variables.joined(separator: " ")), \(condition)\(words(macro.body)))"
    case .bind(let name, let value, let body): return "bind(\(name), \(words(value)), \(words(body)))"
    case .optionalMap(let target, let name, let body, let isFlat):
      return "\(isFlat ? "flat" : "opt")(\(words(target)), \(name), \(words(body)))"
    case .unknown(let name): return "?" + name
    }
  }

  @Test(arguments: [
    (
      "message.bulk && !message.from.address.endsWith('@a.example')",
      "and($message.bulk, !_(endsWith($message.from.address, \"@a.example\")))"
    ),
    (
      "(message.size + 1) > 5 || 'x' in message.labels",
      "or(_>_(_+_($message.size, 1), 5), @in(\"x\", $message.labels))"
    ),
    ("message['subject'] == keywords.Betrag", "_==_($message.subject, #Betrag)"),
    ("message.labels.exists(message, message == 'a')", "exists($message.labels, message, _==_(%message, \"a\"))"),
    (
      "message.labels.filter(l, size(l) > 2).map(l, l + '!')",
      "map(filter($message.labels, l, _>_(size(%l), 2)), l, _+_(%l, \"!\"))"
    ),
    (
      "has(message.subject) ? math.abs(message.size) : mail.limit",
      "if(has($message.subject), math.abs($message.size), $mail.limit)"
    ),
    ("cel.bind(s, message.subject, [s, s + s])", "bind(s, $message.subject, [%s, _+_(%s, %s)])"),
    ("message.labels[message.size]", "$message.labels[$message.size]"),
    (
      "message.headers.?list.optMap(v, v + 'x').orValue('')",
      "orValue(opt($message.headers.?list, v, _+_(%v, \"x\")), \"\")"
    ),
    ("type(message.size) == int", "_==_(type($message.size), type:int)"),
    ("{'a': message.size, 'b': -message.size}", "{\"a\": $message.size, \"b\": -_($message.size)}"),
    ("keywords", "#"),
  ])
  func treesSayWhatAnExpressionMeans(source: String, expected: String) throws {
    let tree = try Expression(source, in: Self.environment).tree
    #expect(Self.words(tree) == expected)
    #expect(tree.range == 0..<source.utf8.count)
  }

  @Test func partsHaveTypesAndPlaces() throws {
    let source = "message.from.address.startsWith('a') && message.size > 5"
    let tree = try Expression(source, in: Self.environment).tree
    #expect(tree.type == .bool)
    guard case .and(let operands) = tree.kind, operands.count == 2,
      case .call("startsWith", let arguments) = operands[0].kind, let address = arguments.first,
      case .call("_>_", let sides) = operands[1].kind, let size = sides.first
    else {
      Issue.record("another tree: \(Self.words(tree))")
      return
    }
    #expect(address.type == .string && size.type == .int && operands[1].type == .bool)
    #expect(address.path?.variable == "message" && address.path?.fields == ["from", "address"])
    #expect(address.range == 0..<20 && size.path?.fields == ["size"])
    #expect(operands[0].path == nil)
  }

  @Test func aTemplateOfOneExpressionHasATree() throws {
    #expect(try Template("{{ message.bulk }}", in: Self.environment).tree.map(Self.words) == "$message.bulk")
    #expect(try Template("{{ Betrag }}", in: Self.environment).tree.map(Self.words) == "#Betrag")
    #expect(try Template("a {{ message.bulk }}", in: Self.environment).tree == nil)
    #expect(try Template("a", in: Self.environment).tree == nil)
  }

  @Test func namesWithoutAMeaningStandWhereTypesAreNotChecked() throws {
    let tree = try Expression("other.field == 1", in: Environment(checksTypes: false)).tree
    #expect(Self.words(tree) == "_==_(?other.field, 1)" && tree.type == .dynamic)
  }
}
