import Expressions
import LanguageServer
import Testing

@Suite struct CompletionTests {
  static let head = """
    name: digest
    keywords: { Anrede: Du, Länge: kurz }
    inputs:
      limit: { type: integer, default: 5 }
    steps:
      - id: unread
        uses: mail.search
        with: { folder: INBOX }
      - id: said
        for_each: "{{ steps.unread.output.messages }}"
        as: message

    """

  @Test(arguments: [
    ("¦", ["steps", "name", "inputs"]),
    ("na¦", ["name"]),
    (head + "    us¦", ["uses", "when"]),
    (head + "    uses: ¦", ["mail.search", "values", "recipe"]),
    (head + "    uses: mail.se¦", ["mail.search", "mail.send"]),
    (head + "    provider: ¦", ["home", "local"]),
    (head + "    needs: ¦", ["unread"]),
    (head + "    needs: [¦]", ["unread"]),
    (head + "    on_error: ¦", ["continue", "fail"]),
    (head + "    uses: mail.search\n    with:\n      ¦", ["folder", "limit"]),
    (head + "    uses: values\n    with: { a: \"{{ ¦", ["steps", "inputs", "message", "index", "Länge", "size"]),
    (head + "    uses: values\n    with: { a: \"{{ steps.¦ }}\" }", ["unread"]),
    (head + "    uses: values\n    with:\n      a: \"{{ steps.unread.¦", ["output", "status"]),
    (head + "    uses: values\n    with:\n      a: {{ steps.¦", ["unread"]),
    (head + "    uses: values\n    with: { a: \"{{ steps.unread.output.¦\" }", ["messages"]),
    (head + "    uses: values\n    with: { a: \"{{ inputs.¦ }}\" }", ["limit"]),
    (head + "    uses: values\n    with: { a: \"{{ keywords.¦ }}\" }", ["Anrede"]),
    (head + "    uses: values\n    with: { a: \"{{ message.¦ }}\" }", ["subject", "from"]),
    (head + "    when: steps.unread.output.messages.exists(m, m.¦", ["subject", "from"]),
    (head + "    when: steps.unread.output.messages[0].subject.¦", ["startsWith", "matches"]),
    (head + "    uses: chat.complete\n    with:\n      prompt: ¦", ["mail/summary"]),
    (head + "  - ¦", ["id", "uses"]),
    (head + "    steps:\n      - ¦", ["id", "uses", "if", "switch", "for_each"]),
    (
      head + "    steps:\n      - id: inner\n        uses: mail.search\n      - uses: values\n"
        + "        with: { a: \"{{ steps.¦ }}\" }", ["unread", "inner"]
    ),
    (head + "    steps:\n      - uses: values\n        with: { a: \"{{ message.¦ }}\" }", ["subject", "from"]),
    (head + "    steps:\n      - uses: mail.search\n        with:\n          ¦", ["folder", "limit"]),
    (head + "  - if: steps.unread.output.¦", ["messages"]),
    (head + "  - if: true\n    then:\n      - uses: mail.search\n        with:\n          ¦", ["folder", "limit"]),
    (head + "  - matrix: { a: [1] }\n    uses: values\n    with: { a: \"{{ ¦", ["matrix", "index"]),
    ("retry:\n  ¦", ["attempts", "backoff"]),
    ("on:\n  - schedule:\n      ov¦", ["overlap"]),
    ("kind: ¦", ["general", "chain"]),
  ])
  func offersWhatCanBeWritten(_ text: String, _ expected: [String]) {
    var editor = Editor()
    let labels = Set(editor.completions(text))
    for label in expected { #expect(labels.contains(label), "\(label) of \(labels.sorted().prefix(30))") }
  }

  @Test(arguments: [
    (head + "    when: \"{{ steps.¦ }}\"\n  - id: later\n    uses: values\n", "later"),
    (head + "    when: \"{{ steps.¦ }}\"", "said"),
    (head + "    steps:\n      - id: inner\n        uses: values\n  - when: \"{{ steps.¦ }}\"", "inner"),
    (head + "    needs: []\n    when: \"{{ steps.¦ }}\"", "unread"),
    (head + "    name: x\n    ¦", "name"),
    ("# na¦", "name"),
  ])
  func doesNotOfferWhatCannotBe(_ text: String, _ label: String) {
    var editor = Editor()
    #expect(!editor.completions(text).contains(label))
  }

  @Test func configurationHasItsOwnKeys() {
    var editor = Editor()
    let labels = editor.completions("prov¦", uri: "file:///project/sous.yaml")
    #expect(labels.contains("providers") && !labels.contains("steps"))
  }

  @Test(arguments: [
    ("¦", "tests"), ("recipe: r.yaml\ntests:\n  - na¦", "name"),
    ("tests:\n  - steps:\n      fetch:\n        ou¦", "output"),
    ("tests:\n  - expect:\n      ¦", "calls"), ("tests:\n  - expect:\n      status: ¦", "needs_attention"),
    ("tests:\n  - expect:\n      steps:\n        fetch:\n          ¦", "delays"),
    ("tests:\n  - steps:\n      fetch:\n        error: ¦", "rate_limited"),
  ])
  func testFilesHaveTheirOwnKeys(_ text: String, _ label: String) {
    var editor = Editor()
    let labels = editor.completions(text, uri: "file:///project/r.test.yaml")
    #expect(labels.contains(label) && !labels.contains("uses"), "\(labels)")
  }

  @Test func replacementCoversTheWordBeforeTheCursor() throws {
    var editor = Editor()
    let answer = editor.ask("completion", Self.head + "    uses: mail.se¦")
    let item = try #require(answer["items"]?.listValue?.first { $0["label"] == "mail.search" })
    #expect(item["textEdit"]?["range"]?["start"]?["character"] == 10)
    #expect(item["textEdit"]?["range"]?["end"]?["character"] == 17)
    #expect(item["documentation"]?["kind"] == "markdown")
  }

  @Test(arguments: [true, false])
  func snippetsAndMarkdownAreForClientsThatTakeThem(_ isAble: Bool) throws {
    let able: Value = [
      "hover": ["contentFormat": ["markdown", "plaintext"]],
      "completion": ["completionItem": ["documentationFormat": ["markdown"], "snippetSupport": true]],
    ]
    var editor = Editor(capabilities: ["textDocument": isAble ? able : [:]])
    let items = editor.ask("completion", Self.head + "    when: siz¦")["items"]?.listValue
    let size = try #require(items?.first { $0["label"] == "size" })
    #expect(size["textEdit"]?["newText"] == (isAble ? "size($0)" : "size("))
    #expect(size["insertTextFormat"] == (isAble ? 2 : nil))
    #expect(size["documentation"]?["kind"] == (isAble ? "markdown" : nil))
    #expect((size["documentation"]?.stringValue != nil) != isAble)
    let hover = editor.ask("hover", Self.head + "    us¦es: values\n")["contents"]
    let text = hover?["value"]?.stringValue ?? hover?.stringValue
    #expect(text?.contains("**") == isAble)
  }

  @Test func everyPlaceOfARecipeCanBeAskedAbout() {
    var editor = Editor()
    let text = Array(LanguageSessionTests.recipe)
    for position in text.indices {
      // Nothing that is being written may stop the server.
      let cut = String(text[..<position])
      _ = editor.completions(cut + "¦")
      _ = editor.hover(cut + "¦" + String(text[position...]))
      _ = editor.definition(cut + "¦" + String(text[position...]))
    }
    #expect(editor.session.exitStatus == nil)
  }
}
