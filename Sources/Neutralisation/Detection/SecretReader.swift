/// Reads the values behind words that announce a secret: in quotes, of several words, in lists, and on the lines below.
///
/// A pattern finds the word, and this reads on from there. Each step goes forward and stops at the end of the line or after a
/// bounded number of words, so a text is read in linear time.
struct SecretReader {
  /// The kind of value that a word announces.
  enum Kind {
    /// Anything that a person can choose.
    case password
    /// A password of several words.
    case passphrase
    /// Random values.
    case key
    /// Digits, or capitals and digits.
    case code
  }

  private static let longestQuote = 160
  private static let mostQualifiers = 10
  /// Behind so many words a colon may end another thought, so the value has to look like a secret.
  private static let mostBeforeColon = 4
  private static let mostWords = 8
  private static let mostItems = 200

  let bytes: UnsafeBufferPointer<UInt8>
  let kind: Kind
  /// Whether the word names several: "Passwörter".
  let isPlural: Bool

  /// The values that a word announces.
  ///
  /// - Parameter end: The place behind the word.
  func values(behind end: Int) -> [Range<Int>] {
    var place = end
    // "passphrase_file" names a file.
    guard byte(end) != 0x5F || !Self.isWordByte(byte(end + 1)) else { return [] }
    // The closing quote of the word, or its mark of Markdown.
    while place - end < 3, "*_`".utf8.contains(byte(place)) { place += 1 }
    let isQuotedLabel = byte(place) == 0x22 || byte(place) == 0x27
    if isQuotedLabel { place += 1 }
    place = skippingRemark(skippingBlanks(place))
    if let value = self.colon(at: place) { return list(at: value, .colon) }
    guard !isQuotedLabel, place > end || byte(place) == 0x2C || Self.isQuote(bytes, at: place) else { return [] }
    if kind != .key, let quoted = self.quoted(at: place) {
      return accepted(quoted) ? continued([quoted.range], quoted.end, .quoted) : []
    }
    if kind == .code, let code = self.code(at: place) { return continued([code], code.upperBound, .direct) }
    return behindWords(place)
  }

  /// How the value is announced.
  private enum Announcement {
    /// With a colon or an equals sign.
    case colon
    /// With "lautet" or "reads", which only a value follows.
    case statement
    /// With "ist" or "is".
    case verb
    /// In quotes.
    case quoted
    /// Without anything between.
    case direct
  }

  // MARK: - Between the word and its value

  /// "für das WLAN lautet", "of the front door:", ", it is"
  private func behindWords(_ start: Int) -> [Range<Int>] {
    var place = start
    var last = ""
    if byte(place) == 0x2C { place = skippingBlanks(place + 1) }
    for count in 0..<Self.mostQualifiers {
      if let quoted = self.quoted(at: place) {
        guard kind != .key, quoted.end > quoted.range.upperBound else { return [] }
        if Self.putters.contains(last) { return accepted(quoted) ? [quoted.range] : [] }
        // The quotes hold the name of what the password is for.
        place = skippingBlanks(quoted.end)
        if let value = self.colon(at: place) { return list(at: value, .colon) }
        last = ""
      }
      let (word, end) = self.word(at: place)
      guard !word.isEmpty, !Self.breaks.contains(word) else { return [] }
      var next = skippingBlanks(end)
      if let announcement = Self.verbs[word] {
        next = skippingNow(next)
        if let value = self.colon(at: next) { return list(at: value, .colon) }
        return list(at: next, announcement)
      }
      if let value = self.colon(at: next) {
        return list(at: value, count > Self.mostBeforeColon ? .direct : .colon)
      }
      guard next > end || Self.isQuote(bytes, at: next) else { return [] }
      // "opens with code 4 1 7 3" has the word before; "PIN for the card 4711" has words between.
      if kind == .code, Self.leadsToCode.contains(word), let code = self.code(at: next) { return [code] }
      last = word
      place = next
    }
    return []
  }

