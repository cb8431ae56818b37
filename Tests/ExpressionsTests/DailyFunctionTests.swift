import Expressions
import Testing

/// Functions for daily use: dates, sums, groups, texts, JSON; with the input that people do not expect.
@Suite struct DailyFunctionTests {
  private static let now = "timestamp('2026-01-31T09:00:00Z')"

  private func evaluate(_ source: String) throws -> Value {
    try Expression(source, in: Environment()).evaluate(Bindings())
  }

  private func refused(_ expression: String) -> ExpressionError? {
    #expect(throws: ExpressionError.self, "\(expression)") { try evaluate(expression) }
  }

  // MARK: - Times

  @Test(arguments: [
    ("%Y-%m-%d", "'UTC'", "2026-01-31"), ("%-d.%-m.%Y %H:%M", "'Europe/Zurich'", "31.1.2026 10:00"),
    ("%A %a %B %b", "'UTC', 'de'", "Samstag Sa Januar Jan"), ("%G-W%V-%u %w %j", "'UTC'", "2026-W05-6 6 031"),
    ("%I:%M %p %L", "'-10:00'", "11:00 PM 000"), ("%FT%T%:z", "'+05:30'", "2026-01-31T14:30:00+05:30"),
    ("%s %%", "'UTC'", "1769850000 %"), ("😀 %H", "'UTC'", "😀 09"), ("", "'UTC'", ""),
  ])
  func timesAreWritten(_ pattern: String, _ rest: String, _ expected: String) throws {
    #expect(try evaluate("\(Self.now).format('\(pattern)', \(rest))") == .string(expected))
  }

  @Test func weeksAtTheTurnOfTheYearAreThoseOfISO8601() throws {
    #expect(try evaluate("timestamp('2024-12-30T00:00:00Z').format('%G-%V')") == "2025-01")
    #expect(try evaluate("timestamp('2027-01-01T00:00:00Z').format('%G-%V')") == "2026-53")
    #expect(try evaluate("timestamp('0001-01-01T00:00:00Z').format('%Y-%G-%V')") == "0001-0001-01")
  }

  @Test(arguments: [
    "now.format('%')", "now.format('%Q')", "now.format('%Y', 'Europe/Nowhere')", "now.format('%Y', '')",
    "now.format('%Y', '+99:00')", "now.format('%A', 'UTC', 'fr')", "now.startOf('Week')", "now.startOf('day', 'Mars')",
    "now.addDays(1, 'Mars')", "now.addDays(9223372036854775807)", "now.addMonths(-9223372036854775807)",
    "now.addYears(8000)", "now.addYears(-2026)", "now.daysUntil(now, 'Mars')", "timestamp('', '%Y')",
    "timestamp('29.2.2023', '%d.%m.%Y')", "timestamp('2026x', '%Y')", "timestamp('12:30', '%H:%M')",
    "timestamp('1.1.2026', '%d.%m.%Y', 'Mars')", "timestamp('99999999999999999999', '%s')",
    "timestamp('1.1.2026 13:00 PM', '%d.%m.%Y %I:%M %p')", "timestamp('2026-01-01 +9900', '%F %z')",
    "days(106752)", "days(9223372036854775807)",
  ])
  func badTimesAreRefused(_ expression: String) {
    #expect(refused(expression.replacing("now", with: Self.now))?.code == .evaluation, "\(expression)")
  }

