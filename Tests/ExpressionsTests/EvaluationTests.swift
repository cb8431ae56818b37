import Expressions
import Testing

struct EvaluationTests {
  static let bindings = Bindings(
    variables: [
      "x": 5, "name": "Anna", "list": [1, 2, 3], "person": ["name": "Ada", "age": 36, "tags": ["a", "b"]],
      "big": 9_223_372_036_854_775_807,
    ],
    now: Timestamp(seconds: 1_700_000_000))

  static let environment = Environment(variables: [
    "x": .int, "name": .string, "list": .list(.int), "person": .dynamic, "big": .int,
  ])

  @Test(arguments: [
    // Arithmetic and precedence.
    "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "-x == -5", "- -x == 5", "7 / 2 == 3", "-7 % 4 == -3", "2u + 3u == 5u",
    "0x10 == 16", "0xFFu == 255u", "1.5e3 == 1500.0", ".5 + .5 == 1.0", "1 - 1 == 0", "10 - 2 - 3 == 5",
    "'a' + 'b' == 'ab'", "b'a' + b'b' == b'ab'", "[1] + [2] == [1, 2]", "!true == false", "!!true",
    // Comparison.
    "1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2", "'a' < 'b'", "false < true", "b'a' < b'b'", "1 < 1.5",
    "2u > 1", "dyn(1) == 1.0", "[1, 2.0] == [1.0, 2]", "'Z' < 'a'", "'\\u00e9' != 'e\\u0301'", "dyn('1') != 1",
    "1 in [1, 2]", "!(3 in [1, 2])", "'a' in {'a': 1}", "dyn(1.0) in {1: 'x'}", "dyn(1u) in {1: 'x'}",
    // Logic.
    "true || 1 / 0 > 1", "1 / 0 > 1 || true", "!(false && 1 / 0 > 1)", "!(1 / 0 > 1 && false)",
    "x > 3 ? true : 1 / 0 > 1", "true ? true : false ? false : false",
    // Selection.
    "person.name == 'Ada'", "person['name'] == 'Ada'", "person.tags[1] == 'b'", "has(person.name)",
    "!has(person.nothing)", "person.?nothing.orValue('none') == 'none'", "person[?'age'].value() == 36",
    "list[?7].hasValue() == false", "{'a b': 1}.`a b` == 1", "list[0] + list[dyn(1.0)] + list[dyn(2u)] == 6",
    // Literals.
    "'\\x41\\102\\u0043\\U00000044' == 'ABCD'", "r'\\n' == '\\\\n'", "b'\\xff'.size() == 1", "'''a\nb''' == 'a\\nb'",
    "\"\"\"say \"hi\" \"\"\" == 'say \"hi\" '", "size('äöü') == 3 && size(b'äöü') == 6", "rb'\\x' == b'\\\\x'",
    "[1, 2,] == [1, 2]", "{'a': 1,} == {'a': 1}", "[?optional.of(1), ?optional.none()] == [1]",
    "{?'a': optional.none(), 'b': 2} == {'b': 2}", "1 // a comment\n == 1",
    // Macros.
    "list.all(e, e > 0)", "list.exists(e, e == 2)", "list.exists_one(e, e == 2)", "list.map(e, e * e) == [1, 4, 9]",
    "list.map(e, e > 1, e * e) == [4, 9]", "list.filter(e, e > 1) == [2, 3]",
    "{'a': 1, 'b': 2}.map(k, k) == ['a', 'b']",
    "[1, 0].exists(e, 1 / e == 1)", "![1, 0].all(e, 1 / e == 2)", "list.exists(i, v, i == 2 && v == 3)",
    "['a', 'b'].transformList(i, v, v + string(i)) == ['a0', 'b1']",
    "[1, 2].transformMap(i, v, v * 2) == {0: 2, 1: 4}", "{'a': 1}.transformMapEntry(k, v, {v: k}) == {1: 'a'}",
    "list.existsOne(i, v, v == 2)", "cel.bind(y, x + 1, y * y) == 36",
    "[[1, 2], [3]].all(l, l.all(x, x > 0))", "list.map(x, list.map(y, x * y)) == [[1, 2, 3], [2, 4, 6], [3, 6, 9]]",
    "optional.of(2).optMap(v, v * 2) == optional.of(4)", "optional.none().optMap(v, v).hasValue() == false",
    "optional.of(1).or(optional.of(1 / 0)) == optional.of(1)", "optional.of(1).orValue(1 / 0) == 1",
    "type(optional.none()) == optional_type", "optional.unwrap([optional.of(1), optional.none()]) == [1]",
    // Types.
    "type(1) == int", "type(type(1)) == type", "type(null) == null_type", "type({}) == map && type([]) == type([1])",
    "type(now()) == google.protobuf.Timestamp", "type('') != bytes", "string(now()) == '2023-11-14T22:13:20Z'",
  ])
  func holds(expression: String) throws {
    let compiled = try Expression(expression, in: Self.environment)
    #expect(try compiled.evaluate(Self.bindings) == true)
  }

