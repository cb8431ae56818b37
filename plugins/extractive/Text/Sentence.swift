/// One sentence of a text, prepared for ranking.
struct Sentence: Sendable, Equatable {
  /// As it is in the text, on one line.
  let text: String
  /// Where it is among the sentences of the text, from 0.
  let position: Int
  /// The distinct stems of its content words, in order of first occurrence.
  let terms: [String]
  /// How many words and numbers it has.
  let wordCount: Int
  /// Came from a list.
  let isItem: Bool
  /// The signs of its wording.
  let signs: SentenceSigns

  /// Whether it asks something of the reader.
  var isRequest: Bool { signs.contains(.request) }

  /// Whether it ends like a sentence; a heading or a fragment does not.
  var isComplete: Bool {
    guard let last = text.unicodeScalars.last(where: { !"\"'”“’»›«)]}」』".unicodeScalars.contains($0) }) else {
      return false
    }
    return ".!?…。！？｡".unicodeScalars.contains(last)
  }
}
