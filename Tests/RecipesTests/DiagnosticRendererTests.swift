import Expressions
import Localization
import RecipeSyntax
import Testing

@testable import Plans

@Suite struct DiagnosticRendererTests {
  private func diagnostic(_ marked: MarkedText, _ index: Int = 0, suggestion: String? = nil) -> Diagnostic {
    Diagnostic(
      .unknownStep, LocalizedText("unknown step", de: "unbekannter Schritt"), path: "recipe.yaml",
      range: marked.ranges[index], suggestion: suggestion)
  }

  private func render(_ text: String, language: Language = .english) -> String {
    let marked = MarkedText(text)
    return DiagnosticRenderer(language: language).render(diagnostic(marked), sources: ["recipe.yaml": marked.source])
  }

  @Test func aCaretStandsUnderTheRange() {
    let text = "a: 1\n  for_each: \"{{ steps.«unraed».output }}\"\n"
    #expect(
      render(text) == """
        recipe.yaml:2:23: error: unknown step
            2 |   for_each: "{{ steps.unraed.output }}"
              |                       ^^^^^^

        """)
    #expect(render(text, language: .german).hasPrefix("recipe.yaml:2:23: Fehler: unbekannter Schritt\n"))
  }

  @Test func tabsAndWideCharactersKeepTheCaretInPlace() {
    #expect(
      render("a:\t日本é: «x»y\n") == """
        recipe.yaml:1:9: error: unknown step
            1 | a:  日本é: xy
              |            ^

        """)
  }

  @Test func aCombiningMarkTakesNoColumn() {
    #expect(render("e\u{301}: «x»\n").hasSuffix("1 | e\u{301}: x\n      |    ^\n"))
  }

  @Test func anEmptyRangeAndTheEndOfALineHaveOneCaret() {
    #expect(render("ab«»\n").hasSuffix("1 | ab\n      |   ^\n"))
    #expect(render("ab: «x\ny»\n").hasSuffix("1 | ab: x\n      |     ^\n"))
  }

  @Test func severalAreWrittenInSourceOrder() {
    let marked = MarkedText("«a»: 1\n«b»: 2\n")
    let source = ["recipe.yaml": marked.source]
    let text = DiagnosticRenderer().render([diagnostic(marked, 1), diagnostic(marked, 0)], sources: source)
    #expect(
      text == """
        recipe.yaml:1:1: error: unknown step
            1 | a: 1
              | ^
        recipe.yaml:2:1: error: unknown step
            2 | b: 2
              | ^

        """)
  }

  @Test func relatedPlacesFollow() {
    let marked = MarkedText("«a»: 1\n«a»: 2\n")
    var problem = diagnostic(marked, 1)
    problem.related = [Diagnostic.Related(LocalizedText("first defined here", de: "zuerst hier"), at: marked.ranges[0])]
    #expect(
      DiagnosticRenderer().render([problem], sources: ["recipe.yaml": marked.source]) == """
        recipe.yaml:2:1: error: unknown step
            2 | a: 2
              | ^
        recipe.yaml:1:1: note: first defined here
            1 | a: 1
              | ^

        """)
  }

  @Test func aWholeFileHasNoLine() {
    let problem = Diagnostic(.fileEmpty, LocalizedText("empty", de: "leer"), path: "x.yaml", range: nil)
    #expect(DiagnosticRenderer().render([problem], sources: [:]) == "x.yaml: error: empty\n")
  }

  @Test func colorsAreOptional() {
    let marked = MarkedText("«a»: 1\n")
    let text = DiagnosticRenderer(usesColor: true).render(diagnostic(marked), sources: ["recipe.yaml": marked.source])
    #expect(text.contains("\u{1B}[31merror:\u{1B}[0m"))
    #expect(text.contains("\u{1B}[32m^\u{1B}[0m"))
  }

  @Test func aLongLineIsCutRoundTheCaret() {
    let marked = MarkedText(String(repeating: "x", count: 500) + "«needle»" + String(repeating: "y", count: 500) + "\n")
    let text = DiagnosticRenderer(width: 60).render(diagnostic(marked), sources: ["recipe.yaml": marked.source])
    let lines = text.split(separator: "\n").map(Array.init)
    #expect(lines[1].count < 80)
    let caret = lines[2].firstIndex(of: "^") ?? 0
    #expect(String(lines[1][caret..<caret + 6]) == "needle")
    #expect(lines[2].filter { $0 == "^" }.count == 6)
  }

  @Test func theMachineFormHasEverything() {
    let marked = MarkedText("ä: «x»\n")
    let value = diagnostic(marked, suggestion: "y").value(in: .german)
    guard case .map(let map) = value else {
      Issue.record("not a map")
      return
    }
    #expect(map["code"] == .string("unknown_step"))
    #expect(map["message"] == .string("unbekannter Schritt"))
    #expect(map["line"] == .int(1))
    #expect(map["column"] == .int(4))
    #expect(map["end_column"] == .int(5))
    #expect(map["offset"] == .int(4))
    #expect(map["suggestion"] == .string("y"))
  }
}
