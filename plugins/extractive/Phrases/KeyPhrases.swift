/// The phrases that a text is about.
///
/// RAKE, Rose, Engel, Cramer and Cowley 2010: candidates are the runs of words between stop words and punctuation; a
/// word scores its degree (the lengths of the candidates it occurs in) divided by its frequency, a candidate the sum of
/// its words. Candidates are limited to ``maximumWords`` words. In German they must hold a noun, told by its capital
/// letter, and end with one: a verb at the end of a clause is not part of the phrase.
enum KeyPhrases {
  /// Longer candidates are runs of names or addresses, hardly ever phrases.
  static let maximumWords = 4
  /// At most this many tokens are looked at.
  static let maximumTokens = 60_000

  /// The best phrases, best first; at most a third of the distinct words of all candidates, as in the original.
  ///
  /// Written as at their first occurrence. Deterministic: equal scores keep the order of the text. A phrase that is
  /// part of a better one is left out.
  /// - Parameters:
  ///   - document: The text.
  ///   - limit: At most this many.
  static func extract(from document: Document, limit: Int) -> [String] {
    let candidates = candidates(in: document)
    var degree: [String: Int] = [:]
    var frequency: [String: Int] = [:]
    for candidate in candidates {
      for word in candidate.words {
        degree[word, default: 0] += candidate.words.count
        frequency[word, default: 0] += 1
      }
    }
    var scores: [String: (text: String, score: Double, first: Int)] = [:]
    for (index, candidate) in candidates.enumerated() {
      let key = candidate.words.joined(separator: " ")
      if let known = scores[key] {
        // Repetition is what short texts show instead of long co-occurrence lists.
        scores[key] = (known.text, known.score + 0.5, known.first)
        continue
      }
      let score = candidate.words.reduce(0.0) { sum, word in
        sum + Double(degree[word] ?? 0) / Double(max(frequency[word] ?? 1, 1))
      }
      scores[key] = (candidate.text, score, index)
    }
    let ranked = scores.sorted { ($0.value.score, -$0.value.first) > ($1.value.score, -$1.value.first) }
    let allowed = min(limit, max(3, (frequency.count + 2) / 3))
    var chosen: [(key: String, text: String)] = []
    for (key, value) in ranked {
      guard chosen.count < allowed else { break }
      if chosen.contains(where: { " \($0.key) ".contains(" \(key) ") }) { continue }
      chosen.append((key, value.text))
    }
    return chosen.map(\.text)
  }

  private struct Candidate {
    let words: [String]
    let text: String
  }

  private static func candidates(in document: Document) -> [Candidate] {
    let stopWords = StopWords.of(document.language).union(weakWords)
    var candidates: [Candidate] = []
    var run: [Token] = []
    func finish() {
      defer { run = [] }
      if document.language == .german {
        while let last = run.last, last.text.first?.isLowercase == true { run.removeLast() }
      }
      guard !run.isEmpty, run.count <= maximumWords, run.contains(where: { $0.kind == .word }) else { return }
      if run.count == 1, run[0].text.unicodeScalars.count < (run[0].isIdeographic || run[0].isKana ? 2 : 3) { return }
      candidates.append(
        Candidate(words: run.map(\.lowercased), text: run.map(\.text).joined(separator: " ")))
    }
    for token in document.tokens.prefix(maximumTokens) {
      switch token.kind {
      case .word where token.isKana && !isKatakana(token.text): finish()
      case .word where stopWords.contains(token.lowercased): finish()
      case .word where run.last.map { $0.isIdeographic || $0.isKana } ?? false:
        finish()
        run = [token]
      case .word, .number: run.append(token)
      case .link, .mark: finish()
      }
    }
    finish()
    return candidates
  }

  private static func isKatakana(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { (0x30a1...0x30ff).contains($0.value) || (0xff66...0xff9f).contains($0.value) }
  }

  /// Verbs and adjectives too general to name a topic; they are not stop words for ranking.
  private static let weakWords: Set<String> = StopWords.words(
    """
    able ask asked bring call come coming find found gives happy help hope keep let look looking new nice send sent show
    start started tell think thought today tomorrow try wait week work works write yesterday good great best better big
    small long short sure right happen happened read open click full possible
    bekommen bleibt bringen bringt bräuchte brauche brauchen brauchst denke denkst finde finden findet frage fragen
    freue freuen gut gute guten guter gutes heute gestern morgen hoffe klappt lass liegt melde melden neu neue neuen
    neuer neues nächste nächsten nächster passt sag sage sagen schau schauen schicke schicken schickst schreibe
    schreiben sehen stehen steht tut weiß wissen woche bescheid einfach leider dank danke bitte möglich lange
    """)
}
