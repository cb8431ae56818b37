import Builtins
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import RecipeTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExpectationCheckTests {
  private static let recipe = """
    name: sample
    steps:
      - { id: fetch, uses: weather.now, with: { place: here }, retry: 1 }
      - { id: each, for_each: "{{ steps.fetch.output.list }}", uses: template, with: { text: "{{ item }}" } }
    outputs: { list: "{{ steps.fetch.output.list }}", text: "{{ steps.fetch.output.text }}", number: "{{ steps.fetch.output.number }}" }
    """

  private static func problems(_ expectation: String, answer: String) async -> [Diagnostic] {
    let builtins = BuiltinActions()
    let tester = RecipeTester(
      planner: Planner(catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all)), builtins: builtins)
    let text =
      "recipe: sample.yaml\ntests:\n  - { name: t, steps: { fetch: { \(answer) } }, expect: { \(expectation) } }\n"
    let report = await tester.run(SourceText(path: "sample.test.yaml", text: text)) { path throws(Diagnostic) in
      SourceText(path: path, text: recipe)
    }
    #expect(report.diagnostics == [])
    return report.tests.flatMap(\.diagnostics)
  }

  /// An expectation that is not met, with what its message must show as expected and as actual.
  @Test(arguments: [
    ("status: failed", "\"failed\"", "\"succeeded\""),
    ("error: dns", "\"dns\"", "no failure"),
    ("error: { message: x }", "\"x\"", "no failure"),
    ("outputs: { number: { size: 3 } }", "3", "7"),
    ("outputs: { text: { size: 3 } }", "3", "2: \"ab\""),
    ("outputs: { list: { size: 3 } }", "3", "2: [\"x\",\"y\"]"),
    ("outputs: { text: { contains: z } }", "\"z\"", "\"ab\""),
    ("outputs: { list: { contains: z } }", "\"z\"", "[\"x\",\"y\"]"),
    ("outputs: { text: { matches: '^z' } }", "\"^z\"", "\"ab\""),
    ("outputs: { text: { cel: 'value.size() > 3' } }", "value.size() > 3", "\"ab\""),
    ("outputs: { list: [x] }", "1 element: ", "2 elements: "),
    ("outputs: { list: { equals: [x, z] } }", "\"z\"", "\"y\""),
    ("steps: { fetch: { output: { contains: { wether: 1 } } } }", "1", "missing"),
    ("steps: { fetch: { input: {} } }", "no such key", "\"here\""),
    ("steps: { fetch: { delays: [1s, 2.5s] } }", "[1s, 2.5s]", "[]"),
    ("steps: { fetch: { calls: 2 } }", "2", "1"),
    ("steps: { each: { items: 3 } }", "3", "2"),
  ])
  func aMessageShowsWhatWasExpectedAndWhatCameOut(expectation: String, expected: String, actual: String) async {
    let answer = "output: { list: [x, y], text: ab, number: 7 }"
    let problems = await Self.problems(expectation, answer: answer)
    #expect(problems.map(\.code) == [.expectationFailed])
    let lines = problems.first?.message.english.split(separator: "\n") ?? []
    #expect(lines.first { $0.hasPrefix("  - expected: ") }?.contains(expected) == true, "\(lines)")
    #expect(lines.first { $0.hasPrefix("  + actual:   ") }?.contains(actual) == true, "\(lines)")
    let german = problems.first?.message.german ?? ""
    #expect(german.contains("\n  - erwartet:    ") && german.contains("\n  + tatsächlich: "))
  }

  @Test func outputsOfARunThatFailedAreNotCalledUnknown() async {
    let problems = await Self.problems(
      "status: failed, outputs: { text: ab }, steps: { each: { input: x } }",
      answer: "error: { kind: auth, message: wrong key }")
    #expect(problems.map(\.code) == [.expectationFailed, .expectationFailed])
    #expect(problems.allSatisfy { $0.suggestion == nil })
    let message = problems.first?.message
    for text in [message?.english, message?.german] {
      #expect(text?.contains("'fetch'") == true && text?.contains("auth: wrong key") == true)
    }
  }

  @Test func aMisspeltMatcherIsRecognised() async {
    let problems = await Self.problems(
      "outputs: { text: { contians: a } }", answer: "output: { list: [], text: ab, number: 1 }")
    #expect(problems.map(\.suggestion) == ["contains"])
  }

  @Test func whatAnAttemptInDoubtHadGivenCanBeSaid() async {
    let builtins = BuiltinActions()
    let tester = RecipeTester(
      planner: Planner(catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all)), builtins: builtins)
    let recipe = """
      steps: [{ id: send, uses: mail.send, with: { to: [a@example.com], subject: s, text: t } }]
      outputs: { id: "{{ steps.send.output.message_id }}" }
      """
    let text = """
      recipe: r.yaml
      tests:
        - name: t
          steps: { send: { hang: true, verify: done, output: { message_id: "<1@x>", accepted: [], refused: [] } } }
          expect: { outputs: { id: "<1@x>" } }
      """
    let report = await tester.run(SourceText(path: "r.test.yaml", text: text)) { path throws(Diagnostic) in
      SourceText(path: path, text: recipe)
    }
    #expect((report.diagnostics + report.tests.flatMap(\.diagnostics)).map(\.message.english) == [])
    #expect(report.tests.map(\.hasPassed) == [true])
  }
}
