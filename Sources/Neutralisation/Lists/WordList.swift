import Localization

/// Words in lower case, divided by blanks.
struct WordList: Sendable {
  private let words: Set<String>

  init(_ text: String) { words = Set(text.split(whereSeparator: \.isWhitespace).map(String.init)) }

  /// Whether a word, in lower case, is one of them; also the genitive of one, without its `s`.
  func contains(_ word: String) -> Bool { words.contains(word) }
}
