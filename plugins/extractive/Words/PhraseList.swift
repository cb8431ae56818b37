/// Fixed phrases that are looked for in many sentences, in one pass over each.
struct PhraseList: Sendable {
  /// The phrases as UTF-8, by their first byte.
  private let phrases: [[[UInt8]]]

  /// Takes phrases in lower case.
  init(_ list: [String]) {
    var phrases = [[[UInt8]]](repeating: [], count: 256)
    for phrase in list {
      let bytes = Array(phrase.utf8)
      if let first = bytes.first { phrases[Int(first)].append(bytes) }
    }
    self.phrases = phrases
  }

  /// Whether one of the phrases occurs in a text, given in lower case as UTF-8.
  func occurs(in text: [UInt8]) -> Bool {
    text.indices.contains { stands(at: $0, in: text) }
  }

  /// Whether a text, given in lower case as UTF-8, begins with one of the phrases.
  func begins(_ text: [UInt8]) -> Bool {
    stands(at: 0, in: text)
  }

  private func stands(at index: Int, in text: [UInt8]) -> Bool {
    guard index < text.count else { return false }
    return phrases[Int(text[index])].contains { phrase in
      guard index + phrase.count <= text.count else { return false }
      for offset in phrase.indices where text[index + offset] != phrase[offset] { return false }
      return true
    }
  }
}
