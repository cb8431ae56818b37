/// Words and phrases, found as whole words, in any case.
struct PhraseList: Sendable {
  private var phrases: [String: [[String]]] = [:]

  init(_ texts: [String]) {
    for text in texts {
      let words = Array(text.utf8).withUnsafeBufferPointer { WordScan($0).words.map(\.text) }
      guard let first = words.first else { continue }
      phrases[first, default: []].append(words)
    }
  }

  /// Every place, as ranges of words.
  func find(_ words: [WordScan.Word]) -> [Range<Int>] {
    guard !phrases.isEmpty else { return [] }
    return words.indices.compactMap { index in
      let longest = (phrases[words[index].text] ?? phrases[NameDetector.base(words[index].text)])?.filter { phrase in
        index + phrase.count <= words.count
          && zip(phrase.dropFirst(), words[(index + 1)...]).allSatisfy {
            $0 == $1.text || $0 == NameDetector.base($1.text)
          }
      }.map(\.count).max()
      return longest.map { index..<index + $0 }
    }
  }
}
