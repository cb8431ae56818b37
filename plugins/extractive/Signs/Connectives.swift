/// Beginnings of sentences that only make sense after the sentence before.
enum Connectives {
  private static let words: Set<String> = StopWords.words(
    """
    it they he she then so but and or also however therefore otherwise instead second secondly third thirdly besides
    there apart
    es er dann dort aber und oder auch außerdem zudem deshalb deswegen daher trotzdem sonst zweitens drittens dafür
    damit darin dabei dadurch danach davon dazu darauf darum ohnehin allerdings dennoch
    """)

  /// Pronouns that are also articles; the next word decides.
  private static let pronouns: Set<String> = StopWords.words(
    "that this these those das dies dieser diese dieses der die sie")
  private static let verbs: Set<String> = StopWords.words("means keeps makes gives leaves heißt bedeutet gilt reicht")

  /// Whether a sentence refers back with its first word.
  static func leanOnPrevious(_ tokens: [Token]) -> Bool {
    let tokens = tokens.lazy.filter { $0.kind == .word }.prefix(2).map { $0 }
    guard let first = tokens.first else { return false }
    if words.contains(first.lowercased) { return true }
    guard pronouns.contains(first.lowercased), tokens.count > 1 else { return false }
    let next = tokens[1]
    return verbs.contains(next.lowercased) || StopWords.either.contains(next.lowercased)
  }
}