  private static let verbs: [String: Announcement] = [
    "ist": .verb, "is": .verb, "sind": .verb, "are": .verb, "war": .verb, "was": .verb, "wäre": .verb, "bleibt": .verb,
    "remains": .verb, "est": .verb, "heißt": .verb, "heisst": .verb, "lautet": .statement, "lauten": .statement,
    "reads": .statement, "read": .verb, "try": .verb, "it's": .verb, "nämlich": .verb,
  ]
  private static let putters = WordList("mit with auf to as als in zu namens sie es it mein dein")
  private static let breaks = WordList(
    """
    und and or oder aber but dass daß that damit weil because wenn if falls kein keine no not nicht never vergessen forgotten forgot wird wurde will
    must muss should soll can kann does do has hat needs need last letzte changed geändert expires expired abgelaufen protected geschützt policy field feld
    length länge reset siehe see manager hint tipp hinweis rules regeln requirements strength stärke
    """)
  private static let leadsToCode = WordList("code pin karte card tür door nummer number tor gate safe phone handy")
  private static let nows = WordList(
    "jetzt nun neu weiterhin noch nur immer now still just currently always simply einfach ab sofort"
  )

  private func skippingNow(_ start: Int) -> Int {
    var place = start
    for _ in 0..<3 {
      var (word, end) = self.word(at: place)
      // "lautet wie folgt:"
      if word == "wie" || word == "as" {
        let (second, secondEnd) = self.word(at: skippingBlanks(end))
        if second == "folgt" || second == "follows" { (word, end) = ("nun", secondEnd) }
      }
      let next = skippingBlanks(end)
      // "now" itself may be the password.
      guard Self.nows.contains(word), next > end || byte(end) == 0x3A, byte(next) > 0x20 else { break }
      place = next
    }
    return place
  }

  /// "(CVC)", "(siehe unten)"
  private func skippingRemark(_ start: Int) -> Int {
    guard byte(start) == 0x28, let end = bytes[start...].prefix(60).firstIndex(where: { $0 == 0x29 || $0 == 0x0A }),
      bytes[end] == 0x29, !bytes[start..<end].contains(where: { (0x30...0x39).contains($0) })
    else { return start }
    return skippingBlanks(end + 1)
  }

  /// The place behind a colon, an equals sign or an arrow; `nil` if none is there.
  private func colon(at place: Int) -> Int? {
    var place = place
    var hasSign = false
    while place < bytes.count {
      if byte(place) == 0x3A || byte(place) == 0x3D {
        // "://" belongs to an address.
        if byte(place + 1) == 0x2F, byte(place + 2) == 0x2F { return nil }
        place += byte(place) == 0x3D && byte(place + 1) == 0x3E ? 2 : 1
      } else if byte(place) == 0x2D, byte(place + 1) == 0x3E {
        place += 2
      } else if bytes[place...].prefix(3).elementsEqual("→".utf8) {
        place += 3
      } else {
        break
      }
      hasSign = true
    }
    guard hasSign else { return nil }
    while byte(place) == 0x2A { place += 1 }
    while byte(place) == 0x20 || byte(place) == 0x09 { place += 1 }
    return place
  }

  // MARK: - Values

  private func list(at place: Int, _ announcement: Announcement) -> [Range<Int>] {
    if byte(place) == 0x0A || byte(place) == 0x0D {
      if announcement == .colon || announcement == .direct { return lines(from: place) }
      // The line was wrapped.
      var next = byte(place) == 0x0D ? place + 2 : place + 1
      while byte(next) == 0x3E || byte(next) == 0x20 { next += 1 }
      guard byte(next) > 0x20, byte(place) == 0x0A || byte(place + 1) == 0x0A else { return [] }
      return list(at: next, announcement)
    }
    if let quoted = self.quoted(at: place) {
      return accepted(quoted) ? continued([quoted.range], quoted.end, .quoted) : []
    }
    guard let value = self.value(at: place, announcement) else { return [] }
    return continued([value], value.upperBound, announcement)
  }

  /// One value at a place.
  private func value(at place: Int, _ announcement: Announcement) -> Range<Int>? {
    switch kind {
    case .code: return code(at: place)
    case .key:
      let token = self.token(at: place)
      return SecretDetector.looksRandom(slice(token)) || SecretDetector.isGrouped(slice(token)) ? token : nil
    case .password, .passphrase: return password(at: place, announcement)
    }
  }

