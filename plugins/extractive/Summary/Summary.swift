/// The few sentences of a text that say most of it, in their own order.
struct Summary: Sendable, Equatable {
  /// What decides about length.
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
  /// The score of a sentence is its ``TextRank`` rank, times a factor for where it stands (news comes first in mail) and
  /// one for its shape: questions and requests count more, courtesies, headings, footers and list items less.
  init(of document: Document, length: Length) {
    let considered = TextRank.considered(document.sentences)
    sentencesConsidered = considered.count
    let ranks = TextRank.ranks(of: considered)
    let scored = zip(considered, ranks).map { sentence, rank in
      (
        sentence: sentence,
        score: rank * Self.placeFactor(sentence.position, of: document.sentences.count) * Self.shapeFactor(sentence)
      )
    }
    let best = scored.sorted { ($0.score, -$0.sentence.position) > ($1.score, -$1.sentence.position) }
    var chosen: [Sentence] = []
    var characters = 0
    let floor = (best.first?.score ?? 0) * 0.12
    for candidate in best {
      guard chosen.count < length.sentences else { break }
      // Courtesies and fragments stay out as soon as there is anything better.
      if !chosen.isEmpty, candidate.score < floor { break }
      let size = candidate.sentence.text.count
      if !chosen.isEmpty, characters + 1 + size > length.characters { continue }
      if chosen.contains(where: { Self.repeats($0, candidate.sentence) }) { continue }
      chosen.append(candidate.sentence)
      characters += size + 1
    }
    sentences = chosen.sorted { $0.position < $1.position }
      .map { $0.isComplete || chosen.count == 1 ? $0.text : $0.text.droppingFinalMark + "." }
    text = sentences.joined(separator: " ").shortened(to: length.characters)
  }

  /// How many of the leading sentences count as the beginning.
  private static let lead = 3

  private static func placeFactor(_ position: Int, of count: Int) -> Double {
    if position == 0 { return 1.35 }
    if position < lead { return 1.2 }
    return position * 2 < count ? 1 : 0.9
  }

  private static func shapeFactor(_ sentence: Sentence) -> Double {
    var factor = 1.0
    if Courtesies.isCourtesy(sentence.text) { factor *= 0.08 }
    if Courtesies.isFooter(sentence.text) { factor *= 0.05 }
    if ReplySignals.isRequest(sentence) { factor *= 1.35 }
    if !sentence.isComplete { factor *= sentence.wordCount < 6 ? 0.3 : 0.7 }
    if sentence.isItem { factor *= 0.8 }
    if sentence.terms.isEmpty { factor *= 0.1 }
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
