import Expressions
import Plans
import RecipePlanning
import RecipeSyntax
import Testing

@Suite struct ChildRecipeTests {
  private static let child = """
    inputs: { name: string, times: { type: integer, default: 1 } }
    steps: [{ id: text, uses: template, with: { text: "{{ inputs.name }}" } }]
    outputs: { greeting: "{{ steps.text.output.text }}" }
    """

  private func planning(_ steps: String, _ files: [String: String] = [:]) -> (Planning, MarkedText) {
    let text = MarkedText("steps:\n" + steps, path: "folder/parent.yaml")
    var all = ["folder/greet.yaml": Self.child]
    all.merge(files) { $1 }
    return (Planner.forKinds(all).plan(text.source), text)
  }

  @Test(arguments: ["greet", "greet.yaml", "./greet", "../folder/greet"])
  func aRecipeRunsAnother(_ name: String) throws {
    let (planning, _) = planning(
      """
        - { id: hello, uses: recipe, with: { recipe: \(name), inputs: { name: "{{ 'Ada' }}" } } }
        - { uses: template, with: { text: "{{ steps.hello.output.greeting }}" } }
      """)
    let plan = try #require(planning.plan, "\(planning.summary)")
    #expect(plan.steps[0].child?.steps.map(\.id) == ["text"])
    guard case .map(let entries) = plan.steps[0].input else {
      Issue.record("the inputs are no map")
      return
    }
    #expect(entries.map(\.name) == ["name"])
  }

  @Test(arguments: [
    "  - { uses: recipe, with: { recipe: «nobody» } }\n",
    "  - { uses: «recipe» }\n",
    "  - { uses: «recipe», with: { recipe: greet } }\n",
    "  - { uses: recipe, with: { recipe: greet, inputs: { name: «12» } } }\n",
    "  - { uses: recipe, with: { recipe: greet, inputs: { name: x, «tims»: 2 } } }\n",
    "  - { uses: recipe, with: { recipe: \"«{{ 'greet' }}»\" } }\n",
    "  - { id: a, uses: recipe, with: { recipe: greet, inputs: { name: x } } }\n"
      + "  - { uses: template, with: { text: \"{{ steps.a.output.«greting» }}\" } }\n",
  ])
  func aWrongCallHasItsPlace(_ marked: String) {
    let (planning, text) = planning(marked)
    #expect(planning.plan == nil)
    #expect(planning.diagnostics.count == 1, "\(planning.summary)")
    let range = planning.diagnostics.first?.range
    // Quotes count to a scalar.
    #expect(range?.start.line == text.ranges.first?.start.line, "\(planning.summary)")
    #expect(abs((range?.start.column ?? 0) - (text.ranges.first?.start.column ?? 0)) <= 1, "\(planning.summary)")
  }

  @Test func theFingerprintFollowsTheOtherRecipe() throws {
    let call = "  - { uses: recipe, with: { recipe: greet, inputs: { name: x } } }\n"
    let first = try #require(planning(call).0.plan?.fingerprint)
    #expect(planning(call).0.plan?.fingerprint == first)
    let changed = planning(call, ["folder/greet.yaml": Self.child + "\n# changed\n"]).0
    #expect(changed.plan?.fingerprint != first)
  }

  @Test func aPlanHoldsWhatItTakesToPlanItAgain() throws {
    let calls = """
        - { uses: recipe, with: { recipe: greet, inputs: { name: x } } }
        - { uses: recipe, with: { recipe: deep } }
      """
    let files = [
      "folder/deep.yml": "steps: [{ uses: recipe, with: { recipe: inner/leaf } }]\n",
      "folder/inner/leaf.yaml": "steps: [{ uses: recipe, with: { recipe: ../greet, inputs: { name: y } } }]\n",
    ]
    let plan = try #require(planning(calls, files).0.plan)
    #expect(plan.recipes == files.merging(["folder/greet.yaml": Self.child]) { $1 })
    let (_, text) = planning(calls, files)
    var planner = Planner.forKinds()
    planner.recipes = RecordedRecipes(plan.recipes)
    let again = try #require(planner.plan(text.source).plan)
    #expect(again.fingerprint == plan.fingerprint)
    #expect(again.recipes == plan.recipes)
    // What was not kept is not there, whatever the disk has meanwhile.
    planner.recipes = RecordedRecipes([:])
    #expect(Set(planner.plan(text.source).diagnostics.map(\.code)) == [.unknownRecipe])
  }

  @Test func recipesThatCallEachOtherAreRefused() {
    let (planning, _) = planning(
      "  - { uses: recipe, with: { recipe: a } }\n",
      ["folder/a.yaml": "steps: [{ uses: recipe, with: { recipe: parent } }]\n"])
    #expect(planning.diagnostics.map(\.code) == [.recipeCycle], "\(planning.summary)")
    #expect(planning.diagnostics.first?.path == "folder/a.yaml")
  }

