import Expressions
import LanguageServer
import Testing

@Suite struct ProjectTests {
  private static let step =
    "steps:\n  - id: a\n    uses: mail.search\n    provider: NAME\n    with: { folder: INBOX }\n"
  private static func configuration(_ name: String) -> String { "providers:\n  \(name): { plugin: maildir }\n" }
  private static let files = [
    "/work/sous.yaml": configuration("outer"), "/work/inner/sous.yaml": configuration("inner"),
    "/named/sous.yaml": configuration("named"),
  ]

  private static func isRight(_ editor: inout Editor, _ path: String, provider: String) -> Bool {
    let uri = path.hasPrefix("/") ? "file://" + path : path
    editor.open(step.replacing("NAME", with: provider), uri: uri)
    return editor.published[uri] == []
  }

  @Test(arguments: [
    ("/work/inner/workflows/a.yaml", "inner"), ("/work/workflows/a.yaml", "outer"),
    ("/elsewhere/workflows/a.yaml", "outer"), ("untitled:Untitled-1", "outer"),
  ])
  func nearestConfigurationCountsAndTheOpenFoldersElsewhere(_ path: String, _ provider: String) {
    var editor = Editor(files: Self.files, beginning: ["rootUri": "file:///work/"])
    #expect(Self.isRight(&editor, path, provider: provider))
    #expect(!Self.isRight(&editor, path, provider: provider == "inner" ? "outer" : "inner"))
  }

  @Test func workspaceFoldersCountBeforeTheRootAndChange() {
    var editor = Editor(
      files: Self.files,
      beginning: [
        "rootUri": "file:///work", "workspaceFolders": [["uri": "file:///work/inner/sub", "name": "sub"]],
      ])
    #expect(Self.isRight(&editor, "/elsewhere/a.yaml", provider: "inner"))
    editor.notify(
      "workspace/didChangeWorkspaceFolders",
      [
        "event": [
          "removed": [["uri": "file:///work/inner/sub", "name": "sub"]],
          "added": [["uri": "file:///named", "name": "named"]],
        ]
      ])
    #expect(Self.isRight(&editor, "/elsewhere/a.yaml", provider: "named"))
  }

  @Test func configurationOfTheCommandLineCountsForEverything() {
    var editor = Editor(files: Self.files, beginning: ["rootUri": "file:///work"]) {
      $0.configurationPath = "/named/sous.yaml"
    }
    #expect(Self.isRight(&editor, "/work/inner/workflows/a.yaml", provider: "named"))
    #expect(!Self.isRight(&editor, "/work/inner/workflows/a.yaml", provider: "inner"))
  }

  @Test func namedConfigurationNeedsNoCertainName() {
    var editor = Editor(files: ["/named/other.yaml": Self.configuration("named")]) {
      $0.configurationPath = "/named/other.yaml"
    }
    #expect(Self.isRight(&editor, "/work/a.yaml", provider: "named"))
    #expect(editor.completions("¦", uri: "file:///named/other.yaml").contains("providers"))
  }

  // MARK: Changed files

  @Test func changedFilesOnTheDiskAreTakenUp() {
    var editor = Editor(files: Self.files)
    #expect(!Self.isRight(&editor, "/work/workflows/a.yaml", provider: "later"))
    editor.disk["/work/sous.yaml"] = Self.configuration("later")
    editor.notify("workspace/didChangeWatchedFiles", ["changes": [["uri": "file:///work/sous.yaml", "type": 2]]])
    #expect(editor.published["file:///work/workflows/a.yaml"] == [])
  }

  @Test func clientIsAskedToWatchFilesWhereItCan() {
    let watching = Editor(capabilities: ["workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]])
    #expect(watching.messages.first?["method"] == "client/registerCapability")
    #expect(Editor().messages.isEmpty)
  }

  // MARK: Child recipes

  private static let parent = """
    steps:
      - id: a
        uses: recipe
        with: { recipe: child, inputs: { name: x } }

    """
  private static let child =
    "inputs: { name: string }\nsteps:\n  - { id: b, uses: values, with: { c: \"{{ inputs.name }}\" } }\n"
  private static let parentURI = "file:///project/workflows/parent.yaml"
  private static let childURI = "file:///project/workflows/child.yaml"

  @Test func diagnosticsOfAChildRecipeStandInItsOwnFile() {
    var editor = Editor(files: [
      "/project/workflows/child.yaml": Self.child.replacing("inputs.name", with: "inputs.nam")
    ])
    editor.open(Self.parent, uri: Self.parentURI)
    #expect(editor.published[Self.parentURI] == [])
    #expect(editor.published[Self.childURI]?.first?["code"] == "unknown_input")
    #expect(editor.published[Self.childURI]?.first?["range"]?["start"]?["line"] == 2)
    // Another that runs it as well says the same; it is said once.
    editor.open(Self.parent, uri: "file:///project/workflows/second.yaml")
    #expect(editor.published[Self.childURI]?.count == 1)
    editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(Self.parentURI)]])
    #expect(editor.published[Self.childURI]?.count == 1)
    editor.notify(
      "textDocument/didClose", ["textDocument": ["uri": "file:///project/workflows/second.yaml"]])
    #expect(editor.published[Self.childURI] == [])
  }

  @Test func childRecipeInTheEditorCountsBeforeTheFile() {
    var editor = Editor(files: ["/project/workflows/child.yaml": Self.child])
    editor.open(Self.parent, uri: Self.parentURI)
    #expect(editor.published[Self.parentURI] == [])
    editor.open(
      Self.child.replacing("name: string", with: "other: string").replacing("inputs.name", with: "inputs.other"),
      uri: Self.childURI)
    #expect(editor.published[Self.parentURI]?.isEmpty == false)
    #expect(editor.published[Self.childURI] == [])
    editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(Self.childURI)]])
    #expect(editor.published[Self.parentURI] == [])
    #expect(editor.published[Self.childURI] == [])
  }

  @Test func childRecipeThatAppearsIsFound() {
    var editor = Editor(files: [:])
    editor.open(Self.parent, uri: Self.parentURI)
    #expect(editor.published[Self.parentURI]?.first?["code"] == "unknown_recipe")
    editor.open(Self.child, uri: Self.childURI)
    #expect(editor.published[Self.parentURI] == [])
  }

  @Test func recipesBesideAreOffered() {
    var editor = Editor {
      $0.recipes = { folder in folder == "/project/workflows" ? ["child.yaml", "test.yaml"] : [] }
    }
    let labels = editor.completions("steps:\n  - id: a\n    uses: recipe\n    with:\n      recipe: ¦")
    #expect(labels == ["child.yaml"])
  }
}
