import Localization
import RecipeSyntax
import Testing

@testable import Plans
@testable import Schemas

@Suite struct YAMLProblemTests {
  @Test(arguments: [
    ("a: 1\n«a»: 2\n", ["duplicate_key"]),
    ("a: {x: 1, «x»: 2, y: 1, «y»: 2}\n", ["duplicate_key", "duplicate_key"]),
    ("a: «*nix»\nb: «*nada»\n", ["unknown_anchor", "unknown_anchor"]),
    ("a: &a [1, «*a»]\n", ["unknown_anchor"]),
    ("«<<»: 1\n", ["yaml_merge"]),
    ("a: &m {x: 1}\nb:\n  <<: *m\n  «<<»: *m\n", ["duplicate_key"]),
    ("«[a, b]»: 1\n", ["yaml_key"]),
    ("a: !thing «x»\n", ["yaml_tag"]),
    ("a: !!int «x»\n", ["yaml_tag"]),
    ("a: !list «[»1]\n", ["yaml_tag"]),
    ("a: 1\n«---»\nb: 2\n", ["yaml_multiple_documents"]),
    ("a:\n«\t»b: 1\n", ["yaml_tab"]),
    ("a: «@»home\n", ["yaml_syntax"]),
    ("a: b«:» c\n", ["yaml_syntax"]),
    ("a: [1, 2\nb«:» 3\n", ["yaml_syntax"]),
    ("a: 'x\n«»", ["yaml_syntax"]),
    ("a: \"«\\»q\"\n", ["yaml_syntax"]),
    ("a: 1\n b«:» 2\n", ["yaml_syntax"]),
    ("a: «{{ x }}»\n", ["unquoted_template"]),
    ("a: «{{ x }} and {{ y }}» # note\nb: 1\nb: 2\n", ["unquoted_template", "!"]),
    ("a: { b: «{{ x }}», c: 1, «c»: 2 }\n", ["unquoted_template", "duplicate_key"]),
    ("a: [«{{ x }}», «{{ y }}»]\n", ["unquoted_template", "unquoted_template"]),
    ("a: { b: «Hallo {{ x }}», «b»: 1 }\n", ["unquoted_template", "duplicate_key"]),
    (
      "a: «{{ size(x.filter(m, m.y)) > 0 }}»\nb: «{{ \"é\" + x }}»\nc: 1\n", ["unquoted_template", "unquoted_template"]
    ),
    ("a: «{{ x\n»", ["unquoted_template"]),
  ])
  func problemsHaveCodeAndPlace(text: String, codes: [String]) {
    let marked = MarkedText(text)
    let found = YAMLDocument.parse(marked.source).diagnostics
    if codes.last == "!" {
      // Only the first is marked; a further one shows that reading went on.
      #expect(found.first.map(Finding.init) == Finding(codes[0], marked.ranges[0]))
      #expect(found.count > 1)
      return
    }
    if text.hasSuffix("x\n»") {
      #expect(found.map(\.code.rawValue) == codes)
      return
    }
    #expect(found.map(Finding.init) == zip(codes, marked.ranges).map { Finding($0, $1) })
  }

  @Test func aDuplicateKeyNamesTheFirst() throws {
    let marked = MarkedText("«a»: 1\n«a»: 2\n")
    let diagnostic = try #require(YAMLDocument.parse(marked.source).diagnostics.first)
    #expect(diagnostic.related.map(\.range) == [marked.ranges[0]])
  }

  @Test func anUnquotedTemplateShowsTheQuotedForm() throws {
    let diagnostics = YAMLDocument.parse(SourceText(path: "t", text: "a: {{ x }}\nb: {{ \"q\" }}\n")).diagnostics
    #expect(diagnostics.map(\.suggestion) == ["\"{{ x }}\"", "'{{ \"q\" }}'"])
  }

