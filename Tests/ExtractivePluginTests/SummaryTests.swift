import Testing

@testable import ExtractivePlugin

struct SummaryTests {
  static let english = """
    Dear Jana,

    I hope you are well. The board meets on the 18th and I have to present the budget for the reading room. The budget
    is final in winter. Could you send me your figures for the lighting and the panels
    by Friday? The weather has been lovely.

    Best wishes
    Elena

    > Old text about the budget and the board and the room and the panels.
    """

  static let german = """
    Liebe Jana,

    wie geht es dir? Das Wanderwochenende rückt näher, und ich habe die Hütte für uns reserviert. Die Hütte hat acht
    Schlafplätze. Bitte gib mir bis Sonntag Bescheid, ob du mit dem Auto zur Hütte kommst. Das Wetter soll gut werden.

    Herzliche Grüße
    Miriam
    """

  private func summary(_ text: String, sentences: Int = 2, characters: Int = 320) -> Summary {
    Summary(of: Document(text), length: .init(sentences: sentences, characters: characters))
  }

  @Test func takesNewsAndRequestInTheirOrder() {
    #expect(
      summary(Self.english).sentences == [
        "The board meets on the 18th and I have to present the budget for the reading room.",
        "Could you send me your figures for the lighting and the panels by Friday?",
      ])
    #expect(
      summary(Self.german).sentences == [
        "Das Wanderwochenende rückt näher, und ich habe die Hütte für uns reserviert.",
        "Bitte gib mir bis Sonntag Bescheid, ob du mit dem Auto zur Hütte kommst.",
      ])
  }

  @Test func everySentenceStandsInTheText() {
    let flat = Self.english.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for sentence in summary(Self.english, sentences: 4, characters: 1000).sentences {
      #expect(flat.contains(sentence))
    }
  }

  @Test func staysWithinItsLength() {
    for characters in [20, 60, 120, 200, 320] {
      let text = summary(Self.german, sentences: 3, characters: characters).text
      #expect(text.count <= characters)
      #expect(!text.isEmpty)
    }
  }

  @Test func cutsOneLongSentenceBetweenWords() {
    let text = summary(String(repeating: "wort ", count: 200) + "ende.", characters: 50).text
    #expect(text.hasSuffix("wort…"))
    #expect(text.count <= 50)
  }

  @Test(arguments: [
    ("hier ist es schön.", "Hier ist es schön."), ("iPhone gefunden und abgegeben.", "iPhone gefunden und abgegeben."),
  ])
  func beginsWithACapitalLetter(_ text: String, _ expected: String) {
    #expect(summary(text).text == expected)
  }

  @Test func givesTheSameResultEachTime() {
    let first = summary(Self.english)
    for _ in 0..<20 { #expect(summary(Self.english) == first) }
  }

  @Test func repeatsNothing() {
    let text = "The garden gate is broken again. The garden gate is broken again! The cat sleeps in the kitchen."
    #expect(summary(text).sentences.count { $0.contains("gate") } == 1)
  }

  @Test(.timeLimit(.minutes(5)))
  func handlesLongTextsWithinBounds() {
    let words = ["budget", "room", "panel", "light", "board", "garden", "winter", "city", "window", "paper", "train"]
    var text = ""
    var index = 0
    while text.utf8.count < 200_000 {
      let (one, two, three) = (words[index % 11], words[index / 3 % 11], words[index / 7 % 11])
      text += "The \(one) and the \(two) of house \(index % 97) need \(three). "
      index += 1
    }
    let summary = summary(text)
    #expect(summary.sentencesConsidered == TextRank.maximumSentences)
    #expect(!summary.text.isEmpty)
    #expect(summary.text.count <= 320)
  }

  @Test(arguments: [
    String(repeating: "a", count: 200_000), String(repeating: "@", count: 200_000),
    String(repeating: "x.", count: 100_000), String(repeating: "\n", count: 200_000),
    String(repeating: "> ", count: 100_000), String(repeating: "a,", count: 100_000),
    String(repeating: "漢", count: 100_000), String(repeating: "e\u{301}", count: 50_000),
  ])
  func survivesDegenerateText(_ text: String) {
    let summary = summary(text)
    #expect(summary.text.count <= 320)
  }
}
