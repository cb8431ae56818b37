public import Localization

extension OutgoingMessage {
  /// How a message is forwarded.
  public enum ForwardForm: String, Sendable, CaseIterable {
    /// Its text below the own text, its files and pictures as those of the new message.
    case inline
    /// The whole message, unchanged, as a file (`message/rfc822`).
    case attachment
  }

  /// A message passed on; a pure function.
  ///
  /// - Parameters:
  ///   - message: The message to pass on.
  ///   - from: The sender.
  ///   - to: To whom.
  ///   - form: How.
  ///   - text: The text above the forwarded message.
  ///   - html: The same text as HTML, a part of a page; made from `text` if it is `nil` and needed. Taken as it is.
  ///   - language: The language of the lines above the forwarded text.
  public static func forward(
    _ message: Message, from: Address, to: [Address], form: ForwardForm = .inline, text: String = "",
    html: String? = nil, language: Language = .english
  ) -> OutgoingMessage {
    var passed = OutgoingMessage(from: from, to: to, subject: SubjectLine.forward(message.subject))
    passed.references = message.threadReferences + (message.messageID.map { [$0] } ?? [])
    let own = text.withPlainLineEnds.trimmingTrailingLineEnds
    switch form {
    case .attachment:
      passed.text = own
      passed.html = html
      let name = message.subject.filter { $0 != "/" && $0 != "\\" }.prefix(80)
      passed.attachments = [
        OutgoingAttachment(
          name: "\(name.isEmpty ? "message" : name).eml", type: "message/rfc822", data: Array(message.source))
      ]
    case .inline:
      passed.enclose(message, text: own, html: html, language: language)
    }
    return passed
  }

  private mutating func enclose(_ message: Message, text own: String, html: String?, language: Language) {
    let quotation = Quotation(message, language: language)
    let headings = quotation.headings
    let lines = [quotation.forwardMark] + headings.map { "\($0.name): \($0.value)" }
    text = "\(own.isEmpty ? "" : "\(own)\n\n")\(lines.joined(separator: "\n"))\n\n\(message.textBody)\n"
    var pictures: [Part] = []
    if html != nil || message.htmlBody != nil {
      pictures = quotation.pictures
      let above = headings.map { "<b>\(HTMLText.escape($0.name)):</b> \(HTMLText.escape($0.value))<br>" }
      self.html = """
        <div>\(html ?? OutgoingMessage.paragraphs(own))</div>
        <div><br>\(HTMLText.escape(quotation.forwardMark))<br>
        \(above.joined(separator: "\n"))
        </div><br>
        <div>
        \(quotation.bodyHTML)
        </div>

        """
      relatedFiles = pictures.map(OutgoingAttachment.init(part:))
    }
    let shown = Set(pictures.map(\.number))
    attachments = message.attachments.filter { !shown.contains($0.part.number) }.map {
      OutgoingAttachment(part: $0.part)
    }
  }
}
