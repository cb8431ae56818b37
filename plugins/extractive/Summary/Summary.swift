/// The few sentences of a text that say most of it, in their own order.
struct Summary: Sendable, Equatable {
  /// The limit of the length.
  struct Length: Sendable, Equatable {
    /// At most this many sentences.
    var sentences: Int
    /// At most about this many characters; one sentence is always taken, cut if need be.
    var characters: Int

    /// Two sentences for a short text, three for a long one.
    static func suited(to document: Document) -> Length {
      document.sentences.count > 15 ? Length(sentences: 3, characters: 480) : Length(sentences: 2, characters: 320)
    }
  }

  /// The sentences, joined by spaces.
  let text: String
  /// The sentences one by one, uncut.
  let sentences: [String]
  /// How many sentences took part in the ranking.
  let sentencesConsidered: Int

  /// Summarises a document. Deterministic.
  ///
  /// The score of a sentence is its ``TextRank`` rank, times a factor for its position (news comes first in mail) and one for
  /// its shape: requests and deadlines count more, headings, list items and sentences that lean on the one before less.
  /// Courtesies and small print take no part. In a short text few sentences share a word, so that the ranks are mostly chance:
  /// they are drawn towards each other, the more the shorter the text.
  init(of document: Document, length: Length) {
    let considered = TextRank.considered(Self.candidates(document.sentences))
    sentencesConsidered = considered.count
    let scored = Self.scores(of: considered)
    let best = scored.sorted { ($0.score, -$0.sentence.position) > ($1.score, -$1.sentence.position) }
    var chosen: [Sentence] = []
    var characters = 0
    let floor = (best.first?.score ?? 0) * 0.25
    var rest = best
    while chosen.count < length.sentences, let next = Self.takeBest(&rest, after: chosen) {
      let candidate = next.sentence
      // Fragments stay out as soon as there is anything better.
      if !chosen.isEmpty, next.score < floor { break }
      let size = candidate.text.count
      if !chosen.isEmpty, characters + 1 + size > length.characters { continue }
      if chosen.contains(where: { Self.repeats($0, candidate) }) { continue }
      chosen.append(candidate)
      characters += size + 1
    }
    sentences = chosen.sorted { $0.position < $1.position }
      .map { ($0.isComplete || chosen.count == 1 ? $0.text : $0.text.completed).capitalizingFirstWord }
    text = sentences.joined(separator: " ").shortened(to: length.characters)
  }

  /// The sentences without courtesies and small print, unless nothing else is left.
  private static func candidates(_ sentences: [Sentence]) -> [Sentence] {
    let candidates = sentences.filter { sentence in
      !sentence.terms.isEmpty && sentence.signs.isDisjoint(with: [.courtesy, .smallPrint])
    }
    return candidates.isEmpty ? sentences : candidates
  }

  private typealias Scored = (sentence: Sentence, score: Double)

  /// With this many sentences, ranks count half.
  private static let shrinkage = 12.0

  private static func scores(of sentences: [Sentence]) -> [Scored] {
    let ranks = TextRank.ranks(of: sentences)
    let highest = max(ranks.max() ?? 1, .leastNormalMagnitude)
    let weight = Double(sentences.count) / (Double(sentences.count) + shrinkage)
    return zip(sentences, ranks).enumerated().map { index, element in
      let (sentence, rank) = element
      let base = weight * rank / highest + (1 - weight) * 0.5
      return (sentence, base * placeFactor(index, of: sentences.count) * shapeFactor(sentence))
    }
  }

  /// Takes the best candidate out of the list; news and a request together say more than two of a kind.
  private static func takeBest(_ candidates: inout [Scored], after chosen: [Sentence]) -> Scored? {
    let hasRequest = chosen.contains(where: \.isRequest)
    let hasNews = chosen.contains { !$0.isRequest }
    func value(_ candidate: Scored) -> Double {
      switch candidate.sentence.isRequest {
      case true where hasRequest, false where hasNews: candidate.score * 0.7
      default: candidate.score
      }
    }
    guard var best = candidates.indices.first else { return nil }
    for index in candidates.indices where value(candidates[index]) > value(candidates[best]) { best = index }
    return candidates.remove(at: best)
  }

  /// How many of the leading sentences count as the beginning.
  private static let lead = 3

  private static func placeFactor(_ position: Int, of count: Int) -> Double {
    if position == 0 { return 1.6 }
    if position < lead { return 1.2 }
    return position * 2 < count ? 1 : 0.9
  }

  private static func shapeFactor(_ sentence: Sentence) -> Double {
    var factor = 1.0
    if sentence.isRequest { factor *= 1.35 }
    if sentence.signs.contains(.deadline) { factor *= 1.35 }
    if sentence.signs.contains(.leaning) { factor *= 0.65 }
    if !sentence.isComplete { factor *= sentence.wordCount < 6 ? 0.3 : 0.7 }
    if sentence.isItem { factor *= 0.8 }
    if sentence.wordCount < 4, sentence.terms.count < 3 { factor *= 0.4 }
    if sentence.wordCount > 50 { factor *= 0.7 }
    return factor
  }

  /// Whether the second sentence adds next to nothing to the first.
  private static func repeats(_ first: Sentence, _ second: Sentence) -> Bool {
    let shared = Set(first.terms).intersection(second.terms).count
    let smaller = min(first.terms.count, second.terms.count)
    return smaller > 0 ? shared * 10 >= smaller * 8 : first.text == second.text
  }
}

extension String {
  /// Without colons, commas or dashes at the end.
  var droppingFinalMark: String {
    var view = unicodeScalars
    while let last = view.last, ":,;-–— ".unicodeScalars.contains(last) { view.removeLast() }
    return String(view)
  }

  /// With a full stop in the place of what ends no sentence.
  fileprivate var completed: String {
    let text = droppingFinalMark
    return text.last.map { ".!?…。！？".contains($0) } ?? true ? text : text + "."
  }

  /// With a capital first letter, as what stood behind a greeting needs it; names like "iPhone" stay.
  var capitalizingFirstWord: String {
    guard let first, first.isLowercase else { return self }
    let word = prefix { $0.isLetter }
    return word.dropFirst().contains(where: \.isUppercase) ? self : first.uppercased() + dropFirst()
  }

  /// Cut between two words, with an ellipsis, where longer than `limit` characters.
  func shortened(to limit: Int) -> String {
    guard count > limit else { return self }
    guard limit > 1 else { return "…" }
    let head = prefix(limit - 1)
    let end = head.lastIndex(where: \.isWhitespace)
    // No space in the last half: a language without spaces, or one long word.
    let cut = end.map { head.distance(from: head.startIndex, to: $0) * 2 >= limit ? head[..<$0] : head } ?? head
    return String(cut).droppingFinalMark + "…"
  }
}