  private func password(at place: Int, _ announcement: Announcement) -> Range<Int>? {
    let tokens = self.tokens(from: place)
    guard let first = tokens.first, !Self.isPlaceholder(slice(first)) else { return nil }
    let word = text(first)
    let isChosen = SecretDetector.looksChosen(slice(first))
    let isSentence = Self.begins.contains(word) || SecretDetector.nonPasswords.contains(word)
    let isPhrase =
      kind == .passphrase && tokens.count >= 3
      && (!SecretDetector.nonPasswords.contains(word) || Self.articles.contains(word))
    func upTo(_ count: Int) -> Range<Int>? {
      let range = first.lowerBound..<tokens[max(0, min(count, tokens.count) - 1)].upperBound
      return range.count >= 3 ? range : nil
    }
    switch announcement {
    case .colon, .statement:
      if isPhrase, announcement == .colon || !isSentence || Self.articles.contains(word) { return upTo(tokens.count) }
      // "correct horse battery staple"
      let isWords = tokens.count >= 4 && tokens.allSatisfy { isPlain($0) && !Self.stops.contains(text($0)) }
      if isWords, Self.adjectives.contains(word) { return upTo(tokens.count) }
      guard !isSentence else { return nil }
      if isChosen, first.count >= 6 { return upTo(1 + tokens.dropFirst().prefix { isOfSigns($0) }.count) }
      let words = tokens.prefix(isPlural ? Self.mostWords : 6)
      let count = words.dropFirst().prefix { !Self.stops.contains(text($0)) }.count + 1
      return upTo(count)
    case .verb:
      if isPhrase, !isSentence, tokens.allSatisfy({ !Self.stops.contains(text($0)) }) { return upTo(tokens.count) }
      if isChosen { return upTo(1) }
      // "Das Passwort ist Kranich." A usual word has no capital there, unless it is a noun that says what a password is.
      guard !isSentence, tokens.count == 1, (0x41...0x5A).contains(bytes[first.lowerBound]), first.count >= 4,
        !Self.nouns.contains(word)
      else { return nil }
      return first
    case .quoted, .direct: return isChosen ? upTo(1) : nil
    }
  }

  private static let begins = WordList(
    """
    a an the der die das den dem ein eine einen ihr ihre your my mein meine at on in as is are was has be if when after before since until only minimum
    ab bis seit nur zum zur bei mindestens maximal wenn falls erst auch wieder what which who welches was wo where here hier unten below oben above
    ask fragen frag keep never nie niemals use store write choose enter type contact call print don't anrufen wählen merken laut gemäß nach
    """)
  /// Remarks that may also be the first of several words that a person has chosen.
  private static let adjectives = WordList(
    "correct incorrect right wrong secret hidden empty valid invalid blank falsch richtig leer geheim sicher string yes no never"
  )
  private static let articles = WordList("a an the der die das ein eine my mein meine")
  private static let stops = WordList(
    """
    und and or oder bitte please for für then dann wird wurde is ist are sind does not nicht but aber with mit an at to sie you we wir ich i it es
    expires läuft gilt gültig valid until bis ab if wenn which das the der die
    """)
  private static let nouns = WordList(
    """
    pflicht teil standard voraussetzung sache thema geschichte unsinn quatsch chefsache privatsache geheimsache geheimnis schutz sicherheit
    vorschrift bedingung mist müll vergangenheit zufall ok okay english german englisch deutsch
    """)

  /// The words up to the end of the line or sentence, of a clause, or of a list's item.
  private func tokens(from start: Int) -> [Range<Int>] {
    var tokens: [Range<Int>] = []
    var place = start
    while place < bytes.count, tokens.count < 12 {
      let token = self.token(at: place)
      guard !token.isEmpty else { break }
      // The next field of the same line: "PIN: 4711", "user=x".
      let last = byte(token.upperBound)
      if !tokens.isEmpty, last == 0x3A || slice(token).dropFirst().contains(0x3D) {
        break
      }
      tokens.append(token)
      guard last == 0x20 || last == 0x09 else { break }
      place = skippingBlanks(token.upperBound, lines: false)
      // A bracket, a dash, a slash or a quote begins something else.
      let next = byte(place)
      if Self.divisions.contains(next) { break }
      if next == 0x2D || next == 0x3C, byte(place + 1) <= 0x20 { break }
    }
    return tokens
  }

  /// A bracket, a quote, a slash, a bar, and the first bytes of quotes and dashes beyond ASCII.
  private static let divisions: [UInt8] = [0x28, 0x22, 0x2F, 0x7C, 0xE2, 0xC2]

