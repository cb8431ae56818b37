import Testing

@testable import ExtractivePlugin

struct SentenceSplitterTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let language: TextLanguage?
    let text: String
    let sentences: [String]
    var testDescription: String { text }

    init(_ language: TextLanguage?, _ text: String, _ sentences: [String]) {
      self.language = language
      self.text = text
      self.sentences = sentences
    }
  }

  static let examples: [Example] = [
    Example(.english, "One. Two! Three?", ["One.", "Two!", "Three?"]),
    Example(.english, "Dr. Smith met Mr. Jones. They talked.", ["Dr. Smith met Mr. Jones.", "They talked."]),
    Example(.english, "We met at 3 p.m. in the hall. It was cold.", ["We met at 3 p.m. in the hall.", "It was cold."]),
    Example(.english, "It starts at 3 p.m. The hall is open.", ["It starts at 3 p.m.", "The hall is open."]),
    Example(.english, "Bring food, e.g. apples. Thanks.", ["Bring food, e.g. apples.", "Thanks."]),
    Example(.english, "J. R. Miller wrote it. I read it.", ["J. R. Miller wrote it.", "I read it."]),
    Example(.english, "It costs 3.50 in 2026. Fine.", ["It costs 3.50 in 2026.", "Fine."]),
    Example(.english, "See https://a.example/x.html. It helps.", ["See https://a.example/x.html.", "It helps."]),
    Example(.english, "Well... maybe. Or not.", ["Well... maybe.", "Or not."]),
    Example(.english, "He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
    Example(.english, "Really?! Yes.", ["Really?!", "Yes."]),
    Example(.german, "Am 3. Mai kommt Hr. Meier. Wir warten.", ["Am 3. Mai kommt Hr. Meier.", "Wir warten."]),
    Example(.german, "Das gilt z. B. für Äpfel. Und Birnen.", ["Das gilt z. B. für Äpfel.", "Und Birnen."]),
    Example(.german, "Das gilt z.B. für Äpfel, d.h. immer. Gut.", ["Das gilt z.B. für Äpfel, d.h. immer.", "Gut."]),
    Example(.german, "Äpfel, Birnen usw. Das reicht.", ["Äpfel, Birnen usw.", "Das reicht."]),
    Example(.german, "Es war 2025. Wir reisten.", ["Es war 2025.", "Wir reisten."]),
    Example(.german, "Kosten: ca. 12 Mio. Euro. Viel!", ["Kosten: ca. 12 Mio. Euro.", "Viel!"]),
    Example(.german, "Er fragte: „Kommst du?“ Sie nickte.", ["Er fragte: „Kommst du?“", "Sie nickte."]),
    Example(.german, "Die Prof. Dr. Weber AG zahlt.", ["Die Prof. Dr. Weber AG zahlt."]),
    Example(.japanese, "写真を送ります。湖がきれいです。", ["写真を送ります。", "湖がきれいです。"]),
    Example(nil, "no end", ["no end"]),
    Example(nil, "   ", []),
  ]

  @Test(arguments: examples)
  func findsWhereSentencesEnd(_ example: Example) {
    #expect(SentenceSplitter.sentences(in: example.text, language: example.language) == example.sentences)
  }

  @Test func losesNoText() {
    let text = "A. B.C d! (E?) f. 1. 2. … z. B. Ende"
    let joined = SentenceSplitter.sentences(in: text, language: .german).joined().filter { !$0.isWhitespace }
    #expect(joined == text.filter { !$0.isWhitespace })
  }
}
