/// How long ago something was, in German and English words: `vor 3 Tagen`, `vor einer Stunde`, `3 days ago`, `a week ago`.
package enum ElapsedPhrase {
  /// Reads such a phrase.
  ///
  /// - Returns: Seconds; `nil` for other texts, and for months and years, whose length depends on the day.
  package static func seconds(_ text: String) -> Double? {
    var words = text.lowercased().split(separator: " ").map(String.init)
    if words.first == "vor" {
      words.removeFirst()
    } else if words.last == "ago" {
      words.removeLast()
    } else {
      return nil
    }
    guard words.count == 2, let count = Double(words[0]) ?? PhraseWords.numbers[words[0]].map(Double.init),
      count.isFinite, count >= 0, let unit = PhraseWords.units[words[1]].flatMap(seconds(of:))
    else { return nil }
    return count * unit
  }

  private static func seconds(of unit: PhraseWords.Unit) -> Double? {
    switch unit {
    case .second: 1
    case .minute: 60
    case .hour: 3600
    case .day: 86_400
    case .week: 7 * 86_400
    case .workday, .month, .year: nil
    }
  }
}
