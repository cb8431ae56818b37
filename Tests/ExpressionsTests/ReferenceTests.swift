import Expressions
import Testing

struct ReferenceTests {
  static let environment = Environment(
    variables: ["steps": .dynamic, "inputs": .dynamic, "message": .dynamic, "a.b": .dynamic], keywords: ["Anrede"])

  @Test(arguments: [
    ("steps.unread.output.messages", ["steps.unread.output.messages"]), ("inputs", ["inputs"]),
    ("steps[\"un read\"].output", ["steps.un read.output"]), ("steps.?a[?'b'].c", ["steps.a.b.c"]),
    ("has(steps.a.b)", ["steps.a.b"]),
    ("steps.a[inputs.n].c", ["steps.a", "inputs.n"]), ("steps.a.map(steps, steps.x)", ["steps.a"]),
    ("steps.a.map(x, x.y + message.z)", ["steps.a", "message.z"]), ("math.abs(inputs.n)", ["inputs.n"]),
    ("steps.a.size() + steps.b", ["steps.a", "steps.b"]), ("cel.bind(message, steps.a, message.b)", ["steps.a"]),
    ("steps.a.exists(i, m, m == inputs.x && i > 0)", ["steps.a", "inputs.x"]),
    ("[steps.a, {inputs.k: message.v}]", ["steps.a", "inputs.k", "message.v"]),
    ("inputs.a ? steps.b : !message.c", ["inputs.a", "steps.b", "message.c"]), ("1 + size('a')", []),
    ("int(inputs.a)", ["inputs.a"]),
    ("inputs.o.optMap(v, v + inputs.p)", ["inputs.o", "inputs.p"]), ("a.b.c", ["a.b.c"]),
    ("(steps.a).b", ["steps.a.b"]),
  ])
  func chainIsFound(source: String, expected: [String]) throws {
    let references = try Expression(source, in: Self.environment).references
    #expect(references.map { $0.path.joined(separator: ".") } == expected)
    #expect(references.allSatisfy { !$0.isKeyword })
  }

  @Test func everyComponentHasItsPlace() throws {
    let reference = try #require(try Expression("1 + steps[\"a\"].output", in: Self.environment).references.first)
    #expect(reference.components.map(\.range) == [4..<9, 10..<13, 15..<21])
  }

  @Test func keywordsAreMarked() throws {
    let references = try Template("{{ Anrede }} {{ keywords.Anrede + inputs.x }}", in: Self.environment).references
    #expect(references.map(\.path) == [["Anrede"], ["Anrede"], ["inputs", "x"]])
    #expect(references.map(\.isKeyword) == [true, true, false])
    #expect(references.map(\.components[0].range) == [3..<9, 25..<31, 34..<40])
  }
}
