import Expressions
import Testing

struct FunctionTests {
  private func evaluate(_ source: String) throws -> Value {
    try Expression(source, in: Environment()).evaluate(Bindings())
  }

  @Test(arguments: [
    "'hello'.contains('ell') && 'hello'.startsWith('he') && 'hello'.endsWith('lo')", "!'hello'.contains('z')",
    "'hello'.charAt(4) == 'o' && 'hello'.charAt(5) == ''", "'hello mellow'.indexOf('ello', 2) == 7",
    "'hello mellow'.indexOf('', 2) == 2", "'hello mellow'.lastIndexOf('ello') == 7", "'abab'.lastIndexOf('ab', 1) == 0",
    "'äöü'.indexOf('ü') == 2", "'TÄst'.lowerAscii() == 'tÄst' && 'täst'.upperAscii() == 'TäST'",
    "'aaa'.replace('a', 'b') == 'bbb'", "'aaa'.replace('a', 'b', 2) == 'bba'", "'aaa'.replace('a', 'b', -1) == 'bbb'",
    "'aaa'.replace('a', 'b', 0) == 'aaa'", "'ab'.replace('', '-') == '-a-b-'", "'aä'.replace('', '-', 2) == '-a-ä'",
    "'a,b,c'.split(',') == ['a', 'b', 'c']", "'a,b,c'.split(',', 2) == ['a', 'b,c']", "'a,b'.split(',', 0) == []",
    "'äb'.split('') == ['ä', 'b']", "''.split('') == []", "''.split(',') == ['']", "'abc'.split('', 2) == ['a', 'bc']",
    "'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco'", "' \\t\\u2003x\\u00a0 '.trim() == 'x'",
    "['a', 'b'].join() == 'ab' && ['a', 'b'].join('-') == 'a-b' && [].join('-') == ''", "'äx'.reverse() == 'xä'",
    "strings.quote('a\\t\"b\"') == '\"a\\\\t\\\\\"b\\\\\"\"'", "'a1'.matches('^[a-z]\\\\d$') && matches('x', 'x|y')",
  ])
  func textFunction(holds expression: String) throws { #expect(try evaluate(expression) == true) }

  @Test(arguments: [
    ("'%s %s'.format([1, 'a'])", "1 a"), ("'%d%%'.format([5])", "5%"), ("'%.2f'.format([1.005])", "1.00"),
    ("'%f'.format([1u])", "1.000000"), ("'%e'.format([12345.678])", "1.234568e+04"), ("'%x'.format([-255])", "-ff"),
    ("'%X'.format(['az'])", "617A"), ("'%o %b'.format([8, 5])", "10 101"), ("'%b'.format([false])", "0"),
    ("'%s'.format([{'b': [1.0, null], 'a': duration('90s')}])", "{a: 90s, b: [1, null]}"),
    ("'%d'.format([3.14])", "3.14"),
    ("'%s'.format([b'a\\xff\\xfeb'])", "a\u{FFFD}b"), ("'%s'.format([type(1)])", "int"),
    ("'%s'.format([double('NaN')])", "NaN"), ("'%s'.format([1e21])", "1000000000000000000000"),
    ("'%s'.format([0.000001])", "0.000001"),
  ])
  func formatPrints(expression: String, expected: String) throws {
    #expect(try evaluate(expression) == .string(expected))
  }

  @Test(arguments: [
    "'%'.format([])", "'%q'.format([1])", "'%s'.format([])", "'%.f'.format([1.0])", "'%.9999f'.format([1.0])",
    "'%d'.format(['1'])",
    "'%f'.format(['1'])", "'%b'.format([1.0])", "'%x'.format([null])", "'%s'.format([optional.of(1)])",
  ])
  func formatRefuses(expression: String) throws {
    let error = #expect(throws: ExpressionError.self) { try evaluate(expression) }
    #expect(error?.code == .evaluation)
  }

  @Test(arguments: [
    "[3, 1, 2].sort() == [1, 2, 3]", "['b', 'a'].sort() == ['a', 'b']", "[].sort() == []",
    "[1, 2, 3, 4].slice(1, 3) == [2, 3]",
    "[[1], [2, [3]]].flatten() == [1, 2, [3]]", "[[1], [2, [3]]].flatten(2) == [1, 2, 3]", "[1, 2].reverse() == [2, 1]",
    "[1, 1.0, 1u, 2, 'a', 'a'].distinct() == [1, 2, 'a']", "lists.range(3) == [0, 1, 2]", "lists.range(-1) == []",
    "[1, 2].first() == optional.of(1) && [1, 2].last().value() == 2 && ![].first().hasValue()",
    "[{'n': 'b', 'v': 1}, {'n': 'a', 'v': 2}].sortBy(e, e.n).map(e, e.v) == [2, 1]",
    "[3, 1, 2].sortBy(e, -e) == [3, 2, 1]", "size([1]) == 1 && {'a': 1}.size() == 1 && ''.size() == 0",
  ])
  func listFunction(holds expression: String) throws { #expect(try evaluate(expression) == true) }

  @Test(arguments: [
    "math.greatest(1, 2.5, 2u) == 2.5", "math.least([3, 1, 2]) == 1",
    "math.ceil(1.2) == 2.0 && math.floor(-1.2) == -2.0",
    "math.round(2.5) == 3.0 && math.trunc(-1.7) == -1.0", "math.abs(-2) == 2 && math.sign(-2.5) == -1.0",
    "math.isNaN(0.0 / 0.0) && math.isInf(1.0 / 0.0) && math.isFinite(1.0)", "math.sqrt(16) == 4.0",
    "math.bitAnd(6, 3) == 2 && math.bitOr(6u, 3u) == 7u && math.bitXor(6, 3) == 5 && math.bitNot(0) == -1",
    "math.bitShiftLeft(1, 4) == 16 && math.bitShiftRight(-1024, 3) == 2305843009213693824",
    "math.bitShiftLeft(1, 64) == 0 && math.bitShiftRight(1u, 1000) == 0u",
    "base64.encode(b'hello') == 'aGVsbG8=' && base64.decode('aGVsbG8') == b'hello'",
  ])
  func mathAndEncoding(holds expression: String) throws { #expect(try evaluate(expression) == true) }

  @Test(arguments: [
    "timestamp('2024-02-29T12:30:45.5Z').getMonth() == 1", "timestamp('2024-02-29T12:30:45.5Z').getDate() == 29",
    "timestamp('2024-02-29T12:30:45.5Z').getDayOfYear() == 59",
    "timestamp('2024-02-29T12:30:45.5Z').getDayOfWeek() == 4",
    "timestamp('2024-02-29T12:30:45.5Z').getMilliseconds() == 500",
    "timestamp('2024-07-01T00:00:00Z').getHours('Europe/Zurich') == 2",
    "timestamp('2024-01-01T00:00:00Z').getHours('Europe/Zurich') == 1",
    "timestamp('2024-01-01T00:00:00Z').getFullYear('-01:00') == 2023",
    "timestamp('2024-01-01T00:00:00+02:00') == timestamp('2023-12-31T22:00:00Z')",
    "timestamp(1700000000) - duration('1h') < timestamp(1700000000)",
    "timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')",
    "duration('1h30m') == duration('5400s') && string(duration('1h30m')) == '5400s'",
    "duration('90m').getHours() == 1 && duration('90m').getMinutes() == 90",
    "duration('123.321456789s').getMilliseconds() == 321", "int(timestamp(5)) == 5",
    "string(timestamp('0001-01-01T00:00:00.001Z')) == '0001-01-01T00:00:00.001Z'",
  ])
  func timeFunction(holds expression: String) throws { #expect(try evaluate(expression) == true) }

  @Test(arguments: [
    ("1.0", "1"), ("0.1", "0.1"), ("1e20", "100000000000000000000"), ("1e21", "1e+21"), ("1e-7", "1e-7"),
    ("123456.75", "123456.75"), ("-0.0", "-0"), ("1.0 / 0.0", "Infinity"), ("0.00001", "0.00001"),
    ("1.5e300", "1.5e+300"),
  ])
  func doubleAsText(source: String, expected: String) throws {
    #expect(try evaluate("string(\(source))") == .string(expected))
  }

  @Test func standardSignaturesDescribeThemselves() {
    let signatures = FunctionSignature.standard
    #expect(signatures.contains { $0.description == "string.contains(string) -> bool" })
    #expect(signatures.contains { $0.description == "size(list(A)) -> int" })
  }
}
