import Builtins
import Engine
import Foundation
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas
import Testing

@testable import RecipeTesting

@Suite(.timeLimit(.minutes(5))) struct TestSuiteReaderTests {
  private static let recipe = """
    name: sample
    inputs: { limit: { type: integer, minimum: 1 }, place: { type: string, default: x } }
    keywords: { Stil: knapp }
    steps:
      - { id: fetch, uses: mail.search, with: { limit: "{{ inputs.limit }}" } }
      - { id: text, uses: template, with: { text: "{{ Stil }}" } }
    outputs: { total: "{{ steps.fetch.output.total }}" }
    """

  private static func report(_ text: String, recipe: String = Self.recipe) async -> SuiteReport {
    let builtins = BuiltinActions()
    let tester = RecipeTester(
      planner: Planner(catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all)), builtins: builtins)
    return await tester.run(SourceText(path: "sample.test.yaml", text: text)) { path throws(Diagnostic) in
      SourceText(path: path, text: recipe)
    }
  }

  @Test func everyMistakeIsReportedAtOnceInItsPlace() async {
    let report = await Self.report(
      """
      recipe: sample.yaml
      tests:
        - name: first
          inputs: { limt: 5, limit: many }
          keywords: { Stiel: x }
          steps:
            fetsh: { hang: true }
            fetch: { outptu: {} }
          expect:
            statsu: succeeded
            outputs: { totl: 3 }
        - inputs: { limit: 0 }
          expect:
            steps: { fetch: { cals: 1 } }
      """)
    #expect(report.tests.isEmpty)
    #expect(report.hasErrors)
    let found = report.diagnostics.map { diagnostic in
      let place = diagnostic.range.map { "\($0.start.line):\($0.start.column)" } ?? "-"
      return "\(place) \(diagnostic.code.rawValue) \(diagnostic.suggestion ?? "")"
    }
    #expect(
      found == [
        "4:15 unknown_input limit", "4:31 wrong_type ", "5:17 unknown_keyword Stil", "7:7 unknown_step fetch",
        "8:16 unknown_key output", "10:7 unknown_key status", "11:18 unknown_output total", "12:5 missing_key ",
        "12:22 invalid_value ", "14:25 unknown_key calls",
      ])
  }

  @Test func whatARecipeNeedsMustBeGiven() async {
    let report = await Self.report("recipe: sample.yaml\ntests: [{ name: t, inputs: { place: y }, expect: {} }]\n")
    #expect(report.diagnostics.map(\.code) == [.missingKey])
    #expect(report.diagnostics.first?.range?.start.column == 28)
  }

  @Test func aMistakeBehindAnAnchorIsReportedOnceWhereItStands() async {
    let report = await Self.report(
      """
      recipe: sample.yaml
      tests:
        - name: first
          inputs: &inputs { limit: many }
          steps: { fetch: &answer { output: { total: none, messages: [] } } }
          expect: &expectation { steps: { fetch: { cals: 1 } }, outputs: { total: { matches: "[" } } }
        - { name: second, inputs: *inputs, steps: { fetch: *answer }, expect: *expectation }
        - { name: third, inputs: *inputs, steps: { fetch: [*answer, *answer] }, expect: *expectation }
      """)
    #expect(report.diagnostics.map { $0.range?.start.line } == [4, 5, 6, 6])
  }

  @Test func theRecipesProblemsStandBesideTheFiles() async {
    let report = await Self.report(
      "recipe: sample.yaml\ntests: [{ name: t, expct: {} }]\n", recipe: "steps: [{ uses: templte }]\n")
    #expect(report.diagnostics.map(\.path) == ["sample.test.yaml", "sample.test.yaml", "sample.yaml"])
  }

  @Test func aRecipeIsToldApartFromItsTests() async {
    let report = await Self.report(Self.recipe)
    #expect(report.diagnostics.map(\.code) == [.notSupported])
    #expect(await Self.report("recipe: sample.yaml\ntests: []\n").diagnostics.map(\.code) == [.invalidValue])
  }

  @Test func theWordsAreThoseOfTheEngine() {
    let kinds: [ActionFailure.Kind] = [
      .dns, .timeout, .refused, .unreachable, .io, .rateLimited, .server, .unsuitable, .crashed, .auth, .quota,
      .protocol, .parse,
      .invalidInput, .notFound, .unsupported, .cancelled, .failed,
      .badOutput, .rejected, .notYet, .repeatLimit,
    ]
    #expect(RecipeDefinitions.failureKinds == kinds.map(\.rawValue))
    #expect(Self.words("status", .expectation).allSatisfy { RunStatus(rawValue: $0) != nil })
    #expect(Self.words("status", .stepExpectation).allSatisfy { StepStatus(rawValue: $0) != nil })
    #expect(Self.words("verify", .answer) == CannedAnswer.Verification.allCases.map(\.rawValue))
  }

  private static func words(_ key: String, _ name: MappingDefinition.Name) -> [String] {
    switch RecipeDefinitions.definition(name).key(key)?.shape {
    case .word(let words): words
    case .any(let shapes):
      shapes.flatMap { shape -> [String] in if case .word(let words) = shape { words } else { [] } }
    default: []
    }
  }

  // MARK: docs/testing.md

  private static let documentation = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/testing.md").standardizedFileURL

  @Test func everyKeyIsDescribed() throws {
    let text = try String(contentsOf: Self.documentation, encoding: .utf8)
    let names: [MappingDefinition.Name] = [
      .testFile, .testCase, .answer, .answerError, .answersByItem, .answersOfRecipe, .expectation, .stepExpectation,
      .expectedError, .matchers,
    ]
    for key in names.flatMap({ RecipeDefinitions.definition($0).keyNames }) {
      let isThere = ["`\(key)`", "`\(key):", "\(key):", "\(key),", "\(key) }"].contains { text.contains($0) }
      #expect(isThere, "\(key) is not described")
    }
  }

  @Test func everyExampleIsRead() throws {
    let text = try String(contentsOf: Self.documentation, encoding: .utf8)
    let examples = text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(examples.count >= 2)
    for example in examples {
      var source = example
      if !example.contains("recipe: ") || !example.contains("tests:") {
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
        let expectation = example.hasPrefix("expect:") ? "" : "    expect: {}\n"
        source = "recipe: r.yaml\ntests:\n  - name: t\n" + expectation + lines.joined(separator: "\n")
      }
      let (document, problems) = YAMLDocument.parse(SourceText(path: "example.test.yaml", text: source))
      let reader = TestSuiteReader(try #require(document))
      #expect(reader.suite()?.tests.count == 1)
      #expect((problems + reader.fields.diagnostics).map(\.message.english) == [])
    }
  }
}
