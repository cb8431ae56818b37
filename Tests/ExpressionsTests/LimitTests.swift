import Expressions
import Testing

struct LimitTests {
  private func outcome(
    _ source: String, _ variables: [String: Value] = [:], limits: EvaluationLimits = .standard
  ) throws -> Result<Value, ExpressionError> {
    let types = variables.mapValues { _ in ValueType.dynamic }
    let expression = try Expression(source, in: Environment(variables: types))
    return Result { () throws(ExpressionError) in
      try expression.evaluate(Bindings(variables: variables), limits: limits)
    }
  }

  private static let thousand: Value = .list((0..<1000).map { .int($0) })

  @Test(arguments: [
    "list.all(a, list.all(b, list.all(c, a + b + c >= 0)))", "lists.range(1000000000)",
    "list.map(a, list.map(b, list))",
    "cel.bind(a, 'x'.replace('x', text), cel.bind(b, a.replace('a', text), b.replace('a', text)))",
    "text.split('').map(c, text.split('')) == []",
    "list.exists(a, list.exists(b, a == -1)) || true", "list.transformMap(k, v, list.transformMap(l, w, v))",
    "[list, list, list].flatten().map(x, list.sort())",
    "list.map(x, text + text).join(text)", "list.map(x, text).map(x, x.reverse()) == []",
    "text.indexOf(text + 'b') + list.map(x, text.indexOf('aaaaaaaaaaaaaaaaab'))[0]",
    "list.map(x, text == text + '')", "list.map(x, list.map(y, '%s'.format([list]))) == []",
    "list.map(x, list == list).all(x, list.map(y, list == list) == [])",
    "list.filter(x, text.matches('(a|aa)+$'))", "list.map(x, list.distinct())",
    "list.map(x, base64.encode(bytes(text)))",
  ])
  func expensiveEvaluationStops(source: String) throws {
    let text = Value.string(String(repeating: "a", count: 520_000))
    let result = try outcome(source, ["list": Self.thousand, "text": text])
    let error = #expect(throws: ExpressionError.self) { try result.get() }
    #expect(error?.code == .limit)
  }

  @Test(arguments: [
    "(a*)*b", "(a|aa)+$", "(a|a)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^a]$",
  ])
  func catastrophicPatternIsLinear(pattern: String) throws {
    func time(_ count: Int) throws -> Double {
      let text = Value.string(String(repeating: "a", count: count))
      return try processorTime {
        _ = try outcome("text.matches(pattern)", ["text": text, "pattern": .string(pattern)])
      }
    }
    let short = try time(100_000)
    #expect(try time(1_000_000) < max(short, 0.001) * 40)
  }

  @Test func patternInTheSourceIsCompiledOnceAndMatches() throws {
    let text = Value.string(String(repeating: "a", count: 1_000_000) + "!")
    #expect(try outcome("text.matches('a+!$')", ["text": text]).get() == true)
  }

  @Test(arguments: ["(?=a)", "(a)\\1", "[", "a{5000}", "(", "\\8"])
  func patternBeyondRE2Fails(pattern: String) throws {
    let result = try outcome("'a'.matches(p)", ["p": .string(pattern)])
    let error = #expect(throws: ExpressionError.self) { try result.get() }
    #expect(error?.code == .evaluation)
  }

  @Test func hugePatternIsRefused() throws {
    let result = try outcome("'a'.matches(p)", ["p": .string(String(repeating: "a|", count: 100_000))])
    #expect(throws: ExpressionError.self) { try result.get() }
  }

  @Test func deepValuesAreALimit() throws {
    var deep = Value.list([])
    for _ in 0..<5000 { deep = .list([deep]) }
    for source in [
      "deep == other", "deep != other", "deep in [other]", "'%s'.format([deep])", "[deep, other].distinct()",
    ] {
      let result = try outcome(source, ["deep": deep, "other": deep])
      let error = #expect(throws: ExpressionError.self) { try result.get().typeName }
      #expect(error?.code == .limit)
    }
    #expect(try outcome("deep.flatten(100000).size()", ["deep": deep]).get() == 1)
    #expect(deep.json().count < 5000)
  }

  @Test func depthLimitOfTheCallerHolds() throws {
    let source = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    let result = try outcome(source + " == [x]", ["x": 1], limits: EvaluationLimits(cost: 1000, depth: 50))
    let error = #expect(throws: ExpressionError.self) { try result.get() }
    #expect(error?.code == .limit)
  }

  @Test func costOfZeroAllowsConstantsOnly() throws {
    let limits = EvaluationLimits(cost: 0, depth: 50)
    #expect(try outcome("1 + 1", limits: limits).get() == 2)
    #expect(throws: ExpressionError.self) { try outcome("x", ["x": 1], limits: limits).get() }
  }

