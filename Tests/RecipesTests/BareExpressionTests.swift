import Expressions
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import Schemas
import Testing

/// What looks like an expression and is a text, and fields of outputs that are not parsed.
struct BareExpressionTests {
  private static let head = """
    inputs: { x: string, env: { type: string, enum: [dev, prod] } }
    steps:
      - { id: a, uses: values, with: { v: 1 } }
      - { id: r, uses: http.get, with: { url: "https://example.com/" } }
      - { id: p, uses: http.get, with: { url: "https://example.com/", parse: json } }

    """

  private static let text: Value = ["type": "object", "properties": ["text": ["type": "string"]]]
  private static let catalog = ActionCatalog(
    [
      ActionSignature(
        name: "template", summary: LocalizedText("Text", de: "Text"), effect: .pure, input: Schema(document: text),
        output: Schema(document: text), isBuiltin: true),
      ActionSignature(
        name: "http.get", summary: LocalizedText("Get", de: "Holen"), effect: .read,
        input: Schema(
          document: ["type": "object", "properties": ["url": ["type": "string"], "parse": ["type": "string"]]]),
        output: Schema(document: ["type": "object", "properties": ["status": ["type": "integer"], "body": [:]]]),
        isBuiltin: true),
    ], contracts: [])

  private func codes(_ step: String) -> [String] {
    let planner = Planner(catalog: Self.catalog)
    let planning = planner.plan(SourceText(path: "bare.yaml", text: Self.head + "  - " + step + "\n"))
    return planning.diagnostics.map(\.code.rawValue).filter { $0 != "url_refused" }
  }

  @Test(arguments: [
    "steps.a.output.v", "inputs.x", "size(steps.a.output)", "steps.a.output.v + 1", "'${{ inputs.x }}'",
    "'costs ${{ inputs.x }}'", "'={{ inputs.x }}'", "'={{ inputs.x }} and more'",
  ])
  func aTextThatLooksLikeAnExpressionIsReported(text: String) {
    #expect(codes("{ uses: template, with: { text: \(text) } }") == ["bare_expression"])
  }

  @Test(arguments: [
    "inputs.json", "see inputs.x for more", "steps.yaml", "steps.a", "'{{ inputs.x }}'", "'a={{ inputs.x }}'",
    "recipe.yaml", "run.sh", "x.y",
  ])
  func otherTextsAreTexts(text: String) {
    #expect(codes("{ uses: template, with: { text: \(text) } }") == [])
  }

  @Test(arguments: [
    ("steps.r.output.body.id", ["wrong_type"]), ("steps.p.output.body.id", []), ("steps.r.output.body", []),
    ("inputs.env == 'test' ? 'a' : 'b'", ["unknown_word"]), ("inputs.env == 'prod' ? 'a' : 'b'", []),
  ])
  func fieldsOfABodyThatIsNotParsedAreReported(expression: String, problems: [String]) {
    #expect(codes("{ uses: template, with: { text: \"{{ \(expression) }}\" } }") == problems)
  }
}