  @Test(
    arguments: [
      ([0x61, 0x3A, 0x20, 0xFF], "file_encoding", 4), ([0x61, 0xC3], "file_encoding", 2),
      ([0xED, 0xA0, 0x80], "file_encoding", 1), ([0xC0, 0x80], "file_encoding", 1), ([0x61, 0x00], "file_encoding", 2),
      ([0x61, 0xC2, 0x80], "file_encoding", 2), ([0xF4, 0x90, 0x80, 0x80], "file_encoding", 1),
    ] as [([UInt8], String, Int)])
  func bytesThatAreNoTextAreNamed(bytes: [UInt8], code: String, column: Int) {
    let diagnostics = YAMLDocument.parse(SourceText(path: "t", bytes: bytes)).diagnostics
    #expect(diagnostics.map(\.code.rawValue) == [code])
    #expect(diagnostics.first?.range?.start.column == column)
  }

  @Test func utf16IsNamed() {
    let diagnostics = YAMLDocument.parse(SourceText(path: "t", bytes: [0xFF, 0xFE, 0x61, 0x00])).diagnostics
    #expect(diagnostics.map(\.code) == [.fileEncoding])
    #expect(diagnostics.first?.range == nil)
  }

  @Test func aFileBeyondTheLimitIsRefused() {
    let source = SourceText(path: "t", bytes: Array(repeating: 0x61, count: 101))
    #expect(YAMLDocument.parse(source, limits: YAMLLimits(size: 100)).diagnostics.map(\.code) == [.fileTooLarge])
    #expect(YAMLDocument.parse(source, limits: YAMLLimits(size: 101)).diagnostics.isEmpty)
  }

  @Test(arguments: ["[", "{a: ", "- "])
  func deepNestingIsRefused(opening: String) {
    let deep = SourceText(path: "t", text: String(repeating: opening, count: 100_000))
    #expect(YAMLDocument.parse(deep).diagnostics.map(\.code) == [.yamlDepth])
    let closing = opening == "[" ? "]" : opening == "{a: " ? "}" : ""
    let fine = String(repeating: opening, count: 64) + "1" + String(repeating: closing, count: 64)
    #expect(YAMLDocument.parse(SourceText(path: "t", text: fine)).diagnostics.isEmpty)
  }

  @Test func aliasesCannotNestDeeperThanTheLimit() {
    var text = "a0: &a0 " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "\n"
    for level in 1...5 {
      text +=
        "a\(level): &a\(level) " + String(repeating: "[", count: 10) + "*a\(level - 1)"
        + String(repeating: "]", count: 10) + "\n"
    }
    #expect(YAMLDocument.parse(SourceText(path: "t", text: text)).diagnostics.map(\.code) == [.yamlDepth])
  }

  @Test func billionLaughsStopEarly() {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1...12 {
      text += "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",") + "]\n"
    }
    let (document, diagnostics) = YAMLDocument.parse(SourceText(path: "t", text: text))
    #expect(document == nil)
    #expect(diagnostics.map(\.code) == [.yamlAliasLimit])
    // What was counted when reading stopped: the limit and at most the one alias that crossed it.
    let limits = YAMLLimits(aliasNodes: 1000)
    let laughs = "a: &a [1, 2, 3]\nb: [" + Array(repeating: "*a", count: 200).joined(separator: ",") + "]\n"
    let fine = YAMLDocument.parse(SourceText(path: "t", text: laughs), limits: limits)
    #expect(fine.document?.aliasNodes == 800)
  }

  @Test func aThousandMergesStayBounded() {
    var text = "m: &m {" + (0..<500).map { "k\($0): 1" }.joined(separator: ", ") + "}\n"
    for index in 0..<2000 { text += "n\(index): { <<: *m }\n" }
    #expect(YAMLDocument.parse(SourceText(path: "t", text: text)).diagnostics.map(\.code) == [.yamlAliasLimit])
  }

  @Test func everyProblemHasBothLanguages() {
    for text in [
      "a: b: c", "a: [", "a: 'x", "\ta: 1", "a: @x", "a: 1\n b: 2", "a: |x\n", "a: &\n", "{a: 1", "? - a\n :",
    ] {
      for diagnostic in YAMLDocument.parse(SourceText(path: "t", text: text)).diagnostics {
        #expect(diagnostic.message.english != diagnostic.message.german)
      }
    }
  }
}
