import Expressions
import LanguageServer
import Testing

@Suite struct CodeActionTests {
  private static let head =
    "keywords: { Stil: knapp }\ninputs: { limit: integer }\nsteps:\n  - id: unread\n    uses: mail.search\n"

  /// Applies the fixes of a whole file until nothing is wrong.
  private static func mended(_ text: String, uri: String = Editor.uri) -> (text: String, left: [Value]) {
    var editor = Editor()
    editor.open(text, uri: uri)
    let whole: Value = ["start": ["line": 0, "character": 0], "end": ["line": 999, "character": 0]]
    let actions = editor.request(
      "textDocument/codeAction",
      ["textDocument": ["uri": .string(uri)], "range": whole, "context": ["diagnostics": []]])["result"]
    let edits = (actions?.listValue ?? []).flatMap { $0["edit"]?["changes"]?[uri]?.listValue ?? [] }
    let result = Editor.applying(edits, to: text)
    editor.open(result, uri: uri)
    return (result, editor.published[uri] ?? [])
  }

  @Test(arguments: [
    "    with: { limit: \"{{ inputs.limitt }}\" }\n",
    "  - id: b\n    uses: values\n    with: { a: \"{{ steps.unraed.status }} 😀\" }\n",
    "  - id: b\n    uses: values\n    with: { a: \"{{ keywords.Still }}\" }\n",
    "  - id: b\n    uses: valuess\n", "  - id: b\n    uses: 'valuess'\n",
    "  - id: b\n    usess: values\n", "  - id: b\n    needs: [unraed]\n    uses: values\n",
    "    on_error: continu\n", "    provider: hme\n",
    "  - id: b\n    uses: values\n    with: { a: {{ inputs.limit }} }\n",
    "  - id: b\n    uses: values\n    with:\n      a: {{ \"x\" + string(inputs.limit) }}\n",
    "  - id: b\r\n    uses: values\r\n    with:\r\n      a: {{ inputs.limit }}\r\n",
  ])
  func fixMendsTheFile(_ wrong: String) {
    let (text, left) = Self.mended(Self.head + wrong)
    #expect(left.isEmpty, "\(text)")
    #expect(text != Self.head + wrong)
  }

  @Test func configurationIsMendedToo() {
    let uri = "file:///project/sous.yaml"
    let (text, left) = Self.mended(
      "providers:\n  home: { plugin: maildir }\ndefaults: { mail.stor: home, chat: hme }\n", uri: uri)
    #expect(left.isEmpty, "\(text)")
    #expect(text.contains("mail.store: home, chat: home"))
  }

  @Test func onlyProblemsAtThePlaceAndOfTheKindAreOffered() {
    var editor = Editor()
    editor.open(Self.head + "    on_error: continu\n")
    let place = { (line: Int64) -> Value in
      ["start": ["line": .int(line), "character": 14], "end": ["line": .int(line), "character": 14]]
    }
    let ask = { (editor: inout Editor, line: Int64, context: Value) -> Int? in
      editor.request(
        "textDocument/codeAction",
        ["textDocument": ["uri": .string(Editor.uri)], "range": place(line), "context": context])["result"]?
        .listValue?.count
    }
    #expect(ask(&editor, 5, ["diagnostics": []]) == 1)
    #expect(ask(&editor, 5, ["diagnostics": [], "only": ["quickfix"]]) == 1)
    #expect(ask(&editor, 5, ["diagnostics": [], "only": ["refactor"]]) == 0)
    #expect(ask(&editor, 2, ["diagnostics": []]) == 0)
  }

  @Test func clientThatKnowsNoActionsGetsNone() {
    var editor = Editor(capabilities: ["textDocument": [:]])
    editor.open(Self.head + "    on_error: continu\n")
    let whole: Value = ["start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0]]
    let answer = editor.request(
      "textDocument/codeAction",
      ["textDocument": ["uri": .string(Editor.uri)], "range": whole, "context": ["diagnostics": []]])
    #expect(answer["result"] == .list([]))
  }
}
