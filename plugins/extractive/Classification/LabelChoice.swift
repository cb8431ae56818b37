/// Chooses one of several given labels for a text by simple rules.
enum LabelChoice {
  /// Labels that stand for "none of the others", best first.
  private static let leftovers: [String] = [
    "other", "others", "sonstiges", "sonstige", "andere", "anderes", "misc", "miscellaneous", "verschiedenes", "general",
    "allgemein", "none", "keine", "keins", "unknown", "unbekannt", "unclear", "unklar", "normal", "medium", "mittel",
    "neutral", "info", "information", "fyi",
  ]

  /// How much of a text is searched for signals, in characters.
  private static let searched = 20_000

  /// The label that the most signals speak for.
  ///
  /// A label that names a known ``Category`` in German or English is scored by that category's signals, any other one by
  /// how often it occurs itself. Without any signal, a label that means "other" wins, else the first.
  /// - Returns: One of `labels`, or nil where there are none.
  static func best(of labels: [String], for document: Document, text: String) -> String? {
    let lower = String(text.prefix(searched)).lowercased()
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

  /// How often a signal stands in a text at the beginning of a word; both in lower case. Counts no further than 3.
  static func occurrences(of signal: String, in text: String) -> Int {
    let text = text.utf8
    let signal = Array(signal.utf8)
    guard let first = signal.first else { return 0 }
    let wordSignal = isWordByte(first)
    // Short signals must be whole words: "eur" is not in "Europa".
    let whole = wordSignal && signal.count <= 4
    var count = 0
    var index = text.startIndex
    var previous: UInt8 = 0x20
    while index < text.endIndex, count < 3 {
      if text[index] == first, !(wordSignal && isWordByte(previous)),
        text[index...].starts(with: signal)
      {
        let end = text.index(index, offsetBy: signal.count)
        if !whole || end == text.endIndex || !isWordByte(text[end]) { count += 1 }
      }
      previous = text[index]
      index = text.index(after: index)
    }
    return count
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a) || (byte >= 0x30 && byte <= 0x39)
  }
}
