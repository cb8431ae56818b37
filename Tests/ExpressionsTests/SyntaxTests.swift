import Expressions
import Testing

struct SyntaxTests {
  private func errors(_ source: String, in environment: Environment = Environment(checksTypes: false))
    -> [ExpressionError]
  {
    do {
      _ = try Expression(source, in: environment)
      return []
    } catch {
      return error.all
    }
  }

  @Test(arguments: [
    ("", 0..<0), ("1 +", 3..<3), ("1 2", 2..<3), ("(1", 2..<2), ("[1, 2 ", 6..<6), ("{'a' 1}", 5..<6), ("a.", 2..<2),
    ("'abc", 0..<1), ("\"\"\"abc\"\"", 0..<3), ("'\\q'", 1..<3), ("'\\u12'", 1..<5),
    ("b'\\u0041'", 2..<4),
    ("'\\ud800'", 1..<7), ("'\\U00110000'", 1..<11), ("'\\400'", 1..<3),
    ("9223372036854775808", 0..<19), ("18446744073709551616u", 0..<21), ("1e999", 0..<5), ("0x", 0..<2), ("1a", 0..<2),
    ("a = b", 2..<3), ("a & b", 2..<3), ("a | b", 2..<3), ("a # b", 2..<3), ("ä", 0..<2), ("if", 0..<2),
    ("a.in", 2..<4),
    ("a ? b", 5..<5), ("has(a)", 4..<5), ("a.all(b.c, true)", 6..<9), ("a.map(1, 2)", 6..<7),
    ("a.exists(i, i, true)", 12..<13),
    ("M{a: 1}", 0..<2), ("`a`", 0..<3), ("a.`b$`", 4..<5), ("true.false", 5..<10), ("f(1,)", 4..<5), ("in", 0..<2),
  ])
  func errorNamesItsPlace(source: String, range: Range<Int>) {
    let found = errors(source)
    #expect(found.map(\.code) == [.syntax])
    #expect(found.first?.range == range)
  }

  @Test(arguments: [
    "-9223372036854775808", "--1", "!-1 || true", "a.b.c", ".a.b", "a[?0]", "a.?b.c", "[?a, b]", "{?a: b}", "a.if",
    "a.else()",
    "\t1\n+\r\u{0C}1", "1// comment", "1 // comment\n+ 1", "a in b", "has(a.b)", "f()", "a.f(1, 2)", "R'\\'",
    "Br'''x'''", "1.0e-3",
    "1u", "0XaFU", "''''''", "a ? b : c ? d : e", "a.matches('(')", "all(1, 2)", "x.map()",
  ])
  func parses(source: String) {
    #expect(errors(source).isEmpty)
  }

  @Test(arguments: ["(", "[", "{1:", "!", "-", "a[", "f(", "a ? b : ", "x.all(y, ", "1 + (", "a.?b["])
  func deepNestingIsALimitAndNoCrash(opening: String) {
    let found = errors(String(repeating: opening, count: 50_000 / opening.utf8.count))
    #expect(found.map(\.code) == [.limit])
  }

  @Test(arguments: [" + a", ".a", "[0]", " < a", ".f()", " * a", "[?a]"])
  func longChainsAreALimitAndNoCrash(link: String) {
    let found = errors("a" + String(repeating: link, count: 10_000))
    #expect(found.map(\.code) == [.limit])
  }

  @Test func longListsOfOperandsAreFine() throws {
    let disjunction = Array(repeating: "false", count: 5000).joined(separator: " || ") + " || true"
    #expect(try Expression(disjunction, in: Environment()).evaluate(Bindings()) == true)
    let list = "[" + Array(repeating: "1", count: 5000).joined(separator: ",") + "].size()"
    #expect(try Expression(list, in: Environment()).evaluate(Bindings()) == 5000)
  }

  @Test func nestingOfAHundredLevelsIsFine() throws {
    let source = String(repeating: "(", count: 100) + "1" + String(repeating: ")", count: 100)
    #expect(try Expression(source, in: Environment()).evaluate(Bindings()) == 1)
    let list = String(repeating: "[", count: 100) + "1" + String(repeating: "]", count: 100)
    #expect(try Expression("size(\(list))", in: Environment()).evaluate(Bindings()) == 1)
  }

  @Test func tooLongSourceIsRefused() {
    #expect(errors("'" + String(repeating: "a", count: 300_000) + "'").map(\.code) == [.limit])
  }
}