  @Test(arguments: [
    "1 / 0", "1 % 0", "big + 1", "-big - 2", "big * 2", "0u - 1u", "list[3]", "list[-1]", "person.nothing",
    "{'a': 1}['b']",
    "{'a': 1, 'a': 2}", "{1: 1, 1u: 2}", "int('x')", "int(1e30)", "uint(-1)", "double('1,5')", "bool('yes')",
    "string(b'\\xff')", "timestamp('yesterday')", "duration('1 day')", "timestamp('2023-02-29T00:00:00Z')",
    "optional.none().value()", "dyn(1) + 'a'", "dyn('a') && true", "dyn(1) ? 1 : 2", "[?dyn(1)]", "dyn(1).a",
    "dyn([1]) > dyn([0])", "now().getHours('Middle/Earth')", "[1, dyn('a')].sort()", "'a'.substring(2)",
    "'abc'.substring(2, 1)", "math.abs(-9223372036854775808)", "math.bitShiftLeft(1, -1)", "base64.decode('%')",
    "{'a': 1, 'b': 1}.transformMapEntry(k, v, {v: k})", "lists.range(3)[dyn(1.5)]", "dyn([]).foo",
  ])
  func fails(expression: String) throws {
    let compiled = try Expression(expression, in: Self.environment)
    let error = #expect(throws: ExpressionError.self) { try compiled.evaluate(Self.bindings) }
    #expect(error?.code == .evaluation)
  }

  @Test(arguments: [
    ("x + list[9]", 9..<10), ("1 + 2 / (x - 5)", 4..<15), ("person.nobody", 7..<13), ("!person.name", 0..<12),
    ("x > 1 && person.name", 9..<20), ("{'a': 1}[name]", 9..<13),
  ])
  func failureNamesItsPlace(expression: String, range: Range<Int>) throws {
    let compiled = try Expression(expression, in: Self.environment)
    let error = #expect(throws: ExpressionError.self) { try compiled.evaluate(Self.bindings) }
    #expect(error?.range == range)
  }

  @Test func unboundVariableFails() throws {
    let compiled = try Expression("x + 1", in: Self.environment)
    let error = #expect(throws: ExpressionError.self) { try compiled.evaluate(Bindings()) }
    #expect(error?.code == .unknownName)
    #expect(error?.range == 0..<1)
  }

  @Test func uncheckedNamesAreFoundInTheBindings() throws {
    let environment = Environment(container: "a.b", checksTypes: false)
    let bindings = Bindings(variables: ["a.b.c": 1, "a.c": 2, "c": 3, "d": ["e": 4], "d.e.f": 5])
    for (source, expected) in [("c", 1), (".c", 3), ("d.e", 4), ("d.e.f", 5), ("[7].map(c, c)[0]", 7)]
      as [(String, Value)]
    {
      #expect(try Expression(source, in: environment).evaluate(bindings) == expected)
    }
  }

  @Test func variableShadowsNothingInsideMacros() throws {
    let compiled = try Expression("[10, 20].map(x, x + 1)[1] + x", in: Self.environment)
    #expect(try compiled.evaluate(Self.bindings) == 26)
  }

  @Test func evaluationLeavesNoTraceForTheNext() throws {
    let compiled = try Expression("x * 2", in: Self.environment)
    #expect(try compiled.evaluate(Bindings(variables: ["x": 1])) == 2)
    #expect(try compiled.evaluate(Bindings(variables: ["x": 4])) == 8)
  }
}
