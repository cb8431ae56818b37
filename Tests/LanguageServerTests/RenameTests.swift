import Expressions
import LanguageServer
import Testing

@Suite struct RenameTests {
  static let recipe = """
    name: digest
    keywords: { Anrede: Du, "Länge": kurz }
    inputs:
      limit: { type: integer, default: 5 }
    steps:
      - id: unread
        uses: mail.search
        with: { folder: INBOX, limit: "{{ inputs.limit }}" }
      - id: said
        needs: [unread]
        for_each: '{{ steps["unread"].output.messages.filter(message, message.size > inputs.limit) }}'
        as: message
        when: run.id != "steps.unread"
        uses: values
        with:
          text: |
            😀 {{ Anrede }} {{ message.subject }} {{ Länge }}
            {{ keywords.Anrede + steps.unread.status }}
          more: "{{ \\"a\\" + message.text }} {{ [1].map(message, message + 1) }}"
    outputs:
      all: "{{ steps.said.items.map(i, i.item.subject) }} {{ steps.unread.status }}"

    """

  @Test func recipeIsValid() {
    var editor = Editor()
    editor.open(Self.recipe)
    #expect(editor.published[Editor.uri] == [])
  }

  private static func at(_ place: String, _ marked: String) -> String {
    recipe.replacing(place, with: marked, maxReplacements: 1)
  }

  @Test(arguments: [
    ("id: unread", "id: un¦read", 5), ("needs: [unread]", "needs: [¦unread]", 5),
    ("steps.unread.status }}\n", "steps.unread¦.status }}\n", 5), ("[\"unread\"]", "[\"unr¦ead\"]", 5),
    ("  limit: {", "  ¦limit: {", 3), ("inputs.limit }}", "inputs.lim¦it }}", 3),
    ("{ Anrede", "{ An¦rede", 3), ("{{ Länge", "{{ Län¦ge", 2), ("as: message", "as: mess¦age", 3),
    ("{{ message.subject", "{{ mess¦age.subject", 3), ("{{ steps.said", "{{ steps.sa¦id", 2),
  ])
  func referencesAreFoundFromEveryPlace(_ place: String, _ marked: String, _ count: Int) throws {
    var editor = Editor()
    let all = editor.ask("references", Self.at(place, marked), with: ["context": ["includeDeclaration": true]])
    #expect(all.listValue?.count == count)
    let uses = editor.ask("references", Self.at(place, marked), with: ["context": ["includeDeclaration": false]])
    #expect(uses.listValue?.count == count - 1)
    let marks = try #require(editor.ask("documentHighlight", Self.at(place, marked)).listValue)
    #expect(marks.count == count && marks.count { $0["kind"] == 3 } == 1)
  }

  @Test(arguments: [
    ("name: digest", "name: dig¦est"), ("mail.search", "mail.se¦arch"), ("map(message", "map(mess¦age"),
    ("\"steps.unread\"", "\"steps.unr¦ead\""), ("folder: INBOX", "fol¦der: INBOX"),
  ])
  func whatIsNoNameOfTheRecipeHasNoReferences(_ place: String, _ marked: String) {
    var editor = Editor()
    #expect(editor.ask("references", Self.at(place, marked)) == .null)
    #expect(editor.ask("prepareRename", Self.at(place, marked)) == .null)
  }

  @Test(arguments: [
    ("id: unread", "id: un¦read", "unread", "fresh"), ("  limit: {", "  ¦limit: {", "limit", "most"),
    ("{ Anrede", "{ An¦rede", "Anrede", "Name"), ("{{ Länge", "{{ Län¦ge", "Länge", "Höhe"),
    ("as: message", "as: mess¦age", "message", "mail"),
  ])
  func renamingChangesEveryPlaceAndNothingElse(
    _ place: String, _ marked: String, _ old: String, _ new: String
  ) throws {
    var editor = Editor()
    let marked = Self.at(place, marked)
    #expect(editor.ask("prepareRename", marked)["placeholder"]?.stringValue == old)
    let changes = editor.ask("rename", marked, with: ["newName": .string(new)])["changes"]
    let edits = try #require(changes?[Editor.uri]?.listValue)
    let text = Editor.applying(edits, to: Self.recipe)
    editor.open(text)
    #expect(editor.published[Editor.uri]?.isEmpty == true, "\(text)")
    // Back again: the names that only look the same did not change.
    let index = try #require(text.firstRange(of: marked.contains("as: mess¦") ? "as: \(new)" : new))
    let position = text[..<index.upperBound]
    let back = editor.ask("rename", position + "¦" + text[index.upperBound...], with: ["newName": .string(old)])
    #expect(Editor.applying(back["changes"]?[Editor.uri]?.listValue ?? [], to: text) == Self.recipe)
  }

