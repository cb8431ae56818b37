import Expressions
import Testing

/// Finer points of the language and its extensions, as the CEL specification and its extensions define them.
struct LanguageTests {
  static let environment = Environment(variables: ["d": .dynamic, "o": .optional(.int), "m": .map(.string, .int)])
  static let bindings = Bindings(variables: ["d": 1, "o": .optional(nil), "m": ["a": 0]])

  @Test(arguments: [
    // Numbers compare across types; NaN equals and orders with nothing.
    "dyn(1) == dyn(1u) && dyn(1u) == dyn(1.0)", "dyn(-1) != dyn(18446744073709551615u)", "dyn(1u) < dyn(1.5)",
    "0.0 / 0.0 != 0.0 / 0.0", "!(0.0 / 0.0 < 1.0) && !(0.0 / 0.0 >= 1.0)", "-0.0 == 0.0", "1.0 / 0.0 > 1e308",
    "dyn(9223372036854775807) < dyn(9223372036854775808u)", "![0.0 / 0.0].exists(x, x == x)", "null == null",
    "dyn(null) != dyn(0)", "dyn([]) != dyn({})", "[1, 2.0] == [dyn(1.0), 2]", "{'a': 1} == {'a': dyn(1.0)}",
    "{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "[[1]] != [[2]]", "b'\\x00' < b'\\x01' && b'' < b'\\x00'",
    "'\\U0001F600' > '\\uFFFF'", "duration('1h') > duration('59m')", "timestamp(1) > timestamp(0)", "type(1) != uint",
    // Keys and membership.
    "{1: 'a'}[dyn(1.0)] == 'a'", "{1u: 'a'}[dyn(1)] == 'a'", "!(dyn(1.5) in {1: 'a'})", "dyn(2u) in [1, 2]",
    "dyn(2.0) in [1, 2]", "!('1' in [dyn(1)])", "true in {true: 1}", "'a' in m && !('b' in m)", "has(m.a)",
    // Strings in all quotes.
    "'\\a\\b\\f\\n\\r\\t\\v' == '\\x07\\x08\\x0c\\x0a\\x0d\\x09\\x0b'", "'\\?\\`\\'\\\"' == \"?`'\\\"\"",
    "r'\\' == '\\\\'", "R\"\"\"a\"b\\\"\"\" == 'a\"b\\\\'", "b'\\303\\277' == bytes('ÿ')", "b'ÿ' == b'\\xc3\\xbf'",
    "b'\\xff'.size() == 1", "'\\xff' == 'ÿ'", "'''a'b''' == \"a'b\"", "'\\101\\x42' == 'AB'",
    // Strings extension.
    "'tacocat'.charAt(7) == ''", "'©αT'.charAt(1) == 'α'", "'ta©o©αT'.indexOf('©', 3) == 4", "''.indexOf('') == 0",
    "'abc'.indexOf('', 2) == 2", "'abc'.lastIndexOf('') == 3", "'a©a'.lastIndexOf('a', 1) == 0",
    "'hello'.replace('', '_') == '_h_e_l_l_o_'", "'hello'.replace('', '_', 2) == '_h_ello'",
    "'hello'.replace('l', 'L', 0) == 'hello'", "'hello'.replace('l', 'L', -1) == 'heLLo'", "'a,b'.split(',', 0) == []",
    "'a,b'.split(',', 1) == ['a,b']", "'a,b,c'.split(',', -1) == ['a', 'b', 'c']", "'äb'.split('') == ['ä', 'b']",
    "''.split(',') == ['']", "',a,'.split(',') == ['', 'a', '']", "'abc'.substring(3) == ''",
    "'©αT'.substring(0, 2) == '©α'", "'\\u00a0\\u2003a\\u3000\\u0085'.trim() == 'a'", "'\\u200bx'.trim() == '\\u200bx'",
    "[].join() == '' && [].join(',') == ''", "'a©b'.reverse() == 'b©a'", "''.reverse() == ''",
    "strings.quote('\\a\\b\\f\\n\\r\\t\\v\\\\') == '\"\\\\a\\\\b\\\\f\\\\n\\\\r\\\\t\\\\v\\\\\\\\\"'",
    "strings.quote('ä😀') == '\"ä😀\"'", "'ÄB'.lowerAscii() == 'Äb'",
    // Format.
    "'%%%s%%'.format(['x']) == '%x%'", "'%s'.format([null]) == 'null'", "'%s'.format([b'ab']) == 'ab'",
    "'%s'.format([duration('90s')]) == '90s'", "'%s'.format([type(1)]) == 'int'", "'%s'.format([{}]) == '{}'",
    "'%s'.format([{'b': 1, 'a': [true]}]) == '{a: [true], b: 1}'", "'%.3f'.format([1.0005]) == '1.000'",
    "'%.0f'.format([2.5]) == '2'", "'%f'.format([-1.5]) == '-1.500000'", "'%f'.format([1.0 / 0.0]) == 'Infinity'",
    "'%.1e'.format([1234.0]) == '1.2e+03'", "'%x'.format(['hi']) == '6869'", "'%X'.format([b'\\xab']) == 'AB'",
    "'%x'.format([-255]) == '-ff'", "'%b'.format([true]) == '1'", "'%b'.format([-5]) == '-101'",
    "'%o'.format([8u]) == '10'", "'%d %d'.format([1, 2u]) == '1 2'", "''.format([]) == ''",
    // Maths extension.
    "math.round(-1.5) == -2.0 && math.round(0.5) == 1.0", "math.trunc(-1.9) == -1.0", "math.ceil(-1.2) == -1.0",
    "math.isNaN(math.round(0.0 / 0.0))", "math.isInf(math.floor(1.0 / 0.0))", "math.sign(0) == 0",
    "math.greatest(1, dyn(2.5), dyn(2u)) == 2.5", "math.least([dyn(1u), dyn(-1.0)]) == -1.0",
    "math.bitShiftLeft(1, 64) == 0", "math.bitShiftRight(-1, 63) == 1", "math.bitShiftRight(-1024, 64) == 0",
    "math.bitNot(0u) == 18446744073709551615u", "math.bitXor(5u, 1u) == 4u", "math.isNaN(math.sqrt(-1.0))",
    // Optionals.
    "optional.none() == optional.none() && optional.of(1) != optional.of(2)", "!o.hasValue()", "o.orValue(3) == 3",
    "m.?a == optional.of(0)", "m[?'b'] == optional.none()", "optional.ofNonZeroValue(0) == optional.none()",
    "optional.ofNonZeroValue(0.0).hasValue() == false", "optional.ofNonZeroValue([0]).hasValue()",
    "{'a': {'b': 1}}.?a.?b == optional.of(1)", "{'a': {'b': 1}}.?x.b.or(optional.of(7)).value() == 7",
    "has({'a': {'b': 1}}.?a.b)", "!has({'a': {}}.?a.b)", "[[1]][?0][?1] == optional.none()",
    "optional.of(optional.none()).value() == optional.none()", "[?o, 2] == [2]",
    "optional.of([1]).optFlatMap(l, l[?1]).orValue(9) == 9",
    // Times.
    "timestamp('2009-02-13T23:31:20-02:00').getDate() == 14",
    "timestamp('1970-01-01T00:00:00.5Z').getMilliseconds() == 500",
    "timestamp('2023-01-01T00:00:00Z').getDayOfWeek() == 0", "timestamp('2024-12-31T00:00:00Z').getDayOfYear() == 365",
    "timestamp('2009-02-13T23:31:30Z').getHours('America/St_Johns') == 20",
    "timestamp('2009-02-13T23:31:30Z').getMinutes('Asia/Kathmandu') == 16", "timestamp(-1).getFullYear() == 1969",
    "string(timestamp('2009-02-13T23:31:30.000000001Z')) == '2009-02-13T23:31:30.000000001Z'",
    "duration('-1.5s').getSeconds() == -1", "duration('1.5s').getMilliseconds() == 500",
    "string(duration('-90m')) == '-5400s'",
    "timestamp('0001-01-01T00:00:00Z') < timestamp(0)", "timestamp(1) - duration('2s') == timestamp(-1)",
    // Conversions.
    "int(-1.9) == -1", "uint(1.9) == 1u", "int('-17') == -17", "double('1e3') == 1000.0", "string(1.5e21) == '1.5e+21'",
    "string(-0.5) == '-0.5'", "string(true) == 'true'", "bool('T') && !bool('0')", "int(9.2e18) == 9200000000000000000",
    "string(b'\\xe2\\x82\\xac') == '€'", "bytes('€').size() == 3", "type(type(1)) == type",
    // Macros of two variables.
    "[1, 2].all(i, v, i < v)", "![].exists(i, v, true)", "{'a': 1, 'b': 1}.existsOne(k, v, k == 'a')",
    "{'a': 1}.transformList(k, v, k) == ['a']", "[1, 2, 3].transformList(i, v, i > 0, v) == [2, 3]",
    "{}.all(k, false)", "[].all(e, false) && ![].exists(e, true)", "[1, 2].map(x, [3].map(x, x)) == [[3], [3]]",
    "[[1, 2], []].filter(l, l.size() > 0).map(l, l[0]) == [1]", "cel.bind(x, 1, cel.bind(x, x + 1, x)) == 2",
    // Lists.
    "[1] + [] == [1]", "[1] + [dyn('a')] == [1, dyn('a')]", "[3, 1].sort() == [1, 3]",
    "['b', 'a'].sortBy(s, s) == ['a', 'b']",
    "[1, 1.0, 1u].distinct().size() == 1", "[[1, [2]]].flatten(0) == [[1, [2]]]", "lists.range(0) == []",
  ])
  func holds(source: String) throws {
    #expect(try Expression(source, in: Self.environment).evaluate(Self.bindings) == true)
  }

