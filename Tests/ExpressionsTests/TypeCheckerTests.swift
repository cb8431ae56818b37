import Expressions
import Localization
import Testing

struct TypeCheckerTests {
  static let environment = Environment(
    variables: [
      "steps": .object(
        ObjectType(
          name: "steps",
          fields: [
            "unread": .object(
              ObjectType(
                name: "step 'unread'",
                fields: [
                  "output": .object(
                    ObjectType(
                      name: "output of step 'unread'", fields: ["count": .int, "messages": .list(message)]))
                ]))
          ])),
      "inputs": .object(ObjectType(name: "inputs", fields: ["limit": .int, "folder": .string])),
      "event": .object(ObjectType(name: "event", fields: ["kind": .string], isOpen: true)),
      "anything": .dynamic, "maybe": .optional(.string), "numbers": .list(.int), "ages": .map(.string, .int),
    ], keywords: ["Anrede"])

  static let message: ValueType = .object(
    ObjectType(name: "message", fields: ["subject": .string, "size": .int, "flags": .list(.string)]))

  private func errors(_ source: String) -> [ExpressionError] {
    do {
      _ = try Expression(source, in: Self.environment)
      return []
    } catch {
      return error.all
    }
  }

  @Test(
    arguments: [
      ("steps.unraed.output", ExpressionError.Code.unknownField, 6..<12, "unread"),
      ("steps[\"unraed\"].output", .unknownField, 6..<14, "unread"),
      ("steps.unread.output.mesages", .unknownField, 20..<27, "messages"),
      ("steps.unread.output.messages.all(m, m.sizze > 1)", .unknownField, 38..<43, "size"),
      ("has(steps.unraed)", .unknownField, 10..<16, "unread"), ("inptus.limit", .unknownName, 0..<6, "inputs"),
      ("Anrde + '!'", .unknownName, 0..<5, "Anrede"), ("numbers.exits(n, n > 1)", .unknownName, 8..<13, "exists"),
      ("'a'.contians('b')", .unknownName, 4..<12, "contains"), ("siez(numbers)", .unknownName, 0..<4, "size"),
      ("math.grestest(1)", .unknownName, 5..<13, "greatest"),
      ("numbers.map(number, nmber + 1)", .unknownName, 20..<25, "number"),
      ("size(steps.unread.output.count)", .wrongType, 5..<30, nil), ("inputs.limit.size()", .wrongType, 0..<12, nil),
      ("inputs.limit + 'x'", .wrongType, 0..<18, nil), ("inputs.limit == 'x'", .wrongType, 0..<19, nil),
      ("inputs.folder ? 1 : 2", .wrongType, 0..<13, nil), ("true ? 1 : 'a'", .wrongType, 7..<14, nil),
      ("numbers['a']", .wrongType, 8..<11, nil), ("ages[1]", .wrongType, 5..<6, nil),
      ("inputs.limit.x", .wrongType, 13..<14, nil),
      ("inputs.limit[0]", .wrongType, 0..<12, nil), ("inputs.limit.map(x, x)", .wrongType, 0..<12, nil),
      ("numbers.all(n, n + 1)", .wrongType, 15..<20, nil), ("'a'.contains(1)", .wrongType, 13..<14, nil),
      ("'a'.contains('a', 'b')", .wrongType, 0..<22, nil), ("'a'.matches('(')", .syntax, 12..<15, nil),
      ("1 && true", .wrongType, 0..<1, nil), ("[?1]", .wrongType, 2..<3, nil), ("{1.5: 1}", .wrongType, 1..<4, nil),
      ("math.greatest('a')", .wrongType, 14..<17, nil), ("math.least()", .wrongType, 0..<10, nil),
      ("contains('a')", .unknownName, 0..<8, nil),
    ] as [(String, ExpressionError.Code, Range<Int>, String?)])
  func problemNamesPlaceAndSuggestion(
    source: String, code: ExpressionError.Code, range: Range<Int>, suggestion: String?
  ) {
    let found = errors(source)
    #expect(found.map(\.code) == [code])
    #expect(found.first?.range == range)
    #expect(found.first?.suggestion == suggestion)
  }