  @Test(arguments: [
    ("timestamp('31.1.2026', '%d.%m.%Y')", "2026-01-31T00:00:00Z"), ("timestamp('26', '%y')", "2026-01-01T00:00:00Z"),
    ("timestamp('70', '%y')", "1970-01-01T00:00:00Z"),
    ("timestamp('1. März 2026', '%d. %B %Y')", "2026-03-01T00:00:00Z"),
    ("timestamp('1 Mar 2026 12:30 AM', '%d %b %Y %I:%M %p')", "2026-03-01T00:30:00Z"),
    ("timestamp('2026-07-01 09:00', '%F %R', 'America/New_York')", "2026-07-01T13:00:00Z"),
    // A time that a clock change leaves out, and one that exists twice.
    ("timestamp('2026-03-29 02:30', '%F %R', 'Europe/Berlin')", "2026-03-29T01:30:00Z"),
    ("timestamp('2026-10-25 02:30', '%F %R', 'Europe/Berlin')", "2026-10-25T00:30:00Z"),
    ("timestamp('99999', '%s')", "1970-01-02T03:46:39Z"),
    ("timestamp('2024-02-29T12:00:00Z').addYears(1)", "2025-02-28T12:00:00Z"),
    ("timestamp('2026-01-31T12:00:00Z').addMonths(13)", "2027-02-28T12:00:00Z"),
    ("timestamp('2026-03-31T12:00:00Z').addMonths(-1)", "2026-02-28T12:00:00Z"),
    ("timestamp('2026-03-28T08:00:00Z').addDays(1, 'Europe/Zurich')", "2026-03-29T07:00:00Z"),
    ("timestamp('2026-03-28T08:00:00Z').addDays(1)", "2026-03-29T08:00:00Z"),
    ("timestamp('2026-01-31T09:00:00Z').startOf('quarter')", "2026-01-01T00:00:00Z"),
    ("timestamp('2026-01-31T09:00:00Z').startOf('hour', '+05:30')", "2026-01-31T08:30:00Z"),
    ("timestamp('2026-01-31T09:00:00Z').startOf('week', 'Europe/Berlin')", "2026-01-25T23:00:00Z"),
    // Midnight does not exist on this day.
    ("timestamp('2018-11-04T12:00:00Z').startOf('day', 'America/Sao_Paulo')", "2018-11-04T03:00:00Z"),
    ("timestamp('2026-01-31T09:00:00Z') - days(7)", "2026-01-24T09:00:00Z"),
  ])
  func timesAreReadAndCounted(_ expression: String, _ expected: String) throws {
    #expect(try evaluate(expression) == evaluate("timestamp('\(expected)')"))
  }

  @Test func daysAreCountedOnTheCalendar() throws {
    #expect(try evaluate("timestamp(0).daysUntil(timestamp('9999-12-31T23:59:59Z'))") == 2_932_896)
    let (late, early) = ("timestamp('2026-01-31T22:30:00Z')", "timestamp('2026-01-31T23:30:00Z')")
    #expect(try evaluate("\(late).daysUntil(\(early))") == 0)
    #expect(try evaluate("\(late).daysUntil(\(early), 'Europe/Zurich')") == 1)
    #expect(try evaluate("\(early).daysUntil(\(late), 'Europe/Zurich')") == -1)
    #expect(try evaluate("days(-1) == duration('-24h') && days(0) == duration('0s')") == true)
  }

  // MARK: - Lists and maps

