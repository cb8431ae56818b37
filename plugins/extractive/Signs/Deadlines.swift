/// Signs that a sentence names a time by which something is due.
enum Deadlines {
  private static let introductions: Set<String> = StopWords.words(
    "by until before later deadline due bis spätestens frist fällig")

  private static let times: Set<String> = StopWords.words(
    """
    monday tuesday wednesday thursday friday saturday sunday tomorrow tonight noon midnight january february march april
    may june july august september october november december week month end
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag montagabend dienstagabend mittwochabend
    donnerstagabend freitagabend samstagabend sonntagabend morgen heute mittag abend januar februar märz mai juni juli
    oktober dezember woche ende monatsende jahresende wochenende
    """)

  /// Whether a sentence has both a word for "until" and a time.
  static func areNamed(in tokens: [Token]) -> Bool {
    tokens.contains { introductions.contains($0.lowercased) }
      && tokens.contains { $0.kind == .number || times.contains($0.lowercased) }
  }
}
