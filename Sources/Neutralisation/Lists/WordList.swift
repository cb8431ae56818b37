import Localization

/// Words in lower case, divided by blanks.
struct WordList: Sendable {
  private let words: Set<String>

  init(_ text: String) {
    // By bytes: thousands of words are cut at the first text.
    let parts = text.utf8.split { $0 == 0x20 || $0 == 0x0A }
    var words = Set<String>(minimumCapacity: parts.count)
    for part in parts { words.insert(String(Substring(part))) }
    self.words = words
  }

  /// Whether a word, in lower case, is one of them; also the genitive of one, without its `s`.
  func contains(_ word: String) -> Bool { words.contains(word) }
}
