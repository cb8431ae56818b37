import Testing

@testable import ExtractivePlugin

struct KeyPhrasesTests {
  @Test func scoresRunsOfWordsBetweenStopWords() {
    // RAKE: degree/frequency of every word; "acoustic panels" has 2 + 2, "lighting" 1.
    let phrases = KeyPhrases.extract(
      from: Document("The acoustic panels and the lighting are for the reading room."), limit: 5)
    #expect(phrases == ["acoustic panels", "reading room", "lighting"])
  }

  @Test func givesGermanPhrasesThatEndWithANoun() {
    let phrases = KeyPhrases.extract(
      from: Document("Die neue Rechnung für die Gartenpflege liegt bei, und der offene Betrag wird bald abgebucht."),
      limit: 8)
    #expect(phrases.contains("offene Betrag"))
    #expect(phrases.contains("Gartenpflege"))
    #expect(!phrases.contains { $0.contains("abgebucht") })
  }

  @Test func leavesOutPartsOfBetterPhrases() {
    let phrases = KeyPhrases.extract(
      from: Document("The garden gate is broken. The gate is old. The garden gate is mine."), limit: 8)
    #expect(phrases.contains("garden gate"))
    #expect(!phrases.contains("gate"))
  }

  @Test(arguments: [0, 1, 2, 3])
  func keepsToTheLimit(_ limit: Int) {
    #expect(KeyPhrases.extract(from: Document(SummaryTests.english), limit: limit).count <= limit)
  }

  @Test func hasNoLinksAndNoLoneNumbers() {
    let phrases = KeyPhrases.extract(from: Document("See https://a.example/b and 4711 for the garden gate."), limit: 8)
    #expect(phrases == ["garden gate"])
  }

  @Test func isDeterministic() {
    let document = Document(SummaryTests.german)
    let first = KeyPhrases.extract(from: document, limit: 8)
    for _ in 0..<20 { #expect(KeyPhrases.extract(from: document, limit: 8) == first) }
  }
}