  @Test(arguments: [
    "'abc'.charAt(4)", "'abc'.charAt(-1)", "'abc'.substring(-1)", "'abc'.substring(2, 1)", "'abc'.substring(0, 4)",
    "'abc'.indexOf('a', 4)", "'abc'.lastIndexOf('a', -1)", "[dyn(1)].join()", "'%d'.format([1.5, 2].map(x, 'a'))",
    "'%'.format([])", "'%z'.format([1])", "'%s'.format([])", "'%.2d1'.format([])", "'%o'.format([1.5])",
    "'%b'.format(['a'])", "'%x'.format([1.5])", "'%f'.format([true])", "math.greatest(dyn('a'))", "math.abs(dyn('a'))",
    "math.bitAnd(dyn(1), dyn(1u))", "math.bitShiftRight(1, -1)", "math.round(dyn(1))", "optional.none().value()",
    "int('1.5')", "int('')", "int(' 1')", "int(0.0 / 0.0)", "int(9223372036854775808u)", "uint(-0.5 - 1.0)",
    "uint('-1')",
    "double('x')", "bool('tRuE')", "duration('1')", "duration('1d')", "timestamp('2023-13-01T00:00:00Z')",
    "timestamp('0000-01-01T00:00:00Z')", "timestamp('9999-12-31T23:59:59Z') + duration('1s')",
    "timestamp(0).getHours('Nowhere/City')", "-(-9223372036854775807 - 1)", "9223372036854775807 * 2",
    "18446744073709551615u + 1u", "(-9223372036854775807 - 1) / -1", "1u % 0u", "[1, 2][-1]", "[1][dyn(0.5)]",
    "{'a': 1}[dyn(1)]", "dyn(1) < 'a'", "dyn([1]) < dyn([2])", "dyn({}) + dyn({})", "[0, 1].all(x, 1 / x > 0 || x > 5)",
    "[1, 1].transformMapEntry(i, v, {v: i})", "d.field", "dyn('abc')[0]", "dyn(1).all(x, true)",
  ])
  func fails(source: String) throws {
    let expression = try Expression(source, in: Self.environment)
    let error = #expect(throws: ExpressionError.self) { try expression.evaluate(Self.bindings) }
    #expect(error?.code == .evaluation)
  }

  @Test(arguments: [
    ("[]", "list(dyn)"), ("{}", "map(dyn, dyn)"), ("[1, 2]", "list(int)"), ("[1, 'a']", "list(dyn)"),
    ("[[], [1]]", "list(list(int))"), ("{'a': [1.0]}", "map(string, list(double))"),
    ("[1].map(x, x > 0)", "list(bool)"),
    ("optional.of(1)", "optional(int)"), ("o.orValue(1)", "int"), ("m.?a", "optional(int)"), ("m['a']", "int"),
    ("[1] + []", "list(int)"), ("true ? [1] : []", "list(int)"), ("d", "dyn"), ("type(1)", "type(int)"),
    ("[1, 2].transformMap(i, v, string(v))", "map(int, string)"), ("[o].unwrapOpt()", "list(int)"),
    ("o.optMap(x, [x])", "optional(list(int))"), ("[1].first()", "optional(int)"), ("'a'.split('')", "list(string)"),
    ("timestamp(0) - timestamp(0)", "duration"), ("1 > 2 ? 1 : null", "dyn"),
  ])
  func typeIsDeduced(source: String, type: String) throws {
    #expect(try Expression(source, in: Self.environment).resultType.description == type)
  }
}
