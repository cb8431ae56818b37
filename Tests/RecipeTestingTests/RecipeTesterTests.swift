import Builtins
import Engine
import Expressions
import Foundation
import FoundationXML
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RecipeTesting
import Schemas
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecipeTesterTests {
  private static let recipe = """
    name: sample
    inputs: { names: { type: array, default: [a, b] } }
    keywords: { Stil: knapp }
    steps:
      - id: fetch
        uses: weather.now
        with: { place: "{{ Stil }}" }
        timeout: 10s
      - id: each
        for_each: "{{ inputs.names }}"
        uses: weather.now
        provider: somewhere
        with: { place: "{{ item }}" }
      - id: text
        when: steps.fetch.output.warm
        uses: template
        with: { text: "{{ string(steps.fetch.output.degrees) }} at {{ string(run.started) }}" }
    outputs: { text: "{{ steps.text.output }}" }
    """

  private static func report(_ tests: String, recipe: String = Self.recipe) async -> SuiteReport {
    let builtins = BuiltinActions()
    let tester = RecipeTester(
      planner: Planner(catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all)), builtins: builtins)
    let source = SourceText(path: "sample.test.yaml", text: "recipe: sample.yaml\ntests:\n" + tests)
    return await tester.run(source) { path throws(Diagnostic) in SourceText(path: path, text: recipe) }
  }

  private static func problems(_ report: SuiteReport) -> [Diagnostic] {
    report.diagnostics + report.tests.flatMap(\.diagnostics)
  }

  private static let warm = "fetch: { output: { warm: true, degrees: 21 } }, each: { output: {} }"

  @Test func answersTakeThePlaceOfPlugins() async {
    let report = await Self.report(
      """
        - name: warm
          clock: 2026-11-21T07:00:00Z
          steps: { \(Self.warm) }
          expect:
            outputs: { text: { text: "21 at 2026-11-21T07:00:00Z" } }
            steps: { each: { calls: 2, items: 2, inputs: [{ place: a }, { place: b }] } }
            calls: [fetch, each, text]
      """)
    #expect(Self.problems(report) == [])
    #expect(report.tests.map(\.hasPassed) == [true])
  }

  @Test func aFailedCallHasTheOutputThatTheTestSays() async {
    let recipe = """
      name: sample
      steps:
        - { id: check, uses: exec.read, with: { command: [check] }, on_error: continue }
        - { id: text, uses: template, with: { text: "{{ steps.check.error.output.stdout }}" } }
      outputs: { text: "{{ steps.text.output }}" }
      """
    let report = await Self.report(
      """
        - name: failed
          steps: { check: { error: { kind: failed, message: bad, output: { status: 3, stdout: x, stderr: "" } } } }
          expect: { outputs: { text: { text: x } } }
      """, recipe: recipe)
    #expect(Self.problems(report).map(\.message.english) == [])
    #expect(report.tests.map(\.hasPassed) == [true])
  }

  @Test func failuresAreRepeatedOnTheTestsOwnClock() async {
    let report = await Self.report(
      """
        - name: busy
          steps:
            fetch:
              - { error: { kind: server, message: busy }, after: 3s }
              - { hang: true }
              - { error: { kind: rate_limited, retry_after: 1m } }
              - { output: { warm: false, degrees: 1 }, after: 9s }
            each: { items: [ { output: {} }, [ { error: dns }, { output: {} } ] ] }
          expect:
            outputs: { text: null }
            steps:
              fetch: { status: succeeded, attempts: 4, delays: [1s, 2s, 1m] }
              each: { attempts: [1, 2], delays: [1s] }
              text: { status: skipped }
      """)
    #expect(Self.problems(report).map(\.message.english) == [])
  }

  @Test(arguments: [
    ("status: failed", ["expectation_failed"]),
    ("outputs: { text: { text: { matches: '^22' } } }", ["expectation_failed"]),
    ("outputs: { text: { text: { cel: 'value.size() > 100' } } }", ["expectation_failed"]),
    ("steps: { fetch: { delays: [1s] } }", ["expectation_failed"]),
    ("steps: { fetch: { output: { contains: { degrees: 21 } } } }", []),
    ("steps: { fetch: { output: { degrees: 21 } } }", ["expectation_failed"]),
    ("steps: { fetch: { output: { equals: { warm: true, degrees: 21 } } } }", []),
    ("steps: { fetch: { output: { equals: { warm: true, degrees: { size: 2 } } } } }", ["expectation_failed"]),
    ("steps: { each: { calls: { cel: 'value > 1' } }, fetch: { items: null } }", []),
    ("status: { matches: '^succ' }", []),
    ("calls: [each, fetch]", ["expectation_failed", "expectation_failed", "expectation_failed"]),
    ("calls: { contains: [text], size: 3 }", []),
    ("error: dns", ["expectation_failed"]),
    ("error: null", []),
  ])
  func whatIsNotMetIsReportedAtItsPlace(expectation: String, codes: [String]) async {
    let report = await Self.report("  - { name: t, steps: { \(Self.warm) }, expect: { \(expectation) } }\n")
    #expect(report.diagnostics == [])
    let problems = report.tests.flatMap(\.diagnostics)
    #expect(problems.map(\.code.rawValue) == codes)
    #expect(problems.allSatisfy { $0.range?.start.line == 3 && $0.path == "sample.test.yaml" })
  }

  @Test func aCallWithoutAnAnswerNamesItsStep() async {
    let report = await Self.report("  - { name: t, steps: { each: { output: {} } }, expect: { status: succeeded } }\n")
    #expect(report.tests.first?.diagnostics.map(\.code) == [.unansweredCall])
    #expect(report.tests.first?.diagnostics.first?.message.english.contains("'fetch'") == true)
  }

  @Test(arguments: [
    ("- { name: t, expect: {}, extra: 1 }", Diagnostic.Code.unknownKey),
    ("- { expect: {} }", .missingKey),
    ("- { name: t }", .missingKey),
    ("- { name: t, expect: {}, steps: { fetsh: { output: {} } } }", .unknownStep),
    ("- { name: t, expect: {}, steps: { fetch: { items: [ { output: {} } ] } } }", .conflictingKeys),
    ("- { name: t, expect: {}, steps: { fetch: { error: servre } } }", .invalidValue),
    ("- { name: t, expect: {}, steps: { fetch: { output: {}, error: dns } } }", .conflictingKeys),
    ("- { name: t, expect: {}, steps: { fetch: { hang: true, after: soon } } }", .invalidDuration),
    ("- { name: t, expect: {}, steps: { text: { output: 3 } } }", .wrongType),
    ("- { name: t, expect: {}, keywords: { Stiel: x } }", .unknownKeyword),
    ("- { name: t, expect: {}, steps: { fetch: { output: {}, verify: don, error: dns } } }", .invalidValue),
    ("- { name: t, expect: {}, steps: { fetch: { hang: false } } }", .invalidValue),
    ("- { name: t, expect: {}, clock: tomorrow }", .invalidValue),
    ("- { name: t, expect: {}, inputs: { nams: [] } }", .unknownInput),
    ("- { name: t, expect: {}, inputs: { names: 3 } }", .wrongType),
    ("- { name: t, expect: { status: sucseeded } }", .invalidValue),
    ("- { name: t, expect: { sttus: succeeded } }", .unknownKey),
    ("- { name: t, expect: { error: servre } }", .invalidValue),
    ("- { name: t, expect: { error: { knd: server } } }", .unknownKey),
    ("- { name: t, expect: { outputs: { txt: x } } }", .unknownOutput),
    ("- { name: t, expect: { outputs: { text: { cel: 'value.size() >' } } } }", .init(rawValue: "expression_syntax")),
    ("- { name: t, expect: { outputs: { text: { matches: '[' } } } }", .invalidValue),
    ("- { name: t, expect: { outputs: { text: [ { size: many } ] } } }", .wrongType),
    ("- { name: t, expect: { steps: { fetsh: { calls: 1 } } } }", .unknownStep),
    ("- { name: t, expect: { steps: { fetch: { call: 1 } } } }", .unknownKey),
    ("- { name: t, expect: { steps: { fetch: { calls: many } } } }", .wrongType),
    ("- { name: t, expect: { steps: { fetch: { items: 1 } } } }", .conflictingKeys),
    ("- { name: t, expect: { steps: { fetch: { delays: [soon] } } } }", .invalidDuration),
    ("- { name: t, expect: { steps: { fetch: { status: done } } } }", .invalidValue),
    ("- { name: t, expect: { calls: [fetsh] } }", .unknownStep),
    ("- { name: t, expect: { calls: { contains: [fetsh] } } }", .unknownStep),
    ("- { name: t, expect: { calls: 3 } }", .wrongType),
  ])
  func mistakesInTestFilesAreFoundBeforeAnythingRuns(test: String, code: Diagnostic.Code) async {
    let report = await Self.report("  " + test + "\n")
    #expect(report.diagnostics.map(\.code) == [code])
    #expect(report.diagnostics.first?.range?.start.line == 3)
    #expect(report.tests.isEmpty)
  }

  @Test func twoTestsOfOneNameAreRefused() async {
    let report = await Self.report("  - { name: t, expect: {} }\n  - { name: t, expect: {} }\n")
    #expect(report.diagnostics.map(\.code) == [.duplicateKey])
  }

  @Test func coverageTellsWhatNoTestHasDone() async {
    let report = await Self.report(
      "  - { name: t, inputs: { names: [] }, steps: { \(Self.warm) }, expect: { status: succeeded } }\n")
    let steps = report.coverage?.steps.map { step in step.branches.filter { !step.covered.contains($0) } }
    #expect(steps == [[.failed], [.ran, .items, .failed], [.whenFalse]])
    #expect(report.coverage?.total == 9)
    #expect(report.coverage?.coveredCount == 4)
  }

  @Test func resultsAreWellFormedXML() async {
    let report = await Self.report(
      "  - { name: '<t> & \"\\u0001', steps: { \(Self.warm) }, expect: { status: failed } }\n")
    let broken = await Self.report("  - { name: t }\n")
    let xml = JUnitReport([report, broken], language: .german).xml
    #expect(XMLParser(data: Data(xml.utf8)).parse())
    #expect(xml.contains("tests=\"2\" failures=\"1\" errors=\"1\""))
  }

  @Test func manyParallelTimeoutsEndInOrder() async {
    let names = (0..<200).map { "n\($0)" }.joined(separator: ", ")
    let report = await Self.report(
      """
        - name: many
          inputs: { names: [\(names)] }
          steps: { fetch: { output: { warm: false, degrees: 1 } }, each: { hang: true } }
          expect:
            status: failed
            error: timeout
            steps: { each: { attempts: { cel: "value >= 64" } } }
      """,
      recipe: Self.recipe.replacingOccurrences(
        of: "provider: somewhere", with: "provider: somewhere\n    parallel: 16\n    timeout: 1s"))
    #expect(Self.problems(report).map(\.message.english) == [])
  }

  @Test func aTestAnswersForARecipeAsAWhole() async {
    let builtins = BuiltinActions()
    var planner = Planner(catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all))
    planner.recipes = Leaf()
    let tester = RecipeTester(planner: planner, builtins: builtins)
    let parent =
      "name: u\nsteps: [{ id: b, uses: recipe, with: { recipe: leaf } }]\noutputs: { t: '{{ steps.b.output.t }}' }"
    let source = SourceText(
      path: "u.test.yaml",
      text: """
        recipe: u.yaml
        tests:
          - { name: whole, steps: { b: { output: { t: other } } }, expect: { status: succeeded, outputs: { t: other } } }
        """)
    let report = await tester.run(source) { path throws(Diagnostic) in SourceText(path: path, text: parent) }
    #expect(Self.problems(report) == [])
    #expect(report.tests.map(\.hasPassed) == [true])
  }

  private struct Leaf: RecipeSource {
    func text(_ path: String) throws(Diagnostic) -> SourceText? {
      SourceText(
        path: path,
        text: "steps: [{ id: a, uses: template, with: { text: x } }]\noutputs: { t: '{{ steps.a.output.text }}' }")
    }
  }
}
