/// The text of a message as the signs of marks are looked for in it: without quoted lines and signature.
struct MarkedText {
  /// The subject in lower case.
  let subject: String
  /// Subject and text in lower case, white space collapsed.
  let lowercased: String
  private let lines: [Substring]
  /// The words of subject and text in lower case, as they are between white space.
  private let words: [String]
  /// The day the message was written, since 1970-01-01 on its writer's clock; 0 where it does not say.
  private let today: Int

  private static let limit = 50_000

  init(_ message: Message) {
    subject = message.subject.lowercased()
    var kept: [Substring] = []
    var size = 0
    for line in message.textBody.split(separator: "\n", omittingEmptySubsequences: true) {
      if line == "-- " || line == "--" || size > MarkedText.limit { break }
      if line.hasPrefix(">") || line.hasPrefix("-----") { continue }
      let piece = line.prefix(MarkedText.limit)
      size += piece.utf8.count
      kept.append(piece)
    }
    // The line above a quotation is not part of the author's text.
    lines = kept.filter { !($0.hasSuffix(" wrote:") || $0.contains(" schrieb ") && $0.hasSuffix(":")) }
    lowercased = ([Substring(subject)] + lines).joined(separator: " ").lowercased().collapsingWhitespace
    words = lowercased.split(separator: " ").map(String.init)
    today = message.date.map { Int((Double($0.secondsSinceEpoch + $0.zoneOffset) / 86_400).rounded(.down)) } ?? 0
  }

  // MARK: Money

  /// The amounts of money, each once, in the order of the text.
  func amounts() -> [(amount: MoneyAmount, words: String)] {
    var found: [(MoneyAmount, String)] = []
    var seen: Set<MoneyAmount> = []
    for (index, word) in words.enumerated() {
      guard word.utf8.contains(where: \.isDigit), found.count < 50 else { continue }
      guard let (number, sign) = MarkedText.split(word), let hundredths = MoneyAmount.hundredths(number) else {
        continue
      }
      let before = index > 0 ? MarkedText.currency(words[index - 1]) : nil
      let after = index + 1 < words.count ? MarkedText.currency(words[index + 1]) : nil
      guard let currency = sign.flatMap({ MoneyAmount.currencies[$0] }) ?? after ?? before else { continue }
      let amount = MoneyAmount(hundredths: hundredths, currency: currency)
      if hundredths > 0, seen.insert(amount).inserted {
        let start = sign == nil && after == nil ? index - 1 : index
        let end = sign == nil && after != nil ? index + 1 : index
        found.append((amount, words[start...end].joined(separator: " ")))
      }
    }
    return found
  }

  private static func currency(_ word: String) -> String? {
    if let currency = MoneyAmount.currencies[word] { return currency }
    let bare = word.drop { $0 == "(" }.reversed().drop { ".,;:!?)".contains($0) }.reversed()
    return MoneyAmount.currencies[String(bare)]
  }

  /// A number with its currency, without a space.
  private static func split(_ word: String) -> (number: Substring, sign: String?)? {
    let trimmed = word.drop { "(\"\u{201E}\u{201C}*_|=".contains($0) }
    let sign = trimmed.prefix { !$0.isNumber }
    let rest = trimmed.dropFirst(sign.count)
    let number = rest.prefix { $0.isASCII && $0.isNumber || ".,'’–—-".contains($0) }
    let tail = rest.dropFirst(number.count).prefix { !".,;:!?)\"“*_|".contains($0) }
    let digits = number.lastIndex { $0.isNumber || $0 == "–" || $0 == "—" || $0 == "-" }.map { number[...$0] } ?? number
    if !sign.isEmpty { return MoneyAmount.currencies[String(sign)] == nil ? nil : (digits, String(sign)) }
    if !tail.isEmpty { return MoneyAmount.currencies[String(tail)] == nil ? nil : (digits, String(tail)) }
    return (digits, nil)
  }

  func hasWord(startingWith beginnings: [String]) -> Bool {
    words.contains { word in
      let bare = word.drop { !$0.isLetter }
      return beginnings.contains { bare.hasPrefix($0) || $0.count > 4 && bare.contains($0) }
    }
  }

  // MARK: Deadlines

  /// The first day that something is due on, and the words that say so.
  func deadline(rules: ClassificationRules) -> (day: String, words: String)? {
    let phrases = rules.deadlinePhrases.map { $0.split(separator: " ").map(String.init) }
    for index in words.indices {
      let isStrong = phrases.contains { matches($0, at: index) }
      let bare = words[index].filter(\.isLetter)
      guard isStrong || rules.untilWords.contains(bare) && !isRange(index) else { continue }
      let reach = isStrong ? 9 : 4
      var next = index + 1
      while next < min(words.count, index + reach) {
        if let mention = DayMention(words[next...].prefix(5), today: today) {
          let end = min(next + mention.length, words.count)
          // Without a date of the message only what has a year is a day.
          if today == 0, !words[next..<end].contains(where: { $0.contains("20") }) { return nil }
          return (mention.text, words[index..<end].joined(separator: " "))
        }
        next += 1
      }
    }
    return nil
  }

  private func matches(_ phrase: [String], at index: Int) -> Bool {
    guard index + phrase.count <= words.count else { return false }
    for (offset, word) in phrase.enumerated() {
      let found = words[index + offset].drop { !$0.isLetter }
      if offset + 1 < phrase.count ? found != word : !found.hasPrefix(word) { return false }
      // `due` and not `duet`, but `fälligkeit`.
      if offset + 1 == phrase.count, word.count < 5, found.dropFirst(word.count).contains(where: \.isLetter) {
        return false
      }
    }
    return true
  }

  /// Whether a word such as `bis` is between two days or times: `20. bis 26. November`, `von Montag bis Freitag`.
  private func isRange(_ index: Int) -> Bool {
    let before = words[max(0, index - 4)..<index]
    if let last = before.last, last.contains(where: \.isNumber) || last == "uhr" { return true }
    return before.contains { $0 == "von" || $0 == "vom" || $0 == "from" || $0 == "between" }
  }

  // MARK: Questions

  /// The first sentence that ends with a question mark.
  var question: String? {
    for line in lines {
      guard let mark = line.firstIndex(of: "?") else { continue }
      let after = line.index(after: mark)
      // Not the one in an address: `https://example.org/?a=1`.
      guard after == line.endIndex || line[after].isWhitespace || "\")”“»!?*_".contains(line[after]) else { continue }
      let sentence = line[..<mark].split(whereSeparator: { ".!:".contains($0) }).last ?? line[..<mark]
      if sentence.contains(where: \.isLetter) { return "\(String(sentence).collapsingWhitespace)?" }
    }
    // Chinese and Japanese have a question mark of their own.
    return lines.first { $0.contains("？") }.map { String($0).collapsingWhitespace }
  }
}
