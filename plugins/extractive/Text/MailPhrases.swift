/// Recognises lines that are not content of a mail, in German and English: greetings, closes, headers of quoted mail.
enum MailPhrases {
  /// Names that begin the header block of a quoted original.
  static let senderHeaders: Set<String> = ["from", "von"]
  /// Names that follow soon in such a block.
  static let dateHeaders: Set<String> = ["sent", "date", "gesendet", "datum"]
  /// Every name of such a block.
  static let anyHeaders: Set<String> = [
    "from", "von", "sent", "date", "gesendet", "datum", "to", "an", "cc", "subject", "betreff", "reply-to",
  ]

  /// Whether a line is `Name: value` with one of the names.
  static func isHeaderLine(_ line: String, names: Set<String>) -> Bool {
    let line = line.drop { $0 == "*" }
    guard let colon = line.prefix(12).firstIndex(of: ":") else { return false }
    return names.contains(line[..<colon].lowercased().trimmed)
  }

  /// "-----Original Message-----" and its relatives, after which only old text follows.
  static func startsOriginal(_ line: String) -> Bool {
    guard line.hasPrefix("--") || line.hasPrefix("__") else { return false }
    let lower = line.lowercased()
    return ["original message", "ursprüngliche nachricht", "originalnachricht", "original-nachricht"].contains {
      lower.contains($0)
    }
  }

  /// The line above forwarded text.
  static func isForwardMark(_ line: String) -> Bool {
    let lower = line.lowercased()
    guard lower.hasPrefix("--") || lower.hasPrefix("begin") || lower.hasPrefix("anfang") else { return false }
    return lower.contains("forwarded message") || lower.contains("weitergeleitete")
  }

  /// "On Monday … wrote:", "Am 3. Mai … schrieb Anna:".
  static func isAttribution(_ line: String) -> Bool {
    guard line.hasSuffix(":"), line.count < 240 else { return false }
    let lower = line.lowercased()
    return lower.hasSuffix("wrote:") || lower.hasSuffix("writes:") || lower.contains(" schrieb")
      || lower.contains("wrote")
  }

  /// Whether a line begins as most attributions do.
  static func beginsAttribution(_ line: String) -> Bool {
    let lower = line.lowercased()
    return lower.hasPrefix("on ") || lower.hasPrefix("am ")
  }

  /// "Sent from my iPhone".
  static func isDeviceLine(_ line: String) -> Bool {
    let lower = line.lowercased()
    return line.count < 80
      && (lower.hasPrefix("sent from my ") || lower.hasPrefix("gesendet von ") || lower.hasPrefix("von meinem ")
        || lower.hasPrefix("get outlook for ") || lower.hasPrefix("sent via ") || lower.hasPrefix("gesendet mit "))
  }

  /// "PS: …".
  static func isPostscript(_ line: String) -> Bool {
    let lower = line.lowercased()
    return ["ps:", "p.s.", "ps.", "nachtrag:"].contains { lower.hasPrefix($0) }
  }

  private static let greetingWords: [String] = [
    "hi", "hello", "hey", "dear", "good morning", "good afternoon", "good evening", "greetings", "hallo", "hej",
    "liebe", "lieber", "liebes", "liebste", "liebster", "sehr geehrte", "sehr geehrter", "geehrte", "geehrter",
    "guten tag", "guten morgen", "guten abend", "servus", "moin", "moin moin", "grüezi", "grüß gott", "grüß dich",
    "grüss gott", "salut", "hoi", "na",
  ]

  /// The text after a greeting on its line.
  /// - Returns: The rest (often empty), or nil where the line does not begin with a greeting.
  static func afterGreeting(_ line: String) -> String? {
    let lower = line.lowercased()
    guard
      greetingWords.contains(where: {
        lower == $0 || lower.hasPrefix($0 + " ") || lower.hasPrefix($0 + ",")
          || lower.hasPrefix($0 + "!")
      })
    else { return nil }
    if let mark = line.prefix(60).firstIndex(where: { ",!:".contains($0) }) {
      // "Hi Anna, could you …", but also "Sehr geehrte Frau Meier, sehr geehrter Herr Huber,".
      let rest = line[line.index(after: mark)...].trimmed
      if line[..<mark].split(separator: " ").count > 5 { return nil }
      return afterGreeting(rest) ?? rest
    }
    // Without a mark only a short line that is not a sentence is a greeting.
    guard line.split(separator: " ").count <= 4, !line.hasSuffix("?"), !line.hasSuffix(".") else { return nil }
    return ""
  }

  private static let closes: [String] = [
    "best regards", "kind regards", "warm regards", "regards", "best wishes", "all the best", "best", "cheers",
    "sincerely", "yours sincerely", "yours faithfully", "yours", "many thanks", "thanks", "thank you", "thx", "love",
    "take care", "see you", "talk soon", "with best regards", "with kind regards", "warmly", "xoxo", "hugs",
    "mit freundlichen grüßen", "mit freundlichen grüssen", "mit freundlichem gruß", "mit freundlichem gruss",
    "freundliche grüße", "freundliche grüsse", "beste grüße", "beste grüsse", "viele grüße", "viele grüsse",
    "liebe grüße", "liebe grüsse", "herzliche grüße", "herzliche grüsse", "herzlich", "herzlichst", "schöne grüße",
    "schöne grüsse", "mit besten grüßen", "mit besten grüssen", "mit lieben grüßen", "grüße", "grüsse", "gruß",
    "gruss", "lieber gruß", "lieber gruss", "lg", "vg", "mfg", "bis bald", "bis dann", "bis später", "bis morgen",
    "danke", "vielen dank", "besten dank", "danke dir", "danke euch", "hochachtungsvoll", "ciao", "tschüss", "tschüß",
    "kuss", "alles liebe", "alles gute",
  ]

  /// A complimentary close: one of the known phrases, perhaps with a name or a place behind it.
  static func isClose(_ line: String) -> Bool {
    guard line.count <= 60 else { return false }
    let lower = line.lowercased()
    return closes.contains { close in
      guard lower.hasPrefix(close) else { return false }
      let rest = lower.dropFirst(close.count)
      guard let next = rest.first else { return true }
      if next == "," || next == "!" || next == "." || next == ":" {
        return rest.dropFirst().split(separator: " ").count <= 3
      }
      guard next == " " else { return false }
      // "Viele Grüße aus Bern", "LG Anna", "Thanks again"; a longer line is a sentence.
      let words = rest.split(separator: " ")
      return words.count <= 3 && !line.hasSuffix("?")
    }
  }
}
