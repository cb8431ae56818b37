import Expressions
import LanguageServer
import Testing

@Suite struct FunctionHelpTests {
  private static let head = CompletionTests.head + "    uses: values\n"

  @Test(arguments: [
    ("    when: size(¦", "size(string) -> int", 0), ("    when: math.greatest(1, ¦", "math.greatest", 1),
    ("    when: steps.unread.output.messages.exists(¦", "list.exists(e, test)", 0),
    ("    when: steps.unread.output.messages.exists(m, ¦", "list.exists(e, test)", 1),
    ("    when: steps.unread.output.messages.exists(m, m.subject.startsWith(¦", "string.startsWith(string) -> bool", 0),
    ("    when: run.id.replace('a,(', ¦", "string.replace(string, string) -> string", 1),
    ("    with: { a: \"{{ cel.bind(x, ¦\" }", "cel.bind(name, value, expression)", 1),
    ("    with: { a: \"{{ message.subject.replace(\\\"a,\\\", ¦\" }", "string.replace(string, string) -> string", 1),
  ])
  func signatureOfTheCallIsShown(_ text: String, _ label: String, _ parameter: Int64) throws {
    var editor = Editor()
    let help = editor.ask("signatureHelp", Self.head + text)
    let labels = (help["signatures"]?.listValue ?? []).compactMap { $0["label"]?.stringValue }
    #expect(labels.contains { $0.contains(label) }, "\(labels)")
    #expect(help["activeParameter"]?.intValue == parameter)
    let active = Int(help["activeSignature"]?.intValue ?? -1)
    let parameters = try #require(help["signatures"]?.listValue?[active]["parameters"]?.listValue)
    #expect(parameters.count > Int(parameter))
  }

  @Test(arguments: ["    when: size(steps)¦", "    name: size(¦", "    when: nothing(¦", "    when: '(¦"])
  func nothingIsShownOutsideOfKnownCalls(_ text: String) {
    var editor = Editor()
    #expect(editor.ask("signatureHelp", Self.head + text) == .null)
  }

  @Test(arguments: [
    ("    when: si¦ze(steps.unread.output.messages) > 0\n", ["size(", "How many"]),
    ("    when: steps.unread.output.messages.exi¦sts(m, m.bulk)\n", ["list.exists(e, test)", "any element", "bool"]),
    ("    when: steps.unread.output.messages.exists(m, m.su¦bject == '')\n", ["string"]),
    ("    when: steps.unread.output.messages.exists(¦m, m.bulk)\n", ["m:"]),
    ("    when: math.a¦bs(2) > 1\n", ["math.abs(int) -> int", "without its sign", "int"]),
    ("    when: run.id.starts¦With('a')\n", ["string.startsWith(string) -> bool"]),
    ("    when: run.id ¦== 'a'\n", ["bool"]),
    ("    with: { a: \"{{ message.from.na¦me + \\\"x\\\" }}\" }\n", ["message.from.name"]),
    ("    with:\n      a: |\n        first\n        {{ message.su¦bject }}\n", ["message.subject: string"]),
  ])
  func hoverTellsTypeAndPurpose(_ text: String, _ parts: [String]) {
    var editor = Editor()
    let hover = editor.hover(Self.head + text)
    for part in parts { #expect(hover.contains(part), "\(hover)") }
  }

  @Test(arguments: [
    ("    when: steps.unread.output.messages.¦", "sortBy"), ("    when: math.¦", "abs"), ("    when: ¦", "has"),
    ("    when: ¦", "cel.bind"), ("    when: optional.of(1).¦", "optMap"), ("    when: \"{'a': 1}.¦\"", "transformMap"),
    ("    when: steps.unread.output.messages.exists(i, m, m.¦", "subject"),
    ("    when: steps.unread.output.messages.transformList(i, m, m.¦", "subject"),
    ("    when: steps.unread.output.messages.sortBy(m, m.¦", "subject"),
    ("    when: optional.of(steps.unread.output.messages[0]).optMap(m, m.¦", "subject"),
    ("    when: cel.bind(m, steps.unread.output.messages[0], m.¦", "subject"),
    ("    when: steps.unread.output.messages.exists(m, m.subject == ',(' && m.¦", "subject"),
  ])
  func completionKnowsFunctionsAndWhatMacrosBind(_ text: String, _ label: String) {
    var editor = Editor()
    let labels = editor.completions(Self.head + text)
    #expect(labels.contains(label), "\(labels.prefix(30))")
  }

  @Test func nothingIsOfferedInsideOfTexts() {
    var editor = Editor()
    #expect(editor.completions(Self.head + "    when: run.id == \"ab¦").isEmpty)
  }
}
