/// Chooses one of several given labels for a text by simple rules.
enum LabelChoice {
  /// Labels that represent "none of the others", best first.
  private static let leftovers: [String] = [
    "other", "others", "sonstiges", "sonstige", "andere", "anderes", "misc", "miscellaneous", "verschiedenes",
    "general",
    "allgemein", "none", "keine", "keins", "unknown", "unbekannt", "unclear", "unklar", "normal", "medium", "mittel",
    "neutral", "info", "information", "fyi",
  ]

  /// How much of a text is searched for signals, in characters.
  private static let searched = 20_000

  /// The label that the most signals speak for.
  ///
  /// A label that names a known ``Category`` in German or English is scored by that category's signals, any other one
  /// by how often it occurs itself. Without any signal, a label that means "other" wins, else the first.
  /// - Returns: One of `labels`, or nil if there are none.
  static func best(of labels: [String], for document: Document, text: String) -> String? {
    let lower = Array(String(text.unicodeScalars.prefix(searched)).lowercased().unicodeScalars)
    let language = document.language
    var best: (label: String, score: Int)?
    for label in labels where !leftovers.contains(label.lowercased()) {
      var score = 0
      if let category = Category.named(label) {
        score = category.signals.reduce(0) { $0 + min(3, occurrences(of: $1, in: lower)) }
      }
      score += 2 * min(3, occurrences(of: Stem.of(label.lowercased(), language: language), in: lower))
      if score > best?.score ?? 0 { best = (label, score) }
    }
    if let best { return best.label }
    return leftovers.lazy.compactMap { name in labels.first { $0.lowercased() == name } }.first ?? labels.first
  }

  /// How often a signal is in a text at the beginning of a word; both in lower case. Counts no further than 3.
  static func occurrences(of signal: String, in text: [Unicode.Scalar]) -> Int {
    let signal = Array(signal.unicodeScalars)
    guard let first = signal.first else { return 0 }
    let isWord = first.isWordScalar
    // Short signals must be whole words: "eur" is not in "Europa".
    let isWhole = isWord && signal.count <= 4
    var count = 0
    for index in text.indices where text[index] == first && count < 3 {
      if isWord, index > 0, text[index - 1].isWordScalar { continue }
      let end = index + signal.count
      guard end <= text.count, text[index..<end].elementsEqual(signal) else { continue }
      if isWhole, end < text.count, text[end].isWordScalar { continue }
      count += 1
    }
    return count
  }
}
