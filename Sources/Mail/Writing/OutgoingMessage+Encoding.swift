import Localization

extension OutgoingMessage {
  /// Writes the message as it goes over the wire: lines end with CRLF, none longer than 998 bytes; ASCII but for
  /// addresses beyond it (RFC 6532).
  ///
  /// - Parameters:
  ///   - messageID: The identifier without angle brackets; unique for ever. The boundaries are derived from it.
  ///   - date: When it was written.
  /// - Throws: ``MailError`` where a value holds a line end, or an address, identifier, media type or name of a field is
  ///   none. Nothing is written then.
  public func encoded(messageID: String, date: MessageDate) throws(MailError) -> [UInt8] {
    var stream = try stream(messageID: messageID, date: date)
    return try stream.wholeBytes()
  }

  /// Writes the message in pieces, so that large files need not be in memory.
  ///
  /// - Parameters:
  ///   - messageID: The identifier without angle brackets; unique for ever. The boundaries are derived from it.
  ///   - date: When it was written.
  /// - Throws: ``MailError`` as ``encoded(messageID:date:)`` does.
  public func stream(messageID: String, date: MessageDate) throws(MailError) -> MessageStream {
    let header = try header(messageID: messageID, date: date)
    return MessageStream(pieces: [.bytes(header)] + (try entity()).pieces(boundarySeed: messageID))
  }

  /// The header fields of the message up to `MIME-Version`.
  func header(messageID: String, date: MessageDate) throws(MailError) -> [UInt8] {
    var header = HeaderWriter()
    header.plain("Date", date.rfc5322)
    try header.addresses("From", [from])
    try header.addresses("Reply-To", replyTo)
    try header.addresses("To", to)
    try header.addresses("Cc", cc)
    // Not written, but a bad address is refused here rather than by the server.
    var discarded = HeaderWriter()
    try discarded.addresses("Bcc", bcc)
    try header.unstructured("Subject", subject)
    try header.messageIDs("Message-ID", [messageID])
    try header.messageIDs("In-Reply-To", inReplyTo.map { [$0] } ?? [])
    try header.messageIDs("References", OutgoingMessage.shortened(references))
    for field in additionalFields {
      try header.unstructured(try OutgoingMessage.checkedName(field.name), field.value)
    }
    header.plain("MIME-Version", "1.0")
    return header.bytes
  }

  /// The tree of the body.
  ///
  /// - Parameter isSevenBit: Whether nothing beyond ASCII may occur in it.
  func entity(isSevenBit: Bool = false) throws(MailError) -> Entity {
    var parts: [Entity] = []
    if let html {
      var page = try Entity.text(html, subtype: "html")
      if !relatedFiles.isEmpty {
        var related = [page]
        for file in relatedFiles {
          related.append(try Entity.file(file, disposition: "inline", isSevenBit: isSevenBit))
        }
        page = .multipart("related", [("type", "text/html")], related)
      }
      if let text {
        parts.append(.multipart("alternative", [], [try Entity.text(text, subtype: "plain"), page]))
      } else {
        parts.append(page)
      }
    } else {
      parts.append(try Entity.text(text ?? "", subtype: "plain"))
    }
    let files = html == nil ? relatedFiles + attachments : attachments
    if files.isEmpty { return parts[0] }
    for file in files { parts.append(try Entity.file(file, disposition: "attachment", isSevenBit: isSevenBit)) }
    return .multipart("mixed", [], parts)
  }

  /// A long thread's first and last messages, which is what programs put threads together by.
  private static func shortened(_ references: [String]) -> [String] {
    references.count > 40 ? references.prefix(1) + references.suffix(39) : references
  }

  private static let ownFields: Set<String> = [
    "date", "from", "sender", "reply-to", "to", "cc", "bcc", "subject", "message-id", "in-reply-to", "references",
    "mime-version", "return-path",
  ]

  private static func checkedName(_ name: String) throws(MailError) -> String {
    let key = name.lowercased()
    let isName = !name.isEmpty && name.utf8.count <= 76 && name.utf8.allSatisfy(\.isFieldName)
    guard isName, !ownFields.contains(key), !key.hasPrefix("content-") else {
      throw MailError(
        .invalidHeaderName,
        LocalizedText(
          "‘\(name.filter { !$0.isNewline })’ cannot be added as a header field: it is not a name, or the field is made "
            + "from the message itself.",
          de:
            "'\(name.filter { !$0.isNewline })' lässt sich nicht als Kopfzeile hinzufügen: Es ist kein Name, oder die "
            + "Zeile entsteht aus der Nachricht selbst."),
        field: "additionalFields")
    }
    return name
  }
}