  @Test func mistakesOfTheOtherRecipeAreShown() {
    let (planning, _) = planning(
      "  - { uses: recipe, with: { recipe: a } }\n  - { uses: recipe, with: { recipe: a } }\n",
      ["folder/a.yaml": "steps: [{ uses: temlate }]\n"])
    #expect(planning.diagnostics.map(\.code) == [.unknownAction], "\(planning.summary)")
    #expect(planning.sources["folder/a.yaml"] != nil)
  }

  @Test func aStepAtTheEndSeesAllOthers() throws {
    let (planning, _) = planning(
      """
        - { id: tidy, uses: template, finally: true, with: { text: "{{ steps.last.status }}" } }
        - { id: first, uses: template, with: { text: a } }
        - { id: last, uses: template, with: { text: b } }
      """)
    let plan = try #require(planning.plan, "\(planning.summary)")
    #expect(plan.steps.map(\.isFinally) == [true, false, false])
    #expect(plan.steps.map(\.needs) == [[1, 2], [], [1]])
  }

  @Test(arguments: [
    "  - { id: tidy, uses: template, finally: true, with: { text: x } }\n"
      + "  - { uses: template, with: { text: \"{{ steps.«tidy».status }}\" } }\n",
    "  - { id: tidy, uses: template, finally: true, with: { text: x } }\n"
      + "  - { uses: template, needs: [«tidy»], with: { text: x } }\n",
    "  - { id: tidy, uses: template, finally: true, «needs»: [], with: { text: x } }\n",
  ])
  func aStepAtTheEndIsLast(_ marked: String) {
    let (planning, text) = planning(marked)
    #expect(planning.diagnostics.map(\.range) == text.ranges, "\(planning.summary)")
  }

  private static let deep = [
    "folder/greet.yaml": """
    keywords: { Stil: sachlich }
    steps:
      - { uses: recipe, with: { recipe: deeper } }
      - { id: own, uses: template, keywords: { Stil: locker, Ton: laut }, with: { text: "{{ Stil }} {{ Ton }}" } }
    """,
    "folder/deeper.yaml": """
    keywords: { Sprache: Deutsch }
    steps:
      - { uses: chat.complete, with: { prompt: mail/summary, input: x } }
      - { uses: chat.complete, keywords: { Anrede: Sie }, with: { prompt: mail/summary, input: x } }
    """,
  ]

  @Test func keywordsOfRecipesThatItRunsAreKnown() throws {
    let (planning, _) = planning("  - { uses: recipe, with: { recipe: greet } }\n", Self.deep)
    let plan = try #require(planning.plan, "\(planning.summary)")
    #expect(plan.keywords.isEmpty)
    #expect(Set(plan.keywordNames) == ["Stil", "Ton", "Sprache", "Anrede"])
  }

  @Test func keywordsOfTheCallerStandAboveThoseOfTheRecipeButNotAboveItsSteps() throws {
    let (planning, _) = planning("  - { uses: recipe, with: { recipe: greet } }\n", Self.deep)
    let child = try #require(planning.plan?.steps.first?.child, "\(planning.summary)")
    let outer: [String: Value] = ["Stil": "knapp", "Anrede": .int(3), "Sprache": .null, "Fremd": "x"]
    let inner = child.inheriting(outer)
    let texts = { (keywords: [(name: String, value: BoundValue)]) in
      keywords.map { keyword -> String in
        guard case .literal(let value) = keyword.value else { return keyword.name }
        return "\(keyword.name)=\(value.stringValue ?? "?")"
      }
    }
    #expect(texts(inner.keywords) == ["Stil=knapp", "Anrede=3"])
    #expect(texts(inner.steps[1].keywords) == ["Stil=locker", "Ton=laut"])
    let deeper = try #require(inner.steps[0].child).inheriting(["Stil": "knapp", "Anrede": "3"])
    #expect(texts(deeper.keywords) == ["Sprache=Deutsch", "Anrede=3", "Stil=knapp"])
    // What a prompt of the catalog brings gives way; what a step says itself stays.
    #expect(texts(deeper.steps[0].keywords) == [])
    #expect(texts(deeper.steps[1].keywords) == ["Anrede=Sie"])
  }

  @Test func aRetryThatHasNoEffectIsReported() {
    let (planning, _) = planning("  - { uses: recipe, retry: 3, with: { recipe: greet, inputs: { name: Ada } } }\n")
    #expect(planning.diagnostics.map(\.code) == [.conflictingKeys])
  }

  @Test(arguments: [("same", 1), ("other", 0), ("{{ recipe.name }}", 0)])
  func aRecipeInTheGroupOfItsCallerIsReported(group: String, problems: Int) {
    let steps = "steps: [{ uses: template, with: { text: x } }]"
    let files = ["folder/kid.yaml": "concurrency: { group: '\(group)' }\n\(steps)"]
    let text = MarkedText(
      "concurrency: { group: same }\nsteps:\n  - { uses: recipe, with: { recipe: kid } }\n", path: "folder/parent.yaml")
    #expect(Planner.forKinds(files).plan(text.source).diagnostics.count == problems)
  }
}
