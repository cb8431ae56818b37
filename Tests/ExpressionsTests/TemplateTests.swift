import Expressions
import Testing

struct TemplateTests {
  static let environment = Environment(
    variables: ["count": .int, "list": .list(.int), "text": .string, "map": .dynamic, "nothing": .null],
    keywords: ["Länge", "Anrede", "Absender-Name", "2", "text", "in"])
  static let bindings = Bindings(
    variables: ["count": 3, "list": [1, 2], "text": "abc", "map": ["a": ["b", 1.5, .null]], "nothing": .null],
    keywords: ["Länge": "kurz", "Anrede": "Du", "Absender-Name": "Anna", "text": "keyword", "in": "drin"])

  @Test(
    arguments: [
      ("plain", "plain"), ("", ""), ("{{ count }}", 3), ("{{count}}", 3), ("{{ list }}", [1, 2]),
      ("a {{ count }} b", "a 3 b"),
      ("{{ count }}{{ text }}", "3abc"), ("{{ count }} ", "3 "), ("[{{ nothing }}]", "[]"), ("{{ list }}!", "[1,2]!"),
      ("{{ map }}.", "{\"a\":[\"b\",1.5,null]}."), ("{{ 1.0 }}%", "1%"), ("{{ true }}?", "true?"),
      ("{{ Länge }}", "kurz"), ("{{Länge}} und {{ Anrede }}", "kurz und Du"), ("{{ Absender-Name }}", "Anna"),
      ("{{ keywords[\"Länge\"] }}", "kurz"), ("{{ keywords.Anrede + '!' }}", "Du!"), ("{{ Anrede + '!' }}", "Du!"),
      ("{{ in }}", "drin"), ("{{ text }}", "abc"), ("{{ keywords.text }}", "keyword"), ("{{ size(keywords) }}", 5),
      ("{{ \"{{\" }}", "{{"), ("{{ '}}' }}", "}}"), ("{{ {'a': {'b': 1}}.a.b }}", 1),
      ("{{ {'a': {'b': 1}} }}", ["a": ["b": 1]]),
      ("{{ {'a': 1}}}", ["a": 1]), ("a }} b", "a }} b"), ("{ {a} }", "{ {a} }"), ("{{ r'\\}}' }}", "\\}}"),
      ("{{ count // how many }}", 3), ("{{ '''}}''' + \"}}\" }}", "}}}}"), ("{{ count\n+\n1 }}", 4),
      ("{{ duration('90s') }}.", "90s."), ("{{ timestamp(0) }}.", "1970-01-01T00:00:00Z."), ("{{ b'hi' }}.", "aGk=."),
      ("{{ optional.none() }}{{ optional.of('x') }}", "x"),
    ] as [(String, Value)])
  func renders(source: String, expected: Value) throws {
    #expect(try Template(source, in: Self.environment).render(Self.bindings) == expected)
  }

  @Test(
    arguments: [
      ("a {{ b", ExpressionError.Code.unclosedTemplate, 2..<4, nil), ("{{ }}", .syntax, 2..<3, nil),
      ("{{}}", .syntax, 2..<2, nil),
      ("xy {{ cuont }}", .unknownName, 6..<11, "count"), ("{{ Lange }}", .unknownName, 3..<8, "Länge"),
      ("{{ Läge }}", .unknownName, 3..<8, "Länge"), ("{{ Absender-Nmae }}", .unknownName, 3..<16, "Absender-Name"),
      ("{{ keywords.Anrde }}", .unknownField, 12..<17, "Anrede"), ("ä{{ size(count) }}", .wrongType, 10..<15, nil),
      ("{{ 'abc }}", .syntax, 3..<4, nil), ("{{ {'a': 1 }}", .unclosedTemplate, 0..<2, nil),
      ("{{ 1 + }}", .syntax, 7..<7, nil),
    ] as [(String, ExpressionError.Code, Range<Int>, String?)])
  func problemNamesItsPlace(source: String, code: ExpressionError.Code, range: Range<Int>, suggestion: String?) {
    let errors = #expect(throws: ExpressionErrors.self) { try Template(source, in: Self.environment) }
    #expect(errors?.all.map(\.code) == [code])
    #expect(errors?.all.first?.range == range)
    #expect(errors?.all.first?.suggestion == suggestion)
  }

  @Test func problemsOfAllPiecesAreReported() {
    let errors = #expect(throws: ExpressionErrors.self) {
      try Template("{{ cuont }} {{ 1 + }} {{ size(1) }} {{", in: Self.environment)
    }
    #expect(errors?.all.map(\.code) == [.unknownName, .syntax, .wrongType, .unclosedTemplate])
  }

  @Test func singlePieceKeepsItsType() throws {
    #expect(try Template("{{ list }}", in: Self.environment).resultType == .list(.int))
    #expect(try Template("{{ list }} ", in: Self.environment).resultType == .string)
    #expect(try Template("list", in: Self.environment).resultType == .string)
    #expect(try Template("list", in: Self.environment).isLiteral)
    #expect(try !Template("{{ list }}", in: Self.environment).isLiteral)
  }

  @Test func failureNamesThePlaceInTheTemplate() throws {
    let template = try Template("äh: {{ list[7] }}", in: Self.environment)
    let error = #expect(throws: ExpressionError.self) { try template.render(Self.bindings) }
    #expect(error?.range == 13..<14)
  }

  @Test func keywordWithoutValueFails() throws {
    let template = try Template("{{ Anrede }}", in: Self.environment)
    let error = #expect(throws: ExpressionError.self) { try template.render(Bindings()) }
    #expect(error?.code == .unknownName)
    #expect(error?.range == 3..<9)
  }

  @Test func subtractionIsNoKeyword() throws {
    let environment = Environment(variables: ["a": .int, "b": .int], keywords: ["x"])
    #expect(try Template("{{ a-b }}", in: environment).render(Bindings(variables: ["a": 5, "b": 3])) == 2)
  }

  @Test func piecesShareTheCost() throws {
    let source = String(repeating: "{{ lists.range(400).map(x, x + 1) }}", count: 10)
    let template = try Template(source, in: Environment())
    #expect(throws: ExpressionError.self) {
      try template.render(Bindings(), limits: EvaluationLimits(cost: 5000, depth: 50))
    }
    #expect(try template.render(Bindings(), limits: EvaluationLimits(cost: 50_000, depth: 50)).stringValue != nil)
  }
}
