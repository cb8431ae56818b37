import Testing

@testable import ExtractivePlugin

struct SentenceSignsTests {
  @Test(
    arguments: [
      ("Could you send the file?", SentenceSigns.request),
      ("Kannst du bis Freitag Bescheid geben?", [.request, .deadline]),
      ("The report is due on Monday.", .deadline), ("Das Angebot gilt bis Ende Mai.", .deadline),
      ("Second, the index is large.", .leaning), ("Außerdem ist es spät.", .leaning), ("That means work.", .leaning),
      ("Das Angebot steht.", []), ("That house is old.", []),
      ("I hope you are well.", .courtesy), ("Vielen Dank für das Gespräch.", .courtesy),
      ("Unsubscribe at any time.", [.refusal, .smallPrint]), ("No reply needed.", .refusal),
      ("The gate is broken.", []),
    ] as [(String, SentenceSigns)])
  func readsTheWording(_ sentence: String, _ signs: SentenceSigns) {
    #expect(SentenceSigns(sentence, tokens: Tokenizer.tokens(in: sentence)) == signs)
  }

  @Test(arguments: [
    ("abc", true, false), ("xabcx", true, false), ("ab", false, false), ("", false, false), ("übera", true, true),
    ("ax", false, false), ("xüber", true, false),
  ])
  func findsPhrases(_ text: String, _ occurs: Bool, _ begins: Bool) {
    let list = PhraseList(["abc", "über", ""])
    #expect(list.occurs(in: Array(text.utf8)) == occurs)
    #expect(PhraseList(["über"]).begins(Array(text.utf8)) == begins)
  }
}
