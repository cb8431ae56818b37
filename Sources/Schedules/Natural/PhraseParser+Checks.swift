extension PhraseParser {
  // MARK: Times in the past

  /// `gestern`, `yesterday`, `letzten Montag`, `last week`, `3 days ago`, `vor einer Stunde`.
  mutating func takePast(_ index: Int) -> Int {
    let first = word(index)
    if ["gestern", "vorgestern", "yesterday"].contains(first) {
      draft.isPast = true
      return 0
    }
    if ["letzten", "letzter", "letzte", "letztes", "vergangenen", "vergangene", "vergangenes", "last"].contains(first) {
      let isDay = weekday(index + 1, allowsShort: false) != nil
      let isUnit = [.week, .month, .year].contains(PhraseWords.units[word(index + 1)])
      let links: Set<String> = ["of", "in", "im", "des", "jedes", "jeden", "each", "every"]
      if (isDay || isUnit) && !links.contains(word(index + 2)) {
        draft.isPast = true
        return isDay ? 2 : 0
      }
    }
    if let count = amountLength(index), word(index + count) == "ago" || index > 0 && word(index - 1) == "vor" {
      draft.isPast = true
    }
    return 0
  }

  /// Whether the only day that was said is over.
  var isOver: Bool { draft.isPast && draft.day == nil && draft.delta == nil && draft.repetition == nil }

  // MARK: Misspelt days

  /// A word beside a time of day that is nearly a day, where no day was said: `morgne um 9`.
  var misspelt: (written: String, meant: String)? {
    guard draft.day == nil, draft.delta == nil, draft.repetition == nil, !draft.isEmpty else { return nil }
    for index in tokens.indices where !used.contains(index) {
      let text = word(index)
      guard used.contains(index - 1) || used.contains(index + 1), text.count >= 5, !Self.otherWords.contains(text)
      else {
        continue
      }
      if let meant = Self.misspelt[text] { return (String(tokens[index].source), meant) }
      if let meant = Self.dayWords.first(where: { Self.isNearly(text, $0) }) {
        return (String(tokens[index].source), meant)
      }
    }
    return nil
  }

  private static let dayWords =
    ["heute", "morgen", "übermorgen", "today", "tonight", "tomorrow"] + PhraseWords.weekdays.keys.sorted()
  private static let misspelt = [
    "tommorow": "tomorrow", "tomorow": "tomorrow", "wensday": "wednesday", "wendsday": "wednesday",
  ]
  /// Words that are not misspelt days.
  private static let otherWords: Set<String> = ["morgan", "montage", "sundae", "heuer", "toddy"]

  /// Whether one letter is missing, too much or another one, or two have changed places; the first one is right.
  static func isNearly(_ text: String, _ word: String) -> Bool {
    let (left, right) = (Array(text.unicodeScalars), Array(word.unicodeScalars))
    guard left != right, left.first == right.first, abs(left.count - right.count) <= 1 else { return false }
    let same = zip(left, right).prefix { $0 == $1 }.count
    let (a, b) = (left[same...], right[same...])
    if a.dropFirst() == b || a == b.dropFirst() || a.dropFirst() == b.dropFirst() { return true }
    return a.count == b.count && a.count >= 2 && Array(a.prefix(2)) == Array(b.prefix(2).reversed())
      && a.dropFirst(2) == b.dropFirst(2)
  }
}
