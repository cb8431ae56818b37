import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(5))) struct PartialAnswerTests {
  private func fields(_ text: String, cut: Int = 1) -> [PartialAnswer.Field] {
    var answer = PartialAnswer()
    var rest = Substring(text)
    while !rest.isEmpty {
      answer.append(String(rest.prefix(cut)))
      rest = rest.dropFirst(cut)
    }
    return answer.fields
  }

  @Test(arguments: [1, 3, 1000]) func showsTextsOfPropertiesAsTheyCome(cut: Int) {
    let whole =
      #"{"summary": "Grüße, \"du\" \u00e4\ud83d\ude00", "n": 12, "tags": ["a, b", {"c": 1}], "correctedText": "Ja"#
    #expect(
      fields(whole, cut: cut) == [
        .init(name: "summary", text: "Grüße, \"du\" ä😀"), .init(name: "n", text: "12"),
        .init(name: "tags", text: #"["a, b", {"c": 1}]"#), .init(name: "correctedText", text: "Ja"),
      ])
    #expect(fields("```json\n{\"a\": \"b\"}\n```", cut: cut) == [.init(name: "a", text: "b")])
    #expect(fields("  Just words {here}.", cut: cut) == [.init(name: nil, text: "  Just words {here}.")])
    #expect(fields("```swift\nlet", cut: cut) == [.init(name: nil, text: "```swift\nlet")])
    #expect(fields(#"{"a": "x\"#, cut: cut) == [.init(name: "a", text: "x")])
  }

  @Test func keepsTheEndOfALongTextAndWholeCharacters() throws {
    let text = String(repeating: "ä", count: 2_000_000)
    var answer = PartialAnswer()
    answer.append(text)
    let field = try #require(answer.fields.first)
    #expect(field.isShortened)
    #expect(field.text.utf8.count <= 2 * PartialAnswer.keptBytes)
    #expect(!field.text.contains("\u{FFFD}"))
    var cut = PartialAnswer()
    cut.append("abc")
    #expect(cut.fields.first?.text == "abc")
  }
}
