/// A server's reply (RFC 5321, section 4.2): a code, and one or several lines of text.
struct Reply: Sendable, Hashable {
  /// 200 to 599.
  let code: Int
  /// The enhanced status code, where the server sends one.
  let status: EnhancedStatus?
  /// The lines without code and enhanced status code; at least one, maybe empty.
  let lines: [String]

  init(_ code: Int, status: EnhancedStatus? = nil, _ lines: [String]) {
    self.code = code
    self.status = status
    self.lines = lines
  }

  /// Whether the server has done what it was asked for.
  var isPositive: Bool { (200..<300).contains(code) }
  /// Whether the server waits for more: 354 after DATA, 334 after AUTH.
  var isIntermediate: Bool { (300..<400).contains(code) }
  /// Whether the failure may pass. The enhanced code does not count: RFC 3463 follows the code.
  var isTemporary: Bool { (400..<500).contains(code) }

  /// The server's own words on one line, at most 400 characters, controls left out.
  var words: String {
    let whole = lines.joined(separator: " ")
    var clean = whole
    if !whole.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      let scalars = whole.filter { !$0.isNewline }.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
      clean = String(String.UnicodeScalarView(scalars))
    }
    return clean.utf8.count > 400 && clean.count > 400 ? clean.prefix(400) + "…" : clean
  }

  /// The code and the words, as people quote them: `550 5.1.1 No such user`.
  var quoted: String {
    ([String(code)] + (status.map { [$0.description] } ?? []) + (words.isEmpty ? [] : [words])).joined(separator: " ")
  }

  /// The identifier under which a server says it has queued a message: the word behind `queued as` or `id=`.
  ///
  /// There is no standard for it; this is how Postfix, Exim, Sendmail, Exchange and the large services word it. `nil` if the
  /// reply has no such word.
  var queueID: String? {
    let words = lines.joined(separator: " ").utf8.split { byte in
      byte == 0x20 || byte == 0x3C || byte == 0x3E || byte == 0x2C || byte == 0x3B
    }.map { Substring($0) }
    for (index, word) in words.enumerated() {
      let lower = word.lowercased()
      for mark in ["id=", "queued_as=", "queue-id="] where lower.hasPrefix(mark) && lower.utf8.count > mark.utf8.count {
        return Self.identifier(word.dropFirst(mark.count))
      }
      guard lower == "as" || lower == "id", index > 0, index + 1 < words.count else { continue }
      if words[index - 1].lowercased().hasSuffix("queued") || lower == "id" { return Self.identifier(words[index + 1]) }
    }
    // Sendmail: "2.0.0 x9A1 Message accepted for delivery".
    if words.count > 2, words[1...].prefix(3).map({ $0.lowercased() }) == ["message", "accepted", "for"] {
      return Self.identifier(words[0])
    }
    return nil
  }

  private static func identifier(_ word: Substring) -> String? {
    let text = word.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.@+/=".contains($0)) }
    let trimmed = text.hasSuffix(".") ? String(text.dropLast()) : text
    return trimmed.isEmpty || trimmed.utf8.count > 200 ? nil : trimmed
  }
}