  @Test(arguments: [
    "int(d)", "uint(d)", "timestamp(i)", "timestamp(i) + span", "timestamp(0) - span", "-i", "i * i", "i - 1", "i / -1",
    "i % -1",
    "math.abs(i)", "span + span", "-d", "lists.range(i)", "'abc'.substring(i)", "'abc'.charAt(i)", "[1][i]", "[1][d]",
    "{1: 1}[d]",
    "[1, 2].slice(i, i)", "math.bitShiftLeft(1, i)", "'a'.replace('a', 'b', i)", "'a'.split('a', i)",
    "'%d'.format([i])", "'%f'.format([d])",
    "string(d)", "string(span)", "math.round(d)", "[[1]].flatten(i)", "'abc'.indexOf('b', i)",
    "'abc'.lastIndexOf('b', i)", "uint(i)", "double(i)",
    "timestamp(s) - timestamp(0)", "span.getMilliseconds()", "timestamp(i).getFullYear()",
    "timestamp(0).getHours('+99:99')", "'%x'.format([i])",
  ])
  func extremeNumbersDoNotTrap(source: String) throws {
    let spans: [Int64] = [.min, -1, 0, 1, .max]
    let doubles: [Double] = [.infinity, -.infinity, .nan, 0x1p63, -0x1p63, 0x1p64, 1e308, -0.0, .leastNonzeroMagnitude]
    for number in spans {
      for double in doubles {
        _ = try outcome(
          source,
          [
            "i": .int(number), "d": .double(double), "span": .duration(TimeSpan(nanoseconds: number)),
            "s": "9999-12-31T23:59:59.999999999Z",
          ])
      }
    }
    #expect(spans.count * doubles.count == 45)
  }

  @Test func limitIsNotSwallowed() throws {
    let result = try outcome(
      "list.all(x, list.all(y, list.all(z, true))) || true", ["list": Self.thousand],
      limits: EvaluationLimits(cost: 10_000, depth: 50))
    let error = #expect(throws: ExpressionError.self) { try result.get() }
    #expect(error?.code == .limit)
  }

  private static func nested(_ inner: String, _ levels: Int) -> String {
    String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
  }

  @Test func chainsOfMacrosCannotNestValuesWithoutBound() throws {
    let link = ".map(a, \(Self.nested("a", 100)))"
    let binds = String(repeating: "cel.bind(a, \(Self.nested("a", 50)), ", count: 60)
    let optionals = String(repeating: ".optMap(a, \(Self.nested("a", 100)))", count: 20)
    for source in [
      "[1]" + String(repeating: link, count: 100),
      "[1]" + String(repeating: ".transformMap(i, a, {'k': [[a]]})", count: 200),
      "cel.bind(a, 1, " + binds + "a" + String(repeating: ")", count: 61), "optional.of(1)" + optionals,
    ] {
      let errors = #expect(throws: ExpressionErrors.self) { try Expression(source, in: Environment()) }
      #expect(errors?.all.map(\.code) == [.limit])
    }
    #expect(try outcome("[1].map(a, [[a]]).map(a, [[a]])").get() == [[[[[1]]]]])
    #expect(try outcome("[1]" + String(repeating: ".map(a, a + 1)", count: 100)).get() == [101])
    #expect(try outcome("[[1]]" + String(repeating: ".filter(a, true)", count: 100)).get() == [[1]])
  }

  @Test func valuesDoNotGrowFromOneExpressionToTheNext() throws {
    let expression = try Expression(Self.nested("x", 100), in: Environment(variables: ["x": .dynamic]))
    var value: Value = 1
    var failure: ExpressionError?
    for _ in 0..<10_000 where failure == nil {
      do throws(ExpressionError) {
        value = try expression.evaluate(Bindings(variables: ["x": value]))
      } catch {
        failure = error
      }
    }
    #expect(failure?.code == .limit)
    #expect(value == value)
    #expect(value.hashValue == value.hashValue)
  }

  @Test func sharedPartsCountAsOftenAsTheyAreWritten() throws {
    let source = "lists.range(100).map(x, lists.range(10).map(y, text))"
    let text: [String: Value] = ["text": .string(String(repeating: "a", count: 1000))]
    let limits = EvaluationLimits(cost: 50_000, depth: 50, size: 1 << 20)
    #expect(throws: Never.self) { try outcome(source, text, limits: limits).get() }
    let larger = "lists.range(100).map(x, lists.range(11).map(y, text))"
    #expect(throws: ExpressionError.self) { try outcome(larger, text, limits: limits).get() }
  }

  @Test func theLargestAnswerOfAnActionCanBeMeasuredAndPutIntoAText() throws {
    let text: [String: Value] = ["text": .string(String(repeating: "x", count: 16 << 20))]
    #expect(try outcome("size(text)", text).get() == 16_777_216)
    let template = try Template("{{ text }}\n", in: Environment(variables: ["text": .string]))
    #expect(try template.render(Bindings(variables: text)).stringValue?.utf8.count == 16_777_217)
  }
}
