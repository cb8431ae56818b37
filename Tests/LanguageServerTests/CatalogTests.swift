import Expressions
import LanguageServer
import Testing

@Suite struct CatalogTests {
  private static let head = """
    keywords: { Gruss: Hallo }
    steps:
      - id: said
        uses: chat.complete
        with:
          input: x

    """
  private static let chain = "kind: chain\nprompts:\n  - use: notes/protocol\n"

  @Test(arguments: [
    (head + "      prompt: ¦", ["mail/summary", "notes/protocol"]),
    (head + "      prompt: mail/¦", ["mail/summary"]), ("kind: chain\nprompts:\n  - use: ¦", ["notes/protocol"]),
    (head + "      prompt: mail/summary\n      keywords: { ¦ }", ["Anrede", "Stil", "Sprache", "Gruss"]),
    (head + "      prompt: mail/summary\n      keywords:\n        ¦", ["Anrede", "Stil", "Sprache", "Gruss"]),
    (head + "      prompt: mail/summary\n    keywords:\n      ¦", ["Anrede", "Gruss"]),
    (head + "      prompt: mail/summary\n      system: \"{{ ¦ }}\"", ["Anrede", "Gruss"]),
    (head + "      prompt: mail/summary\n      system: \"{{ keywords.¦ }}\"", ["Anrede", "Gruss"]),
    (chain + "    keywords: { ¦ }", ["Anrede", "Stil"]), (chain + "    system: \"{{ ¦ }}\"", ["Stil", "previous"]),
    (chain + "keywords:\n  ¦", ["Anrede", "Stil"]),
  ])
  func offersPromptsAndTheirKeywords(_ text: String, _ expected: [String]) {
    var editor = Editor()
    let labels = Set(editor.completions(text))
    for label in expected { #expect(labels.contains(label), "\(label) of \(labels.sorted().prefix(30))") }
  }

  @Test func keywordsOfOtherPromptsAreNotOffered() {
    var editor = Editor()
    #expect(
      !editor.completions(Self.head + "  - id: other\n    uses: values\n    with: { a: \"{{ ¦ }}\" }").contains("Stil"))
    #expect(!editor.completions(Self.head + "      keywords: { ¦ }").contains("Stil"))
  }

  @Test(arguments: [
    (head + "      prompt: mail/sum¦mary\n", ["Summarises one message", "Anrede"]),
    (head + "      prompt: mail/summary\n      system: \"{{ Sti¦l }}\"\n", ["concise", "mail/folder.yaml"]),
    ("kind: chain\nprompts:\n  - use: notes/pro¦tocol\n", ["minutes"]),
  ])
  func hoverExplainsPromptsAndInheritedKeywords(_ text: String, _ parts: [String]) {
    var editor = Editor()
    let hover = editor.hover(text)
    for part in parts { #expect(hover.contains(part), "\(hover)") }
  }

  @Test func openPresetsCountBeforeTheFolder() {
    var editor = Editor()
    let preset = "file:///project/catalog/own/greeting.yaml"
    editor.open("keywords: { Laune: gut }\nprompt: \"{{ Laune }}\"\n", uri: preset)
    let text = Self.head + "      prompt: own/greeting\n      keywords: { ¦ }"
    #expect(editor.completions(text).contains("Laune"))
    #expect(
      editor.definition(Self.head + "      prompt: own/greeting\n      system: \"{{ La¦une }}\"\n")
        == "greeting.yaml:0:12")
    #expect(editor.definition(Self.head + "      prompt: own/gree¦ting\n") == "greeting.yaml:0:0")
  }

  @Test func changedPresetIsTakenUp() {
    var editor = Editor()
    let text = Self.head + "      prompt: own/greeting\n      system: \"{{ Laune }}\"\n"
    editor.open(text)
    #expect(editor.published[Editor.uri]?.isEmpty == false)
    let preset = "file:///project/catalog/own/greeting.yaml"
    editor.open("keywords: { Laune: gut }\nprompt: \"{{ Laune }}\"\n", uri: preset)
    #expect(editor.published[Editor.uri] == [])
    editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(preset)]])
    #expect(editor.published[Editor.uri]?.isEmpty == false)
  }
}