  /// A word without blanks and without the signs that end a sentence.
  private func token(at start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count, end - start < 200, bytes[end] > 0x20, !Self.ends(bytes, at: end) { end += 1 }
    let isTooLong = end < bytes.count && end - start == 200
    return isTooLong ? start..<start : SecretDetector.trimmed(start..<end, bytes)
  }

  private static func ends(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    bytes[place] == 0x22 || bytes[place] == 0x60 || bytes[place] == 0x7F
      || isQuote(bytes, at: place) && bytes[place] != 0x27
  }

  /// Letters in lower case alone.
  private func isPlain(_ token: Range<Int>) -> Bool {
    bytes[token].allSatisfy { (0x61...0x7A).contains($0) || $0 >= 0x80 }
  }

  /// "Tr0ub4dor &3"
  private func isOfSigns(_ token: Range<Int>) -> Bool { "&!#$%@+=?^~".utf8.contains(bytes[token.lowerBound]) }

  /// A code at a place: groups of digits with one blank between, or letters and digits.
  private func code(at start: Int) -> Range<Int>? {
    var end = start
    func isSign(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    while end - start < 40, isSign(byte(end)) || byte(end) == 0x2D && isSign(byte(end + 1)) && end > start { end += 1 }
    if byte(end) == 0x23 || byte(end) == 0x2A { end += 1 }
    guard end > start, byte(end) < 0x80 || Self.isQuote(bytes, at: end), !"@%/_".utf8.contains(byte(end)) else {
      return nil
    }
    let first = start..<end
    let isNumber = bytes[first].allSatisfy { (0x30...0x39).contains($0) }
    if isNumber {
      // "4 7 1 1", "992 114"
      for _ in 0..<11 {
        var next = end
        if byte(next) == 0x20 { next += 1 }
        let groupStart = next
        while (0x30...0x39).contains(byte(next)), next - groupStart < 9 { next += 1 }
        guard groupStart > end, next - groupStart == first.count, first.count < 7 else { break }
        guard !isSign(byte(next)), !".,:%/".utf8.contains(byte(next)) || !isSign(byte(next + 1)) else { break }
        end = next
      }
    }
    let range = start..<end
    let digits = bytes[range].count { (0x30...0x39).contains($0) }
    guard digits >= 3 || digits >= 1 && range.count >= 5 && !isNumber, SecretDetector.isCode(slice(range)),
      !(".,:".utf8.contains(byte(end)) && (0x30...0x39).contains(byte(end + 1)))
    else { return nil }
    // "4-stellig", "PIN 2024 geändert" are judged by the caller; letters alone with one digit are a word.
    let hasLower = bytes[range].contains { (0x61...0x7A).contains($0) }
    return hasLower && digits < 2 ? nil : range
  }

  /// The text between quotes at a place, and the place behind them.
  private func quoted(at place: Int) -> (range: Range<Int>, end: Int)? {
    guard let (opening, closings) = Self.quotes.first(where: { matches($0.0, at: place) }) else { return nil }
    let start = place + opening.utf8.count
    var end = start
    while end < bytes.count, end - start < Self.longestQuote, bytes[end] != 0x0A {
      if let closing = closings.first(where: { matches($0, at: end) }) {
        // An apostrophe within a word closes nothing.
        let next = byte(end + closing.utf8.count)
        let isApostrophe = ["'", "’", "‘"].contains(closing) && (0x61...0x7A).contains(next | 0x20)
        if !isApostrophe { return end > start ? (start..<end, end + closing.utf8.count) : nil }
      }
      end += 1
    }
    return nil
  }

  private static let quotes: [(String, [String])] = [
    ("\"", ["\""]), ("'", ["'"]), ("`", ["`"]), ("\u{201E}", ["“", "”", "\""]), ("“", ["”", "“"]), ("”", ["”"]),
    ("»", ["«"]),
    ("«", ["»"]), ("‘", ["’"]), ("‚", ["‘", "’"]), ("›", ["‹"]), ("‹", ["›"]),
  ]

  private func matches(_ sign: String, at place: Int) -> Bool {
    place < bytes.count && bytes[place...].prefix(sign.utf8.count).elementsEqual(sign.utf8)
  }

  private static func isQuote(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    guard place < bytes.count else { return false }
    switch bytes[place] {
    case 0x22, 0x27, 0x60: return true
    case 0xC2: return place + 1 < bytes.count && [0xAB, 0xBB].contains(bytes[place + 1])
    case 0xE2:
      guard place + 2 < bytes.count, bytes[place + 1] == 0x80 else { return false }
      return 0x98...0x9F ~= bytes[place + 2] || 0xB9...0xBA ~= bytes[place + 2]
    default: return false
    }
  }

  /// Whether quoted text is a value: not a remark such as "too short", and for a code with digits.
  private func accepted(_ quoted: (range: Range<Int>, end: Int)) -> Bool {
    let value = slice(quoted.range)
    guard !Self.isPlaceholder(value), quoted.range.count >= 2 else { return false }
    let first = String(decoding: value.prefix { $0 > 0x20 }, as: UTF8.self).lowercased()
    switch kind {
    case .code: return value.contains { (0x30...0x39).contains($0) } && value.count <= 40
    case .key: return SecretDetector.looksRandom(value) && !value.contains(0x20) || SecretDetector.isGrouped(value)
    case .password, .passphrase:
      return !SecretDetector.nonPasswords.contains(first.trimmed) && !["is", "are", "was", "has"].contains(first)
    }
  }

  // MARK: - Lists

  /// The values that follow a value: ", b und c".
  private func continued(_ values: [Range<Int>], _ end: Int, _ announcement: Announcement) -> [Range<Int>] {
    var values = values
    var place = end
    for _ in 0..<Self.mostItems {
      // Codes are also listed with blanks alone.
      let isBlank = kind == .code && isPlural && byte(place) == 0x20
      guard let next = separatorEnd(at: place) ?? (isBlank ? place + 1 : nil) else { break }
      if let quoted = self.quoted(at: next) {
        // A word before a colon is the name of the next member.
        guard announcement == .quoted || isPlural, accepted(quoted), byte(skippingBlanks(quoted.end)) != 0x3A else {
          break
        }
        values.append(quoted.range)
        place = quoted.end
        continue
      }
      let item: Range<Int>?
      switch kind {
      case .code: item = code(at: next)
      case .key: item = value(at: next, announcement)
      case .password, .passphrase:
        let token = self.token(at: next)
        if isPlural, announcement == .colon {
          item = password(at: next, .colon)
        } else {
          item = isPlural && SecretDetector.looksChosen(slice(token)) ? token : nil
        }
      }
      guard let item, kind != .code || isPlural || byte(place) != 0x2C || item.count >= 6 else { break }
      values.append(item)
      place = item.upperBound
    }
    return values
  }

  /// ", ", " und ", ", and ", " / ", "; "
  private func separatorEnd(at place: Int) -> Int? {
    var next = place
    var hasSign = false
    if ",;/".utf8.contains(byte(next)) {
      next += 1
      hasSign = true
    }
    let blank = skippingBlanks(next)
    guard blank > next || hasSign else { return nil }
    next = blank
    if byte(next) == 0x2F || byte(next) == 0x7C || byte(next) == 0x26, byte(next + 1) == 0x20 {
      return skippingBlanks(next + 1)
    }
    let (word, end) = self.word(at: next)
    if ["und", "and", "oder", "or", "sowie"].contains(word) { return skippingBlanks(end) }
    return hasSign ? next : nil
  }

  /// Values on the lines below the word, each on a line of its own.
  private func lines(from start: Int) -> [Range<Int>] {
    var values: [Range<Int>] = []
    var place = start
    for _ in 0..<Self.mostItems {
      var breaks = 0
      while place < bytes.count, bytes[place] <= 0x20 || bytes[place] == 0x3E {
        if bytes[place] == 0x0A { breaks += 1 }
        place += 1
      }
      guard place < bytes.count, breaks > 0, breaks <= 2 else { break }
      let lineEnd = bytes[place...].prefix(200).firstIndex(of: 0x0A) ?? min(bytes.count, place + 200)
      var end = lineEnd
      while end > place, bytes[end - 1] <= 0x20 { end -= 1 }
      let isMarked = skipBullet(&place, end)
      let found = line(place..<end, isMarked: isMarked)
      guard !found.isEmpty else { break }
      values += found
      guard isPlural else { break }
      place = lineEnd
    }
    return values
  }

  /// "- ", "• ", "1. ", "1) "
  private func skipBullet(_ place: inout Int, _ end: Int) -> Bool {
    var next = place
    if "-*+".utf8.contains(byte(next)) {
      next += 1
    } else if matches("•", at: next) || matches("–", at: next) || matches("·", at: next) {
      next += byte(next) == 0xC2 ? 2 : 3
    } else {
      while next - place < 3, (0x30...0x39).contains(byte(next)) { next += 1 }
      guard next > place, byte(next) == 0x2E || byte(next) == 0x29 else { return false }
      next += 1
    }
    guard byte(next) == 0x20 || byte(next) == 0x09, next < end else { return false }
    place = skippingBlanks(next, lines: false)
    return true
  }

  private func line(_ range: Range<Int>, isMarked: Bool) -> [Range<Int>] {
    guard !range.isEmpty else { return [] }
    if let quoted = self.quoted(at: range.lowerBound), quoted.end >= range.upperBound - 1 {
      return accepted(quoted) ? [quoted.range] : []
    }
    let words = bytes[range].split(whereSeparator: { $0 <= 0x20 }).map { $0.startIndex..<$0.endIndex }
    switch kind {
    case .code:
      // One code in groups, or several side by side.
      if let code = self.code(at: range.lowerBound), code.upperBound >= range.upperBound - 1 { return [code] }
      let codes = words.compactMap { word in code(at: word.lowerBound) }
      return codes.count == words.count && isPlural ? codes : []
    case .key:
      guard words.count == 1, let value = self.value(at: range.lowerBound, .colon) else { return [] }
      return [value]
    case .password, .passphrase:
      let whole = SecretDetector.trimmed(range, bytes)
      guard let first = words.first, !Self.isPlaceholder(slice(whole)) else { return [] }
      let word = text(first)
      let isRemark = SecretDetector.nonPasswords.contains(word) || Self.begins.contains(word)
      if kind == .passphrase, (3...12).contains(words.count), !isRemark { return [whole] }
      if words.count == 1, SecretDetector.looksChosen(slice(whole)) { return [whole] }
      return isPlural && isMarked && words.count <= 4 && !isRemark && whole.count >= 3 ? [whole] : []
    }
  }

  // MARK: - Signs

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  private func byte(_ place: Int) -> UInt8 { place >= 0 && place < bytes.count ? bytes[place] : 0 }

  private func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { ArraySlice(bytes[range]) }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self).lowercased() }

  /// Blanks, and one end of a line between two words of a sentence, with the signs of a quotation.
  private func skippingBlanks(_ start: Int, lines: Bool = true) -> Int {
    var place = start
    var hasLine = false
    while place < bytes.count {
      if bytes[place] == 0x20 || bytes[place] == 0x09 {
        place += 1
      } else if lines, !hasLine, bytes[place] == 0x0A || bytes[place] == 0x0D && byte(place + 1) == 0x0A {
        let next = bytes[place] == 0x0D ? place + 2 : place + 1
        // The next line goes on with a small letter or a quote; a line that begins otherwise may be another one.
        var word = next
        while byte(word) == 0x3E || byte(word) == 0x20 { word += 1 }
        guard (0x61...0x7A).contains(byte(word)) || Self.isQuote(bytes, at: word) else { return place }
        hasLine = true
        place = word
      } else {
        break
      }
    }
    return place
  }

  /// The word at a place, in lower case, and where it ends; empty if no letter is there.
  private func word(at start: Int) -> (String, Int) {
    var end = start
    func isLetter(_ place: Int) -> Bool {
      (0x61...0x7A).contains(byte(place) | 0x20) || byte(place) >= 0x80 && !Self.isQuote(bytes, at: place)
    }
    while end < bytes.count, end - start < 40 {
      let isJoint = end > start && (bytes[end] == 0x2D || bytes[end] == 0x27) && isLetter(end + 1)
      guard isJoint || isLetter(end) else { break }
      end += 1
    }
    return (text(start..<end), end)
  }

  /// Whether a value only represents one: a mask, a variable, a tag.
  static func isPlaceholder(_ value: ArraySlice<UInt8>) -> Bool { SecretDetector.isPlaceholder(value) }

  /// A range without blanks at its ends.
  static func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }
}

extension String {
  /// The word without the signs behind it.
  fileprivate var trimmed: String { String(prefix { !".,:;!?".contains($0) }) }
}
