extension Message {
  /// The message as plain text: its `text/plain` parts decoded and unflowed, HTML and `text/enriched` converted if there is
  /// nothing else. Lines end with LF; empty if the message has no text at all. Computed at each access.
  public var textBody: String {
    let structure = BodyStructure(body)
    let text = Message.text(of: structure.textParts)
    // Some programs put an empty text beside their HTML.
    guard text.isBlank, structure.htmlParts.contains(where: { $0.contentType.subtype == "html" }) else { return text }
    return Message.text(of: structure.htmlParts)
  }

  private static func text(of parts: [Part]) -> String {
    var texts: [String] = []
    for part in parts {
      guard let text = part.text else { continue }
      switch part.contentType.subtype {
      case "html": texts.append(HTMLText.convert(text))
      case "enriched": texts.append(EnrichedText.text(text))
      default: texts.append(text)
      }
    }
    return texts.count == 1 ? texts[0] : texts.filter { !$0.isBlank }.joined(separator: "\n")
  }

  /// The message as HTML, as its writer made it: unsafe to show without cleaning; `nil` if it has no HTML part.
  public var htmlBody: String? {
    let parts = BodyStructure(body).htmlParts
    guard parts.contains(where: { ["html", "enriched"].contains($0.contentType.subtype) }) else { return nil }
    let texts = parts.compactMap { part -> String? in
      guard let text = part.text else { return nil }
      switch part.contentType.subtype {
      case "html": return text
      case "enriched": return EnrichedText.html(text)
      default: return "<pre>\(HTMLText.escape(text))</pre>"
      }
    }
    return texts.joined(separator: "\n")
  }

  /// The files of the message: everything that is not its text, calendar data, enclosed messages and pictures shown in
  /// the text among them. Enclosed messages are not looked into.
  public var attachments: [Attachment] { BodyStructure(body).attachments.map { Attachment(part: $0) } }

  /// For listings: the beginning of the text on one line, without quoted lines and signature.
  ///
  /// - Parameter length: The most characters to return; a longer text is cut at a word and ends with an ellipsis.
  public func snippet(length: Int = 160) -> String { Message.snippet(of: textBody, length: length) }

  /// The beginning of a text on one line, without quoted lines and signature.
  public static func snippet(of text: String, length: Int = 160) -> String {
    let limit = max(1, length)
    var collected = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      if line == "-- " || line == "--" { break }
      if line.hasPrefix(">") { continue }
      if !collected.isEmpty { collected.append(" ") }
      collected += line
      // A few times the length covers white space that is about to go.
      if collected.utf8.count > limit * 8 { break }
    }
    let flat = collected.collapsingWhitespace
    guard flat.count > limit else { return flat }
    let cut = flat.prefix(limit - 1)
    let word = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
    return (word.count > limit / 2 ? String(word) : String(cut)) + "…"
  }
}

extension String {
  /// Whether there is nothing but white space.
  fileprivate var isBlank: Bool { utf8.allSatisfy(\.isMailWhitespace) }
}
