public import Localization

extension OutgoingMessage {
  /// Whom an answer goes to.
  public enum ReplyRecipients: String, Sendable, CaseIterable {
    /// The authors, or where they want answers to go.
    case sender
    /// The authors and all other recipients.
    case all
    /// The mailing list (`List-Post`); all recipients where the message names no list.
    case list
  }

  /// An answer with the message quoted below the text; a pure function.
  ///
  /// The HTML part is written where the message has HTML or `html` is given; pictures inside the message stay in the
  /// quotation, files are left out. An answer to an own message goes to the recipients of that message.
  ///
  /// - Parameters:
  ///   - message: The message to answer.
  ///   - from: The sender of the answer.
  ///   - recipients: The recipients of the answer.
  ///   - owners: All own addresses, which get no copy; `from` is always one. Tags and alias domains do not matter.
  ///   - text: The answer as text.
  ///   - html: The answer as HTML, a part of a page; made from `text` if it is `nil` and needed. Taken as it is.
  ///   - quotes: Whether the message is quoted.
  ///   - language: The language of the line above the quotation.
  ///   - registry: Facts about domains.
  public static func reply(
    to message: Message, from: Address, recipients: ReplyRecipients = .sender, owners: [String] = [], text: String,
    html: String? = nil, quotes: Bool = true, language: Language = .english, registry: DomainRegistry = .standard
  ) -> OutgoingMessage {
    var answer = OutgoingMessage(replyingTo: message, from: from)
    let own = Set((owners + [from.address]).map(registry.key))
    var seen = own
    func others(_ addresses: [Address]) -> [Address] {
      addresses.filter { !$0.address.isEmpty && seen.insert(registry.key($0.address)).inserted }
        .map { Address(name: $0.name, address: $0.address) }
    }
    let isOwn = message.from.contains { own.contains(registry.key($0.address)) }
    let authors = isOwn ? message.to : (message.replyTo.isEmpty ? message.from : message.replyTo)
    if recipients == .list, let list = message.listPost {
      answer.to = [list]
    } else {
      answer.to = others(authors)
      if recipients != .sender { answer.cc = others(isOwn ? message.cc : message.to + message.cc) }
      // A note to oneself is answered to oneself.
      if answer.to.isEmpty, answer.cc.isEmpty { answer.to = Array(authors.prefix(1)) }
      if answer.to.isEmpty { swap(&answer.to, &answer.cc) }
    }
    answer.quote(message, text: text, html: html, quotes: quotes, language: language)
    return answer
  }

  private mutating func quote(_ message: Message, text: String, html: String?, quotes: Bool, language: Language) {
    let own = text.withPlainLineEnds.trimmingTrailingLineEnds
    guard quotes else {
      self.text = own
      self.html = html
      return
    }
    let quotation = Quotation(message, language: language)
    let quoted = quotation.quotedText
    self.text = quoted.isEmpty ? own : "\(own)\n\n\(quotation.attribution)\n\(quoted)\n"
    guard html != nil || message.htmlBody != nil else { return }
    let body = quotation.bodyHTML
    self.html = """
      <div>\(html ?? OutgoingMessage.paragraphs(own))</div>
      <div><br>\(HTMLText.escape(quotation.attribution))<br></div>
      <blockquote type="cite" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">
      \(body)
      </blockquote>

      """
    relatedFiles = quotation.pictures.map(OutgoingAttachment.init(part:))
  }

  static func paragraphs(_ text: String) -> String { HTMLText.escape(text).replacing("\n", with: "<br>\n") }
}

extension OutgoingAttachment {
  /// A file of a message that was read, with its name, its type and its content identifier.
  public init(part: Part) {
    let identifier = part.contentID.flatMap { try? HeaderWriter.checkedMessageID($0, field: "") }
    let isFile = !part.contentType.isMultipart
    self.init(
      name: part.fileName ?? "", type: isFile ? part.contentType.mediaType : "application/octet-stream",
      data: part.decodedBytes, contentID: identifier)
  }
}

extension String {
  /// The text without line ends and white space at its end.
  var trimmingTrailingLineEnds: String {
    var bytes = Array(utf8)
    while let last = bytes.last, last.isMailWhitespace { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
