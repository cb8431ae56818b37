import Expressions
import Foundation
import Testing

/// Runs every example of `docs/expressions.md`, and sees to it that nothing is left out there.
struct DocumentationTests {
  /// One line of a block: the expression, and what it gives.
  struct Example: CustomTestStringConvertible {
    var line: Int
    var source: String
    var expected: String

    var testDescription: String { "line \(line): \(source)" }
  }

  /// A fenced block of the page: what it is marked with, and its lines with their numbers.
  struct Block {
    var language: String
    var lines: [(number: Int, text: String)] = []
  }

  static let blocks: [Block] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = (try? String(contentsOf: root.appending(path: "docs/expressions.md"), encoding: .utf8)) ?? ""
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          open = Block(language: String(line.dropFirst(3)))
        }
      } else {
        open?.lines.append((index + 1, String(line)))
      }
    }
    return blocks
  }()

  static func examples(_ language: String) -> [Example] {
    blocks.filter { $0.language == language }.flatMap(\.lines).compactMap { line in
      guard let mark = line.text.range(of: "  // => ", options: .backwards) else { return nil }
      return Example(
        line: line.number, source: String(line.text[..<mark.lowerBound]),
        expected: String(line.text[mark.upperBound...]))
    }
  }

  static let variables: [String: Value] = {
    let text = blocks.first { $0.language == "json" }?.lines.map(\.text).joined(separator: "\n") ?? ""
    let entries = (try? Value(json: text))?.mapValue?.entries ?? []
    return Dictionary(entries.map { ($0.key.text, $0.value) }) { first, _ in first }
  }()
  static let keywords: [String: Value] = ["Anrede": "Du", "Länge": "kurz", "Absender-Name": "Anna"]
  static let environment = Environment(
    variables: variables.mapValues { value in
      switch value {
      case .string: .string
      case .int: .int
      default: .dynamic
      }
    }, keywords: Set(keywords.keys))
  static let bindings = Bindings(
    variables: variables, keywords: keywords, now: Timestamp(rfc3339: "2026-01-31T09:00:00Z"))

  private func verify(_ example: Example, _ body: () throws -> Value) throws {
    if example.expected.hasPrefix("error ") {
      let code = ExpressionError.Code(rawValue: String(example.expected.dropFirst(6)))
      do {
        let value = try body()
        Issue.record("line \(example.line) gives \(value.jsonString)")
      } catch let error as ExpressionErrors {
        #expect(error.all.map(\.code) == [code])
      } catch let error as ExpressionError {
        #expect(error.code == code)
      }
      return
    }
    let expected = try Expression(example.expected, in: Self.environment).evaluate(Self.bindings)
    #expect(try body() == expected)
  }

  @Test(arguments: examples("cel"))
  func expressionGivesWhatThePageSays(example: Example) throws {
    try verify(example) { try Expression(example.source, in: Self.environment).evaluate(Self.bindings) }
  }

  @Test(arguments: examples("template"))
  func templateGivesWhatThePageSays(example: Example) throws {
    try verify(example) { try Template(example.source, in: Self.environment).render(Self.bindings) }
  }

  @Test func everyLineOfABlockIsAnExampleOrAComment() {
    let others = Self.blocks.filter { ["cel", "template"].contains($0.language) }.flatMap(\.lines)
      .filter { !$0.text.contains("  // => ") && !$0.text.hasPrefix("// ") }
    #expect(others.map(\.number) == [])
    #expect(Self.examples("cel").count > 150)
    #expect(Self.examples("template").count > 10)
  }

  @Test(arguments: FunctionSignature.standard)
  func everyOverloadHasAnExample(signature: FunctionSignature) {
    #expect(Self.isShown(signature))
  }

  @Test(arguments: Macro.standard)
  func everyFormOfAMacroHasAnExample(macro: Macro) {
    for form in macro.forms {
      #expect(Self.calls(macro.name, isMethod: macro.isMethod).contains(Self.argumentCount(form)))
    }
  }

  /// Whether an example has the operator, or calls the function in that form with so many arguments.
  private static func isShown(_ signature: FunctionSignature) -> Bool {
    if !signature.name.utf8.allSatisfy({ $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "@") }) {
      let symbol = signature.name.filter { $0 != "_" && $0 != "@" }
      let forms = signature.parameters.count == 1 ? ["\(symbol)c", "\(symbol)(", "\(symbol)7"] : [" \(symbol) "]
      return examples("cel").contains { example in forms.contains { example.source.contains($0) } }
    }
    let count = signature.parameters.count - (signature.isMethod ? 1 : 0)
    return calls(signature.name, isMethod: signature.isMethod).contains(count)
  }

  /// With how many arguments the examples call a function.
  private static func calls(_ name: String, isMethod: Bool) -> Set<Int> {
    var counts: Set<Int> = []
    let call = (isMethod ? "." : "") + name + "("
    for example in examples("cel") where !example.expected.hasPrefix("error") {
      var rest = example.source[...]
      while let found = rest.range(of: call) {
        let before = found.lowerBound > rest.startIndex ? rest[rest.index(before: found.lowerBound)] : " "
        if isMethod || !(before.isLetter || before == "." || before == "_") {
          counts.insert(argumentCount(rest[found.lowerBound...]))
        }
        rest = rest[found.upperBound...]
      }
    }
    return counts
  }

  /// The number of arguments of the first call in a text.
  private static func argumentCount(_ text: some StringProtocol) -> Int {
    var depth = 0
    var count = 0
    var isEmpty = true
    var quote: Character?
    for character in text.drop(while: { $0 != "(" }) {
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "'", "\"":
        quote = character
        isEmpty = false
      case "(", "[", "{":
        if depth > 0 { isEmpty = false }
        depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0 { return isEmpty ? 0 : count + 1 }
      case "," where depth == 1: count += 1
      default: isEmpty = isEmpty && character == " "
      }
    }
    return isEmpty ? 0 : count + 1
  }
}
