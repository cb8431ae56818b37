/// Signs that a sentence names a time by which something is due.
enum Deadlines {
  private static let introductions: [String] = [
    "by ", "until ", "before ", "no later than ", "deadline", "due ", "bis ", "spätestens", "frist", "fällig",
  ]

  private static let times: Set<String> = StopWords.words(
    """
    monday tuesday wednesday thursday friday saturday sunday tomorrow tonight noon midnight january february march april
    may june july august september october november december week month end
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag montagabend dienstagabend mittwochabend
    donnerstagabend freitagabend samstagabend sonntagabend morgen heute mittag abend januar februar märz mai juni juli
    oktober dezember woche ende monatsende jahresende wochenende
    """)

  /// Whether a sentence has both a word for "until" and a time.
  static func areNamed(in sentence: Sentence) -> Bool {
    let lower = " " + sentence.text.lowercased()
    guard introductions.contains(where: { lower.contains(" " + $0) }) else { return false }
    return Tokenizer.tokens(in: lower).contains { token in
      token.kind == .number || times.contains(token.lowercased)
    }
  }
}
