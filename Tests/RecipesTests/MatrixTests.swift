import Expressions
import Plans
import RecipePlanning
import RecipeSyntax
import Testing

/// The combinations of a matrix, with the example of the documentation of GitHub Actions.
@Suite struct MatrixTests {
  private func lists(_ text: String) throws -> ValueMap {
    let node = try #require(YAMLDocument.parse(SourceText(path: "x.yaml", text: text)).document?.root)
    return try #require(node.value.mapValue)
  }

  private func combinations(_ text: String) throws -> [String] {
    try Matrix.combinations(of: lists(text)).map(\.jsonString)
  }

  @Test func theLastListCountsFastest() throws {
    #expect(
      try combinations("{ a: [1, 2], b: [x, y] }")
        == [#"{"a":1,"b":"x"}"#, #"{"a":1,"b":"y"}"#, #"{"a":2,"b":"x"}"#, #"{"a":2,"b":"y"}"#])
  }

  @Test func includeAddsToWhatFitsOrIsACombinationOfItsOwn() throws {
    let found = try combinations(
      """
      fruit: [apple, pear]
      animal: [cat, dog]
      include:
        - { color: green }
        - { color: pink, animal: cat }
        - { fruit: apple, shape: circle }
        - { fruit: banana }
        - { fruit: banana, animal: cat }
      """)
    #expect(
      found == [
        #"{"fruit":"apple","animal":"cat","color":"pink","shape":"circle"}"#,
        #"{"fruit":"apple","animal":"dog","color":"green","shape":"circle"}"#,
        #"{"fruit":"pear","animal":"cat","color":"pink","shape":null}"#,
        #"{"fruit":"pear","animal":"dog","color":"green","shape":null}"#,
        #"{"fruit":"banana","animal":null,"color":null,"shape":null}"#,
        #"{"fruit":"banana","animal":"cat","color":null,"shape":null}"#,
      ])
  }

  @Test func excludeLeavesOutWhatHasAllOfItsValues() throws {
    let found = try combinations("{ a: [1, 2], b: [x, y], exclude: [{ a: 1 }, { a: 2, b: y }] }")
    #expect(found == [#"{"a":2,"b":"x"}"#])
  }

  @Test func includeAloneIsEnough() throws {
    #expect(try combinations("{ include: [{ a: 1 }, { a: 2 }] }") == [#"{"a":1}"#, #"{"a":2}"#])
  }

  @Test func tooManyCombinationsAreRefused() throws {
    let list = "[" + (0..<200).map(String.init).joined(separator: ", ") + "]"
    let lists = try lists("{ a: \(list), b: \(list) }")
    #expect(throws: ExpressionError.self) { try Matrix.combinations(of: lists) }
  }

  @Test func aStepKnowsItsCombination() throws {
    let planning = Planner.standard().plan(
      """
      inputs: { versions: { type: array, items: { type: integer }, default: [1] } }
      steps:
        - matrix: { os: [a, b], version: inputs.versions, exclude: [{ os: a }], include: [{ os: c, label: x }] }
          steps:
            - uses: template
              with: { text: "{{ matrix.os }} {{ matrix.version }} {{ matrix.label }}" }
      """)
    let step = try #require(planning.plan?.steps.first, "\(planning.summary)")
    #expect(step.loop?.isMatrix == true)
    #expect(step.loop?.variable == "matrix")
  }

  @Test(arguments: [
    "- { matrix: { os: «debian» }, uses: template, with: { text: x } }",
    "- { matrix: { os: «[]» }, uses: template, with: { text: x } }",
    "- { matrix: «{}», uses: template, with: { text: x } }",
    "- { matrix: { os: [a] }, «for_each»: [1], uses: template, with: { text: x } }",
    "- { matrix: { os: [a], exclude: [{ «version»: 1 }] }, uses: template, with: { text: x } }",
    "- { matrix: { os: [a], include: [«b»] }, uses: template, with: { text: x } }",
    "- { matrix: { os: [a] }, uses: template, with: { text: \"{{ matrix.«so» }}\" } }",
    "- { matrix: { «my-os»: [a] }, uses: template, with: { text: x } }",
  ])
  func aWrongMatrixHasItsPlace(_ marked: String) {
    let text = MarkedText("steps:\n" + marked)
    let planning = Planner.standard().plan(text.source)
    #expect(planning.plan == nil)
    #expect(planning.diagnostics.count == 1, "\(planning.summary)")
    let range = planning.diagnostics.first?.range
    #expect(abs((range?.start.column ?? 0) - (text.ranges.first?.start.column ?? 0)) <= 1, "\(planning.summary)")
  }

  @Test func aValueOfOneTypeInAllCombinationsIsChecked() {
    func planning(_ include: String) -> Planning {
      Planner.standard().plan(
        MarkedText(
          "steps:\n- { matrix: { node: [18, 20], include: [\(include)] }, uses: template, "
            + "with: { text: \"{{ matrix.node.lower() }}\" } }\n"
        ).source)
    }
    // An integer has no letters, however the combinations come about.
    #expect(planning("{ node: 22 }").plan == nil)
    #expect(planning("{ node: 18, label: old }").plan == nil)
    // Of several types only the run knows which one comes.
    #expect(planning("{ node: latest }, { node: 22 }").plan != nil)
  }
}
