import Expressions
import LanguageServer
import Plans
import RecipeModel
import RecipePlanning
import Testing

@Suite struct LanguageSessionTests {
  static let recipe = """
    name: digest
    keywords: { Anrede: Du }
    inputs:
      limit: { type: integer, default: 5 }
    steps:
      - id: unread
        uses: mail.search
        provider: home
        with: { folder: INBOX, limit: "{{ inputs.limit }}" }
      - id: said
        for_each: "{{ steps.unread.output.messages }}"
        as: message
        uses: values
        with: { text: "{{ message.subject }}" }

    """

  @Test func validRecipePublishesNoDiagnostics() {
    var editor = Editor()
    editor.open(Self.recipe)
    #expect(editor.published[Editor.uri]?.isEmpty == true)
  }

  @Test func capabilitiesFollowTheClientsEncodings() {
    var plain = LanguageSession(
      .init(planner: { Planner(catalog: .init(), providers: NoProviders(), configuration: $0) }, read: { _ in nil }))
    let message: Value = [
      "jsonrpc": "2.0", "id": 1, "method": "initialize",
      "params": ["capabilities": ["general": ["positionEncodings": ["utf-8", "utf-16"]]]],
    ]
    let answer = plain.receive(message.json()).first?["result"]?["capabilities"]
    #expect(answer?["positionEncoding"] == "utf-8")
    #expect(answer?["hoverProvider"] == true)
  }

  @Test(arguments: [
    ("steps.unraed.output", "unknown_step"), ("inputs.limitt", "unknown_input"), ("1 +", "expression_syntax"),
  ])
  func mistakeIsPublishedWithItsRange(_ expression: String, _ code: String) throws {
    var editor = Editor()
    editor.open(Self.recipe + "outputs: { ä😀: 1, a: \"{{ \(expression) }}\" }\n")
    let all = try #require(editor.published[Editor.uri])
    #expect(all.contains { $0["code"]?.stringValue == code })
    #expect(all.allSatisfy { $0["severity"] == 1 && $0["range"]?["start"]?["line"] != nil })
  }

  @Test func rangesCountUTF16Units() throws {
    var editor = Editor()
    editor.open("steps:\n  - { id: a, uses: values, with: { t: \"ä😀 {{ inputs.x }}\" } }\n")
    let problem = try #require(editor.published[Editor.uri]?.first)
    // The emoji takes two units.
    #expect(problem["range"]?["start"]?["character"]?.intValue == 53)
    var bytes = Editor(encodings: ["utf-8"])
    bytes.open("steps:\n  - { id: a, uses: values, with: { t: \"ä😀 {{ inputs.x }}\" } }\n")
    #expect(bytes.published[Editor.uri]?.first?["range"]?["start"]?["character"]?.intValue == 56)
  }

