import Testing

@testable import ExtractivePlugin

struct TokenizerTests {
  @Test(arguments: [
    ("don't stop", ["don't", "stop"], [Token.Kind.word, .word]),
    ("E-Mail an anna@example.org.", ["E-Mail", "an", "anna@example.org", "."], [.word, .word, .link, .mark]),
    ("1.204,50 Euro", ["1.204,50", "Euro"], [.number, .word]),
    (
      "(siehe https://a.example/b?c=1)!", ["(", "siehe", "https://a.example/b?c=1", ")", "!"],
      [
        .mark, .word, .link, .mark, .mark,
      ]
    ),
    ("www.example.org und so", ["www.example.org", "und", "so"], [.link, .word, .word]),
    ("Grüße aus Zürich", ["Grüße", "aus", "Zürich"], [.word, .word, .word]),
    ("漢字とカナ", ["漢字", "とカナ"], [.word, .word]),
    ("a:b @ c", ["a", ":", "b", "@", "c"], [.word, .mark, .word, .mark, .word]),
    ("", [], []),
  ])
  func cutsTextIntoTokens(_ text: String, _ texts: [String], _ kinds: [Token.Kind]) {
    let tokens = Tokenizer.tokens(in: text)
    #expect(tokens.map(\.text) == texts)
    #expect(tokens.map(\.kind) == kinds)
  }

  @Test(arguments: [
    ("Der Hund und die Katze liegen im Garten, aber das Tor ist nicht offen.", TextLanguage.german),
    ("The dog and the cat are in the garden, but the gate is not open.", .english),
    ("Bitte überweise den Betrag.", .german),
    ("写真がようやくできましたので、来週お送りします。", .japanese),
    ("感谢您寄来的茶具样品，我们昨天已经收到。", .chinese),
    ("Voici le tableau des coûts pour la fête.", nil),
    ("4711", nil),
  ])
  func recognisesTheLanguage(_ text: String, _ language: TextLanguage?) {
    #expect(TextLanguage.detect(Tokenizer.tokens(in: text)) == language)
  }

  @Test(arguments: [
    ("gardens", TextLanguage.english, "garden"), ("stories", .english, "story"), ("glass", .english, "glass"),
    ("boxes", .english, "boxe"), ("bus", .english, "bus"),
    ("rechnungen", .german, "rechnung"), ("rechnung", .german, "rechnung"), ("boote", .german, "boot"),
    ("booten", .german, "boot"), ("tor", .german, "tor"),
  ])
  func bringsFormsOfAWordTogether(_ word: String, _ language: TextLanguage, _ stem: String) {
    #expect(Stem.of(word, language: language) == stem)
  }
}
