import Testing

@testable import ExtractivePlugin

struct TextRankTests {
  private func sentence(_ position: Int, _ terms: String) -> Sentence {
    let words = terms.split(separator: " ").map(String.init)
    return Sentence(text: terms, position: position, terms: words, wordCount: words.count, isItem: false, signs: [])
  }

  @Test func normalisesSharedTermsByTheLogarithmsOfTheLengths() {
    #expect(TextRank.similarity(shared: 0, 5, 5) == 0)
    // 2 / (ln 4 + ln 8)
    #expect(abs(TextRank.similarity(shared: 2, 4, 8) - 0.577_078_016_355_585) < 1e-12)
    #expect(TextRank.similarity(shared: 1, 1, 1) == 1)
  }

  @Test func ranksTheSentenceHighestThatSharesMost() {
    let ranks = TextRank.ranks(of: [
      sentence(0, "budget board room"), sentence(1, "lighting winter room"), sentence(2, "budget lighting room panel"),
      sentence(3, "cat dog"),
    ])
    #expect(ranks.indices.max { ranks[$0] < ranks[$1] } == 2)
    // Nothing points to it: 1 − d.
    #expect(abs(ranks[3] - 0.15) < 1e-9)
  }

  @Test func ranksOfAConnectedGraphSumToItsSize() {
    let ranks = TextRank.ranks(of: [sentence(0, "a b c"), sentence(1, "b c d"), sentence(2, "c d e")])
    #expect(abs(ranks.reduce(0, +) - 3) < 1e-4)
  }

  @Test func isSymmetricAndDeterministic() {
    let sentences = [sentence(0, "a b"), sentence(1, "b c"), sentence(2, "a b")]
    let ranks = TextRank.ranks(of: sentences)
    #expect(abs(ranks[0] - ranks[2]) < 1e-9)
    #expect(ranks == TextRank.ranks(of: sentences))
  }

  @Test func handlesNoSentence() {
    #expect(TextRank.ranks(of: []) == [])
  }

  @Test func considersABoundedNumberOfSentences() {
    let sentences = (0..<2000).map { sentence($0, $0.isMultiple(of: 7) ? "budget board room" : "word\($0) other\($0)") }
    let considered = TextRank.considered(sentences)
    #expect(considered.count == TextRank.maximumSentences)
    #expect(considered.count { $0.terms.contains("budget") } == 286)
    #expect(considered.map(\.position) == considered.map(\.position).sorted())
  }
}