  @Test func incrementalChangesApplyInOrder() {
    var editor = Editor()
    editor.open("name: ä😀x\nsteps: []\n")
    editor.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(Editor.uri), "version": 2],
        "contentChanges": [
          [
            "range": ["start": ["line": 0, "character": 9], "end": ["line": 0, "character": 10]], "text": "y",
          ],
          [
            "range": ["start": ["line": 1, "character": 7], "end": ["line": 1, "character": 9]],
            "text": "\n  - id: one\n    uses: values",
          ],
        ],
      ])
    #expect(editor.published[Editor.uri]?.isEmpty == true)
    let symbols = editor.request("textDocument/documentSymbol", ["textDocument": ["uri": .string(Editor.uri)]])
    #expect(symbols["result"]?.listValue?.compactMap { $0["name"]?.stringValue } == ["name", "one"])
  }

  @Test func messagesComeInTheClientsLanguage() throws {
    var editor = Editor(locale: "de-CH")
    editor.open("steps:\n  - id: a\n    uses: nothing.here\n")
    let problem = try #require(editor.published[Editor.uri]?.first?["message"]?.stringValue)
    var english = Editor()
    english.open("steps:\n  - id: a\n    uses: nothing.here\n")
    #expect(problem != english.published[Editor.uri]?.first?["message"]?.stringValue)
  }

  @Test func changedConfigurationIsTakenUp() {
    var editor = Editor()
    editor.open("steps:\n  - id: a\n    uses: mail.search\n    provider: other\n    with: { folder: INBOX }\n")
    #expect(editor.published[Editor.uri]?.isEmpty == false)
    editor.open("providers:\n  other: { plugin: maildir }\n", uri: "file:///project/sous.yaml")
    #expect(editor.published[Editor.uri]?.isEmpty == true)
  }

  @Test func fileOfSomethingElseIsLeftAlone() {
    var editor = Editor()
    editor.open("kind: Deployment\nfoo: bar\n", uri: "file:///project/k8s.yaml")
    #expect(editor.published["file:///project/k8s.yaml"]?.isEmpty == true)
  }

  @Test func wrongMessagesGetTheirErrorCodes() {
    var editor = Editor()
    #expect(editor.session.receive(Array("{".utf8)).first?["error"]?["code"] == -32700)
    #expect(editor.session.receive(Array("[]".utf8)).first?["error"]?["code"] == -32600)
    #expect(editor.request("no/such", [:])["error"]?["code"] == -32601)
    #expect(editor.request("textDocument/hover", [:])["error"]?["code"] == -32602)
    editor.notify("$/cancelRequest", ["id": 1])
    editor.notify("$/unknown", [:])
    #expect(editor.session.exitStatus == nil)
  }

  @Test func initializeComesFirstAndOnce() {
    var session = LanguageSession(
      .init(planner: { Planner(catalog: .init(), providers: NoProviders(), configuration: $0) }, read: { _ in nil }))
    let message = { (method: String) -> [UInt8] in
      (["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": ["capabilities": [:]]] as Value).json()
    }
    #expect(session.receive(message("textDocument/hover")).first?["error"]?["code"] == -32002)
    #expect(session.receive(message("shutdown")).first?["error"]?["code"] == -32002)
    #expect(session.receive(message("initialize")).first?["error"] == nil)
    #expect(session.receive(message("initialize")).first?["error"]?["code"] == -32600)
  }

  @Test(arguments: [
    (0, 0, 999, 999, "x"), (99, 0, 99, 9, "name: digest\nx"), (0, 999, 0, 999, "name: digestx\n"),
    (-5, -5, 0, 4, "x: digest\n"), (0, 4, 0, 0, "x: digest\n"),
    (Int64.max, Int64.max, Int64.max, Int64.max, "name: digest\nx"),
  ])
  func changesOutOfRangeEndAtTheText(_ line: Int64, _ character: Int64, _ endLine: Int64, _ end: Int64, _ text: String)
  {
    var editor = Editor()
    editor.open("name: digest\n")
    let range: Value = [
      "start": ["line": .int(line), "character": .int(character)],
      "end": ["line": .int(endLine), "character": .int(end)],
    ]
    editor.notify(
      "textDocument/didChange",
      ["textDocument": ["uri": .string(Editor.uri), "version": 2], "contentChanges": [["range": range, "text": "x"]]])
    // The whole again, replaced by something known: a fix of the text shows what stands there.
    let symbols = editor.request("textDocument/documentSymbol", ["textDocument": ["uri": .string(Editor.uri)]])
    let keys = symbols["result"]?.listValue?.compactMap { $0["name"]?.stringValue }
    #expect(keys == Editor.topKeys(text))
    #expect(editor.session.exitStatus == nil)
  }

  @Test func windowsLineBreaksChangeNothing() {
    var editor = Editor()
    let text = Self.recipe.replacing("\n", with: "\r\n")
    editor.open(text)
    #expect(editor.published[Editor.uri] == [])
    #expect(editor.completions(text + "  - id: x\r\n    uses: va¦\r\n").contains("values"))
    #expect(editor.completions(text + "  - id: x\r\n    ¦\r\n").contains("uses"))
    #expect(editor.hover(text.replacing("inputs.limit }}", with: "inputs.lim¦it }}")).contains("int"))
    #expect(editor.definition(text.replacing("steps.unread", with: "steps.unr¦ead")) == "test.yaml:5:8")
    let marked = text.replacing("id: unread", with: "id: un¦read")
    let edits = editor.ask("rename", marked, with: ["newName": "fresh"])["changes"]?[Editor.uri]?.listValue ?? []
    #expect(Editor.applying(edits, to: text) == text.replacing("unread", with: "fresh"))
    editor.open(text + "outputs: { a: \"😀{{ inputs.x }}\" }\r\n")
    let problem = editor.published[Editor.uri]?.first?["range"]?["start"]
    #expect(problem?["line"] == 14 && problem?["character"] == 27)
  }

  @Test func outlineHasStepsAndInputs() throws {
    var editor = Editor()
    editor.open(Self.recipe)
    let document: Value = ["textDocument": ["uri": .string(Editor.uri)]]
    let symbols = try #require(editor.request("textDocument/documentSymbol", document)["result"]?.listValue)
    #expect(symbols.compactMap { $0["name"]?.stringValue } == ["name", "keywords", "inputs", "unread", "said"])
    let inputs = symbols.first { $0["name"] == "inputs" }?["children"]?.listValue
    #expect(inputs?.first?["name"] == "limit" && inputs?.first?["detail"] == "integer")
    var flat = Editor(capabilities: ["textDocument": [:]])
    flat.open(Self.recipe)
    let list = try #require(flat.request("textDocument/documentSymbol", document)["result"]?.listValue)
    #expect(list.contains { $0["name"] == "limit" && $0["containerName"] == "inputs" && $0["location"] != nil })
  }

  @Test func exitAfterShutdownIsSuccess() {
    var editor = Editor()
    #expect(editor.request("shutdown", .null)["result"] == .null)
    #expect(editor.request("textDocument/hover", [:])["error"]?["code"] == -32600)
    editor.notify("exit", .null)
    #expect(editor.session.exitStatus == 0)
    var hasty = Editor()
    hasty.notify("exit", .null)
    #expect(hasty.session.exitStatus == 1)
  }
}