  @Test func allProblemsAreReportedInSourceOrder() {
    let found = errors("steps.unraed.x + inptus.limit + size(1) + nothing.at.all.known")
    #expect(found.map(\.code) == [.unknownField, .unknownName, .wrongType, .unknownName])
    #expect(found.compactMap(\.range?.lowerBound) == [6, 17, 37, 42])
  }

  @Test(
    arguments: [
      ("1", ValueType.int), ("[1, 2]", .list(.int)), ("[1, 'a']", .list(.dynamic)), ("[]", .list(.dynamic)),
      ("{'a': 1}", .map(.string, .int)), ("steps.unread.output.messages[0].subject", .string),
      ("anything.a.b[0]", .dynamic),
      ("event.kind", .string), ("event.other.thing", .dynamic), ("anything + 1", .int),
      ("anything + anything", .dynamic),
      ("maybe.orValue('x')", .string), ("maybe.optMap(m, m.size())", .optional(.int)), ("ages.?Anna", .optional(.int)),
      ("numbers[?0]", .optional(.int)),
      (
        "steps.?unread",
        .optional(
          .object(
            ObjectType(
              name: "step 'unread'",
              fields: [
                "output": .object(
                  ObjectType(name: "output of step 'unread'", fields: ["count": .int, "messages": .list(message)]))
              ])))
      ),
      ("ages.map(name, ages[name])", .list(.int)), ("ages.transformMap(k, v, string(v))", .map(.string, .string)),
      ("numbers.filter(n, n > 1)", .list(.int)), ("numbers.transformList(i, n, n > i)", .list(.bool)),
      ("steps.unread.output.messages.map(m, m.size)", .list(.int)), ("true ? 'a' : null", .dynamic),
      ("cel.bind(x, 1, [x])", .list(.int)), ("type(1)", .type(.int)), ("now() - now()", .duration),
      ("optional.none()", .optional(.dynamic)), ("[optional.none(), optional.of(1)]", .list(.optional(.int))),
      ("[null, duration('1s')][0]", .duration), ("[{}, {'a': []}, {'b': [1]}]", .list(.map(.string, .list(.int)))),
      ("numbers.first()", .optional(.int)), ("'a b'.split(' ').map(s, size(s)).sort()", .list(.int)),
      ("math.greatest(1, 2)", .int), ("math.greatest(1, 2.0)", .dynamic), ("keywords.Anrede", .dynamic),
    ] as [(String, ValueType)])
  func deducesType(source: String, type: ValueType) throws {
    #expect(try Expression(source, in: Self.environment).resultType == type)
  }

  @Test func objectsPassAsMaps() throws {
    for source in [
      "size(inputs) == 2", "'limit' in inputs", "inputs.all(k, k != '')", "inputs == {'limit': 1, 'folder': 'x'}",
    ] {
      #expect(try Expression(source, in: Self.environment).resultType == .bool)
    }
  }

  @Test func uncheckedExpressionsAreNotTyped() throws {
    let environment = Environment(checksTypes: false)
    #expect(try Expression("unknown + 1 + 'a'", in: environment).resultType == .dynamic)
  }

  @Test func containerPrefixesNames() throws {
    let environment = Environment(variables: ["a.b.x": .int, "x": .string], container: "a.b")
    #expect(try Expression("x", in: environment).resultType == .int)
    #expect(try Expression(".x", in: environment).resultType == .string)
  }

  @Test func declaredFunctionsAreCheckedAndFail() throws {
    let function = FunctionSignature("fetch", parameters: [.string], result: .list(.int))
    let expression = try Expression("fetch('a')[0]", in: Environment(functions: [function]))
    #expect(expression.resultType == .int)
    #expect(throws: ExpressionError.self) { try expression.evaluate(Bindings()) }
  }

  @Test func manyDeclarationsDoNotSlowChecking() throws {
    func time(declarations: Int) throws -> Double {
      var fields: [String: ValueType] = [:]
      for number in 0..<declarations {
        fields["step\(number)"] = .object(ObjectType(name: "step", fields: ["output": .dynamic]))
      }
      let environment = Environment(variables: ["steps": .object(ObjectType(name: "steps", fields: fields))])
      return try processorTime {
        for number in 0..<1000 {
          _ = try Expression("steps.step\(number % 50).output.list.exists(x, x == 'a')", in: environment)
        }
      }
    }
    // Looking at every declaration would take 40 times as long.
    let few = try time(declarations: 50)
    #expect(try time(declarations: 2000) < few * 5)
  }