  @Test(arguments: [
    ("id: unread", "id: un¦read", "un-read"), ("id: unread", "id: un¦read", "said"), ("id: unread", "id: un¦read", ""),
    ("id: unread", "id: un¦read", "true"), ("  limit: {", "  ¦limit: {", "1st"), ("{ Anrede", "{ An¦rede", "a b"),
    ("{ Anrede", "{ An¦rede", "Länge"), ("as: message", "as: mess¦age", "steps"),
    ("as: message", "as: mess¦age", "for"), ("{ Anrede", "{ An¦rede", "Anrede-2"),
  ])
  func nameThatCannotBeUsedIsRefused(_ place: String, _ marked: String, _ name: String) {
    var editor = Editor()
    let answer = editor.answer("rename", Self.at(place, marked), with: ["newName": .string(name)])
    #expect(answer["error"]?["code"] == -32803)
    #expect(answer["error"]?["message"]?.stringValue?.isEmpty == false)
  }

  @Test func nameThatAMacroWouldHideIsRefused() {
    var editor = Editor()
    let text = """
      steps:
        - id: a
          for_each: [1, 2]
          as: num¦ber
          uses: values
          with: { b: "{{ [1].map(x, x + number) }}" }

      """
    #expect(editor.answer("rename", text, with: ["newName": "x"])["error"]?["code"] == -32803)
    #expect(editor.answer("rename", text, with: ["newName": "y"])["error"] == nil)
  }

  @Test func itemWithoutANameIsNotRenamed() {
    var editor = Editor()
    let text = "steps:\n  - id: a\n    for_each: [1]\n    uses: values\n    with: { b: \"{{ it¦em }}\" }\n"
    #expect(editor.answer("prepareRename", text)["error"]?["code"] == -32803)
  }

  @Test func keywordsOfTheCatalogAreNotRenamed() {
    var editor = Editor()
    let text = """
      keywords: { Anr¦ede: Sie }
      steps:
        - id: a
          uses: chat.complete
          with: { prompt: mail/summary, input: x }

      """
    #expect(editor.answer("rename", text, with: ["newName": "Name"])["error"]?["code"] == -32803)
  }

  @Test func brokenFileIsNotRenamed() {
    var editor = Editor()
    let answer = editor.answer("rename", "steps:\n  - id: a¦\n    with: [\n", with: ["newName": "b"])
    #expect(answer["error"]?["code"] == -32803)
  }

  @Test func wrongExpressionStillCounts() throws {
    var editor = Editor()
    let text = """
      steps:
        - id: a¦
          uses: values
        - id: b
          uses: values
          with: { x: "{{ steps.a.output + }} {{ steps.a.status }} {{ 'steps.a' + }}" }

      """
    #expect(editor.ask("references", text).listValue?.count == 3)
  }

  @Test func keywordsInTextFormAreRenamed() throws {
    var editor = Editor()
    let text =
      "keywords: \"Anrede: Du; Stil: knapp\"\nsteps:\n  - { id: a, uses: values, with: { b: \"{{ Stil }}\" } }\n"
    let marked = text.replacing("{{ Stil", with: "{{ St¦il")
    let edits = editor.ask("rename", marked, with: ["newName": "Ton"])["changes"]?[Editor.uri]?.listValue ?? []
    #expect(Editor.applying(edits, to: text) == text.replacing("Stil", with: "Ton"))
  }

  @Test func editsCarryTheVersionWhereTheClientTakesIt() {
    var editor = Editor(capabilities: ["workspace": ["workspaceEdit": ["documentChanges": true]]])
    let edit = editor.ask("rename", Self.at("id: unread", "id: un¦read"), with: ["newName": "fresh"])
    #expect(edit["documentChanges"]?.listValue?.first?["textDocument"]?["version"] == 1)
    #expect(edit["documentChanges"]?.listValue?.first?["edits"]?.listValue?.count == 5)
  }
}
