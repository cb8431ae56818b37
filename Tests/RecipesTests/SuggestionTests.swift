import Localization
import RecipeSyntax
import Testing

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("unraed", ["unread", "triage"], "unread"), ("stpes", ["steps", "outputs"], "steps"), ("x", ["yy", "zz"], nil),
      ("Provider", ["provider"], "provider"), ("mail.serch", ["mail.search", "mail.send"], "mail.search"),
      ("abc", [], nil), ("steps", ["steps"], nil), ("kurz", ["etwas ganz anderes"], nil), ("ab", ["ba"], "ba"),
    ] as [(String, [String], String?)])
  func theClosestNameIsFound(name: String, candidates: [String], expected: String?) {
    #expect(Suggestion.closest(to: name, among: candidates) == expected)
  }

  @Test func tiesGoToTheFirstInTheAlphabet() {
    #expect(Suggestion.closest(to: "stepx", among: ["stepb", "stepa"]) == "stepa")
  }

  @Test func bothLanguagesSuggest() {
    let text = Suggestion.text(for: "unraed", among: ["unread"])
    #expect(text.english == " — did you mean 'unread'?")
    #expect(text.german == " — meinten Sie 'unread'?")
  }
}