  @Test(arguments: [
    ("o", "o", "order"), ("o.ta", "tags", "list(string)"), ("o.tags.map(t", "t", "string"),
    ("o.tags.map(t, t", "t", "string"), ("o.tags.map(t, t.si", "t.size()", "int"),
    ("o.tags.map(t, t.size() > 1", "10", "int"), ("o.tags.map(t, t.size() >", "t.size() > 10", "bool"),
    ("o.tags.map(t, t.size() > 10)[0", "0", "int"),
    ("o.tags.map(t, t.size() > 10)[0] == (n > 1", "1", "int"),
  ])
  func partHasItsType(before: String, part: String, type: String) throws {
    let order = ObjectType(name: "order", fields: ["tags": .list(.string)])
    let environment = Environment(variables: ["o": .object(order), "n": .int])
    let source = "o.tags.map(t, t.size() > 10)[0] == (n > 1)"
    // The place is that of the last character of what stands before.
    let found = try #require(try Expression(source, in: environment).type(at: before.utf8.count - 1))
    #expect(found.type.description == type)
    let text = String(decoding: Array(source.utf8)[found.range], as: UTF8.self)
    #expect(text == part)
  }

  @Test func partOfATemplateHasItsType() throws {
    let template = try Template("ä {{ n }} {{ [n].size() }}", in: Environment(variables: ["n": .int]))
    #expect(template.type(at: 7)?.range == 6..<7)
    #expect(template.type(at: 7)?.type == .int)
    #expect(template.type(at: 0) == nil)
    #expect(template.type(at: 14)?.type == .list(.int))
  }

  // MARK: Known before evaluation

  private static let closed = Environment(
    variables: [
      "step": .object(
        ObjectType(
          name: .init(verbatim: "step"),
          fields: ["status": .string, "text": .string, "items": .list(.object(item))], words: ["status": words])),
      "x": .int, "time": .timestamp,
    ])
  private static let words = ["succeeded", "failed", "skipped"]
  private static let item = ObjectType(
    name: .init(verbatim: "item"), fields: ["status": .string], words: ["status": words])

  @Test(arguments: [
    ("step.status == 'success'", 15..<24), ("'error' != step.status", 0..<7), ("step['status'] == 'ok'", 18..<22),
    ("step.status in ['failed', 'cancel']", 26..<34), ("step.items.exists(i, i.status == 'done')", 33..<39),
    ("'done' in [step.status]", 0..<6),
  ])
  func aTextThatAFieldNeverHasIsReported(source: String, range: Range<Int>) {
    let errors = #expect(throws: ExpressionErrors.self) { try Expression(source, in: Self.closed) }
    #expect(errors?.all.map(\.code) == [.unknownWord])
    #expect(errors?.all.first?.range == range)
  }

  @Test(arguments: [
    "step.status == 'failed'", "step.text == 'success'", "step.status in ['failed', 'skipped']",
    "step.items.all(i, i.status != 'failed')", "step.status == step.text", "step.status.startsWith('s')",
  ])
  func wordsOfAFieldAreTaken(source: String) throws {
    #expect(try Expression(source, in: Self.closed).constantFailures.isEmpty)
  }

  @Test(arguments: [
    "duration('soon')", "time - duration('1 day')", "timestamp('2026-01-01')", "time.getHours('Europe/Zuerich')",
    "1 / 0", "x + 5 % 0", "int('abc')", "[1, 2][5]", "'%z'.format([1])", "'%z'.format([x])", "uint(-1)",
    "base64.decode('%')", "x > 1 ? 1 : [1][3]", "9223372036854775807 + 1",
  ])
  func whatAlwaysFailsIsKnownBeforeEvaluation(source: String) throws {
    #expect(try Expression(source, in: Self.closed).constantFailures.count == 1)
    #expect(try Template("a {{ \(source) }}", in: Self.closed).constantFailures.count == 1)
  }

  @Test(arguments: [
    "duration('90s')", "time.getHours('Europe/Zurich')", "time.getHours('+02:00')", "x / 0 == 1", "[1, 2][1]",
    "'%d'.format([x])", "'100%%'.format([])",
  ])
  func whatMaySucceedIsNotReported(source: String) throws {
    #expect(try Expression(source, in: Self.closed).constantFailures.isEmpty)
  }
}
