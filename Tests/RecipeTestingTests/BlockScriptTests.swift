import Builtins
import Plans
import RecipePlanning
import RecipeSyntax
import RecipeTesting
import Testing

/// Tests of recipes with blocks: answers for their steps, and what is expected of them.
@Suite(.timeLimit(.minutes(5))) struct BlockScriptTests {
  private static let recipe = """
    name: sample
    steps:
      - id: each
        for_each: [a, b]
        on_error: continue
        steps:
          - { id: fetch, uses: weather.now, with: { place: "{{ item }}" }, retry: 1 }
          - { id: text, when: steps.fetch.output.warm, uses: template, with: { text: "{{ item }} is warm" } }
      - id: round
        repeat: { until: output.look.done, every: 5m, limit: 3 }
        steps:
          - { id: look, uses: weather.now, with: { place: c } }
      - id: once
        steps:
          - { id: last, uses: weather.now, with: { place: d } }
    outputs: { failed: "{{ steps.each.items.filter(i, i.status == 'failed').size() }}" }
    """

  private static func report(_ test: String) async -> SuiteReport {
    let builtins = BuiltinActions()
    let tester = RecipeTester(
      planner: Planner(catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all)), builtins: builtins)
    let source = SourceText(path: "sample.test.yaml", text: "recipe: sample.yaml\ntests:\n  - name: t\n" + test)
    return await tester.run(source) { path throws(Diagnostic) in SourceText(path: path, text: recipe) }
  }

  private static func problems(_ report: SuiteReport) -> [Diagnostic] {
    report.diagnostics + report.tests.flatMap(\.diagnostics)
  }

  /// Answers for all steps.
  private static let answers = """
        steps:
          each:
            items:
              - { steps: { fetch: { output: { warm: true } } } }
              - { steps: { fetch: { error: auth } } }
          round:
            - { steps: { look: { output: { done: false } } } }
            - { steps: { look: { output: { done: true } } } }
          once: { steps: { last: { output: { n: 1 } } } }

    """

  @Test func answersAreGivenByItemAndByRepetition() async {
    let report = await Self.report(
      Self.answers + """
            expect:
              outputs: { failed: 1 }
              steps:
                each:
                  items: 2
                  steps:
                    fetch: { calls: 2, status: [succeeded, failed], error: auth, inputs: [{ place: a }, { place: b }] }
                    text: { status: [succeeded, skipped], calls: 1 }
                round: { attempts: 2, delays: [5m], steps: { look: { output: [{ done: false }, { done: true }] } } }
                once: { steps: { last: { status: succeeded, output: { n: 1 }, input: { place: d } } } }
        """)
    #expect(Self.problems(report) == [])
    #expect(report.tests.map(\.hasPassed) == [true])
    let covered = report.coverage?.steps.filter { $0.covered.contains(.ran) }.map(\.id)
    #expect(covered == ["each", "each.fetch", "each.text", "round", "round.look", "once", "once.last"])
    #expect(report.coverage?.steps.first { $0.id == "each.fetch" }?.covered.contains(.failed) == true)
  }

  /// Expectations of steps in blocks with the codes of the reported problems; no codes for a test that passes.
  private static let expectations: [(expected: String, codes: [String])] = [
    ("each: { steps: { fetch: { calls: 3 } } }", ["expectation_failed"]),
    ("each: { steps: { fetch: { status: succeeded } } }", ["expectation_failed"]),
    ("round: { steps: { look: { calls: 1 } } }", ["expectation_failed"]),
    ("round: { steps: { look: { calls: { cel: 'value == 2' } } } }", []),
    ("once: { steps: { last: { output: { n: 2 } } } }", ["expectation_failed"]),
    ("once: { steps: { lst: { calls: 1 } } }", ["unknown_step"]),
    ("once: { steps: { last: { items: 1 } } }", ["conflicting_keys"]),
    ("once: { steps: { last: { steps: { a: { calls: 1 } } } } }", ["conflicting_keys"]),
  ]

  @Test(arguments: expectations)
  func stepsOfBlocksAreCompared(_ expectation: (expected: String, codes: [String])) async {
    let report = await Self.report(Self.answers + "    expect: { steps: { \(expectation.expected) } }\n")
    #expect(Self.problems(report).map(\.code.rawValue) == expectation.codes, "\(Self.problems(report))")
  }

  @Test func aBlockIsAnsweredAsAWhole() async {
    let report = await Self.report(
      """
          steps:
            each: { items: [{ output: { fetch: {} } }, { error: server }] }
            round: { output: { look: { done: true } } }
            once: { output: {} }
          expect: { outputs: { failed: 1 }, calls: [each, round, once] }
      """)
    #expect(Self.problems(report) == [])
  }

  @Test(arguments: [
    ("each: { items: [{ steps: { fetsh: { output: {} } } }] }", "unknown_step"),
    ("each: [{ steps: { fetch: { output: {} } } }, { output: {} }]", "missing_key"),
    ("once: { items: [{ steps: { last: { output: {} } } }] }", "conflicting_keys"),
    ("once: { steps: { last: { steps: {} } } }", "conflicting_keys"),
  ])
  func wrongAnswersAreReported(answers: String, code: String) async {
    let report = await Self.report("    steps: { \(answers) }\n    expect: { status: succeeded }\n")
    #expect(report.diagnostics.map(\.code.rawValue).contains(code), "\(report.diagnostics)")
    #expect(report.tests.isEmpty)
  }
}