  @Test(arguments: [
    "[].sum() == 0", "[1, 2.5, 3u].sum() == 6.5", "[duration('1h'), duration('30m')].sum() == duration('90m')",
    "[1, 2, 6].average() == 3.0", "[9223372036854775807, 9223372036854775807].average() > 9.2e18",
    "[1, 2.5, 3u].max() == 3u", "[true, false].min() == false", "['ä', 'z', 'a'].max() == 'ä'",
    "[timestamp(5), timestamp(0)].min() == timestamp(0)", "math.isNaN([1.0, 0.0 / 0.0].min())",
    "math.isNaN([0.0 / 0.0, 1.0].max())", "[1].max() == 1",
    "[].groupBy(e, e) == {}", "[1, 2, 3].groupBy(e, e % 2)[1] == [1, 3]",
    "[{'t': 'a', 'n': 1}, {'t': 'b', 'n': 2}, {'t': 'a', 'n': 3}].groupBy(e, e.t)['a'].map(e, e.n) == [1, 3]",
    "{}.keys() == [] && {}.values() == []", "{'b': 1, 'a': 2}.keys() == ['b', 'a']",
    "{1: 'a', true: 'b', 'x': 'c'}.keys().size() == 3", "{}.merge({'a': 1}) == {'a': 1}",
    "{'a': {'b': 1}}.merge({'a': {'c': 2}}) == {'a': {'c': 2}}",
    "[1, 2, 3].take(9223372036854775807) == [1, 2, 3] && [1, 2].take(-1) == [] && [].take(1) == []",
    "[1, 2, 3].drop(9223372036854775807) == [] && [1, 2].drop(-1) == [1, 2]",
  ])
  func listsAndMaps(holds expression: String) throws { #expect(try evaluate(expression) == true) }

  @Test(arguments: [
    "[1, dyn('a')].sum()", "[dyn(null)].sum()", "[dyn('a'), dyn('b')].sum()", "[duration('1h'), dyn(1)].sum()",
    "[9223372036854775807, 1].sum()", "[18446744073709551615u, 1u].sum()", "[].average()", "[dyn('a')].average()",
    "[].min()", "[].max()", "[1, dyn('a')].max()", "[dyn(null), 1].max()", "[dyn([1])].max()",
    "[1.5].groupBy(e, dyn(e))",
    "[null].groupBy(e, dyn(e))", "[{'a': 1}].groupBy(e, e.b)", "{'a': 1}.merge(dyn([1]))", "dyn([1]).keys()",
  ])
  func mixedAndEmptyListsAreRefused(_ expression: String) { _ = refused(expression) }

  // MARK: - Texts

  @Test(arguments: [
    "'a😀b'.take(2) == 'a😀' && 'a😀b'.drop(2) == 'b' && '😀'.size() == 1", "'abc'.take(-1) == '' && ''.drop(5) == ''",
    "'Straße'.upper() == 'STRASSE' && 'ﬁ'.upper() == 'FI'", "'ÄÖÜ'.lower() == 'äöü' && ''.lower() == ''",
    "'😀é'.upper() == '😀É'", "regex.extract('', '') == optional.of('')",
    "regex.extract('b', '(a)?c') == optional.none()",
    "regex.extractAll('', 'x') == []", "regex.extractAll('😀a😀', '😀') == ['😀', '😀']",
    "regex.replace('😀', '.', 'x') == 'x'", "regex.replace('abc', '', '-') == '-a-b-c-'",
    "regex.replace('aaa', 'a', 'b', 0) == 'aaa' && regex.replace('aaa', 'a', 'b', -1) == 'bbb'",
    "regex.replace('aa', 'a', 'b', 9223372036854775807) == 'bb'",
  ])
  func texts(holds expression: String) throws { #expect(try evaluate(expression) == true) }

  @Test(arguments: [
    "regex.extract('a', '(')", "regex.extract('ab', '(a)|(b)')", "regex.replace('a', 'a', r'\\1')",
    "regex.replace('a', 'a', '\\\\')", "regex.extractAll('a', '[')",
  ])
  func badPatternsAreRefused(_ expression: String) { _ = refused(expression) }

  // MARK: - Numbers

  @Test(arguments: [
    ("(0).format(2)", "0.00"), ("(-0.0).format(2)", "0.00"), ("(-0.001).format(2)", "0.00"),
    ("999999.995.format(2)", "1,000,000.00"), ("(9223372036854775807).format(0)", "9,223,372,036,854,775,807"),
    ("(-9223372036854775807 - 1).format(2, 'de')", "-9.223.372.036.854.775.808,00"),
    ("(1234.5).format(1, 'de-CH')", "1’234.5"), ("(1234.5).format(1, 'nl')", "1.234,5"),
    ("(0.0 / 0.0).format(2)", "NaN"),
    ("1.5.format(20)", "1.50000000000000000000"), ("(999).format(0, 'fr')", "999"),
  ])
  func numbersAreWritten(_ expression: String, _ expected: String) throws {
    #expect(try evaluate(expression) == .string(expected))
  }

  @Test(arguments: ["1.5.format(-1)", "1.5.format(101)", "1.5.format(2, 'xx')", "1.5.format(2, '')"])
  func badFormsOfNumbersAreRefused(_ expression: String) { #expect(refused(expression)?.code == .evaluation) }

  // MARK: - JSON, URLs, hashes

  @Test(arguments: [
    "json.encode(null) == 'null' && json.encode([]) == '[]'",
    "json.decode(json.encode('a\"\\n\\u2028😀')) == 'a\"\\n\\u2028😀'",
    "json.encode(18446744073709551615u) == '18446744073709551615'", "json.encode({1: 'a'}) == '{\"1\":\"a\"}'",
    "json.encode(b'\\xff') == '\"/w==\"'", "json.encode(timestamp(0)) == '\"1970-01-01T00:00:00Z\"'",
    "json.decode('9223372036854775807') == 9223372036854775807", "json.decode(r'\"\\ud83d\\ude00\"') == '😀'",
    "json.decode(' {\"a\": [1, 2.5, null]} ').a.size() == 3", "json.decode('null') == null",
    "url.encode('a b+c/d?e=f&g~h_i-j.k') == 'a%20b%2Bc%2Fd%3Fe%3Df%26g~h_i-j.k'", "url.decode(url.encode('😀')) == '😀'",
    "url.decode('a+b') == 'a+b' && url.encode('') == ''", "hash.sha256(b'\\xff') != hash.sha256('ÿ')",
    "hash.sha256('') == 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
  ])
  func encodings(holds expression: String) throws { #expect(try evaluate(expression) == true) }

  @Test(arguments: [
    "json.decode('')", "json.decode('[1,]')", "json.decode('1 2')", "json.decode('1e400')",
    "json.decode(r'\"\\ud83d\"')",
    "url.decode('%')", "url.decode('%zz')", "url.decode('%ff')", "url.decode('%C3')",
  ])
  func badEncodingsAreRefused(_ expression: String) { #expect(refused(expression)?.code == .evaluation) }
}
