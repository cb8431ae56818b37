import Expressions
import LanguageServer
import Localization
import RecipeModel
import RecipeSyntax
import Testing

@Suite struct TestFileTests {
  private static let uri = "file:///project/workflows/digest.test.yaml"
  private static let recipe = """
    keywords: { Anrede: Du }
    inputs:
      folder: { enum: [INBOX, Archive], default: INBOX }
    steps:
      - id: unread
        uses: mail.search
        with: { folder: "{{ inputs.folder }}" }
      - id: said
        for_each: "{{ steps.unread.output.messages }}"
        uses: chat.complete
        with: { prompt: "{{ item.text }}" }
    outputs: { all: "{{ steps.said.items }}" }

    """
  private static let head = "recipe: digest.yaml\ntests:\n  - name: one\n"

  private static func editor(_ recipe: String = recipe) -> Editor {
    Editor(files: ["/project/sous.yaml": Editor.configuration, "/project/workflows/digest.yaml": recipe]) {
      $0.recipes = { _ in ["digest.yaml"] }
    }
  }

  @Test(
    arguments: [
      ("recipe: ¦", ["digest.yaml"]), (head + "    inputs: { ¦ }", ["folder"]),
      (head + "    inputs:\n      folder: ¦", ["INBOX", "Archive"]), (head + "    keywords:\n      ¦", ["Anrede"]),
      (head + "    steps:\n      ¦", ["unread", "said"]),
      (head + "    steps:\n      unread:\n        output:\n          ¦", ["messages", "total"]),
      (head + "    steps:\n      said:\n        - output:\n            ¦", ["text"]),
      (head + "    expect:\n      outputs:\n        ¦", ["all"]),
      (head + "    expect:\n      steps:\n        ¦", ["said"]),
      (head + "    expect:\n      steps:\n        unread:\n          input:\n            ¦", ["folder"]),
    ], [recipe, recipe + "nonsense: 1\n"])
  func offersNamesOfTheRecipe(_ place: (text: String, expected: [String]), _ recipe: String) {
    var editor = Self.editor(recipe)
    let labels = Set(editor.completions(place.text, uri: Self.uri))
    for label in place.expected { #expect(labels.contains(label), "\(label) of \(labels.sorted())") }
  }

  @Test func recipeInTheEditorCounts() {
    var editor = Self.editor()
    editor.open(Self.recipe.replacing("id: unread", with: "id: fresh"), uri: "file:///project/workflows/digest.yaml")
    #expect(editor.completions(Self.head + "    steps:\n      ¦", uri: Self.uri).contains("fresh"))
  }

  @Test func missingRecipeOffersNothingOfIt() {
    var editor = Editor(files: [:])
    #expect(!editor.completions(Self.head + "    steps:\n      ¦", uri: Self.uri).contains("unread"))
  }

  @Test func recipeIsFound() {
    var editor = Self.editor()
    #expect(editor.definition("recipe: dig¦est.yaml\n", uri: Self.uri) == "digest.yaml:0:0")
  }

  @Test func problemsStandInTheFileTheyAreOf() {
    var editor = Editor(
      files: ["/project/sous.yaml": Editor.configuration, "/project/workflows/digest.yaml": Self.recipe]
    ) {
      $0.testProblems = { source, _, read in
        var found = [Diagnostic(.unknownKey, .init(verbatim: "here"), path: source.path, range: source.range(0..<3))]
        if let recipe = read("/project/workflows/digest.yaml") {
          found.append(
            Diagnostic(.unknownStep, .init(verbatim: "there"), path: recipe.path, range: recipe.range(0..<1)))
        }
        return found
      }
    }
    editor.open(Self.head, uri: Self.uri)
    let recipe = "file:///project/workflows/digest.yaml"
    #expect(editor.published[Self.uri]?.compactMap { $0["code"]?.stringValue } == ["unknown_key"])
    #expect(editor.published[recipe]?.compactMap { $0["code"]?.stringValue } == ["unknown_step"])
    editor.open(Self.recipe, uri: recipe)
    #expect(editor.published[recipe] == [])
    // A change of the recipe checks its tests again.
    let before = editor.messages.count
    editor.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(recipe), "version": 2],
        "contentChanges": [["text": .string(Self.recipe + "\n")]],
      ])
    #expect(editor.messages[before...].contains { $0["params"]?["uri"]?.stringValue == Self.uri })
  }
}
