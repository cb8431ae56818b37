import Expressions
import Plans
import RecipePlanning
import RecipeSyntax
import Schemas
import Testing

@Suite struct RecipeToolTests {
  private func planning(_ written: String) -> Planning {
    Planner.standard().plan(
      SourceText(
        path: "r.yaml",
        text: """
          tool: \(written)
          steps: [ { id: a, uses: template, with: { text: x } } ]
          outputs: { text: "{{ steps.a.output.text }}", number: "{{ 1 + 1 }}", list: "{{ [1] }}", map: { a: 1 } }

          """))
  }

  @Test(
    arguments: [
      ("true", RecipeTool()), ("false", nil), ("~", nil), ("{}", RecipeTool()),
      (
        "{ name: find-it_2, description: Finds it, approve: always }",
        RecipeTool(name: "find-it_2", summary: "Finds it", approval: .always)
      ),
      ("{ approve: never }", RecipeTool(approval: .never)), ("{ approve: false }", RecipeTool(approval: .never)),
      ("{ approve: true }", RecipeTool(approval: .always)),
    ] as [(String, RecipeTool?)])
  func opensTheRecipe(written: String, tool: RecipeTool?) throws {
    let planning = planning(written)
    #expect(!planning.hasErrors)
    #expect(try #require(planning.plan).tool == tool)
  }

  @Test(arguments: [
    "yes please", "3", "[]", "{ name: two words }", "{ name: \"\" }", "{ name: größe }", "{ approve: sometimes }",
    "{ other: 1 }",
  ])
  func otherTextsAreErrors(written: String) { #expect(planning(written).hasErrors) }

  @Test func outputsHaveTypesThatTheirValuesSatisfy() throws {
    let types = try #require(planning("true").plan).outputTypes
    let values: [String: Value] = ["text": "x", "number": 2, "list": [1], "map": ["a": 1]]
    #expect(Set(types.keys) == Set(values.keys))
    for (name, value) in values {
      let schema = Schema(document: types[name]?.outerSchema ?? [:])
      #expect(schema.validate(value).isEmpty && schema.validate(.null).isEmpty, "\(name)")
    }
    #expect(types["text"]?.outerSchema == ["type": ["string", "null"]])
    #expect(types["number"]?.outerSchema == ["type": ["integer", "null"]])
  }
}
