public import Mail
public import PluginKit

/// Puts messages into the shape `message` of the contract `mail.store`, version 2.
public struct MessageJSON: Sendable {
  /// The most text that a message is shown with, in bytes of UTF-8 (64 KiB).
  public static let textLimit = 64 * 1024

  /// Distinguishes people from programs; knows the owner's address.
  private let classifier: Classifier

  /// Makes a writer.
  ///
  /// - Parameter owners: The addresses of the mailbox's owner, if they are known.
  public init(owners: some Sequence<String> = []) { classifier = Classifier(owners: owners) }

  /// The fields of a message that are wanted, and no others.
  public func json(_ content: MessageContent, _ fields: MessageFields = .standard) -> JSONValue {
    var object = JSONObject()
    object.reserveCapacity(fields.names.count)
    addFacts(content, fields, &object)
    if fields.need.contains(.header) { addHeader(content, fields, &object) }
    if fields.need.contains(.text) { addText(content, fields, &object) }
    if fields.contains(.attachments) {
      object["attachments"] = .array(Self.attachments(content).map(Self.attachment))
    }
    if fields.contains(.html) { object["html"] = Self.html(content).map(JSONValue.string) ?? .null }
    return .object(object)
  }

  /// The output of `mail.fetch`: the message, its HTML and all of its header.
  ///
  /// - Parameters:
  ///   - content: The message, as far as it was read.
  ///   - fields: The requested fields.
  ///   - isWhole: Whether `html` and `headers` are beside the message, as where no `fields` are asked for.
  public func fetchJSON(
    _ content: MessageContent, _ fields: MessageFields = .standard, isWhole: Bool = true
  ) -> JSONValue {
    let html = isWhole ? Self.html(content) : nil
    let headers = isWhole ? content.message.headers.fields : []
    return [
      "message": json(content, fields), "html": html.map(JSONValue.string) ?? .null,
      "headers": .array(headers.map(Self.header)),
    ]
  }

  // MARK: Facts

  private func addFacts(_ content: MessageContent, _ fields: MessageFields, _ object: inout JSONObject) {
    let facts = content.facts
    object["uid"] = .string(facts.uid)
    object["folder"] = .string(facts.folder)
    if fields.contains(.received) { object["received"] = facts.received.map { .string($0.rfc3339) } ?? .null }
    if fields.contains(.size) { object["size"] = .integer(Int64(clamping: facts.size)) }
    if fields.contains(.flags) { object["flags"] = .array(facts.flags.map(JSONValue.string)) }
    if fields.contains(.labels) { object["labels"] = .array(facts.labels.map(JSONValue.string)) }
    if fields.contains(.seen) { object["seen"] = .bool(facts.flags.contains(MailFlag.seen)) }
    if fields.contains(.flagged) { object["flagged"] = .bool(facts.flags.contains(MailFlag.flagged)) }
    if fields.contains(.modseq) { object["modseq"] = facts.modSeq.map(JSONValue.integer) ?? .null }
    if fields.contains(.answered) { object["answered"] = .bool(facts.flags.contains(MailFlag.answered)) }
  }

  // MARK: Header

  private func addHeader(_ content: MessageContent, _ fields: MessageFields, _ object: inout JSONObject) {
    let message = content.message
    let authors = message.from
    // Common sources of several fields are read once.
    let messageID = message.messageID
    let answered = fields.contains(.inReplyTo) || fields.contains(.thread) ? message.inReplyTo : []
    let references = fields.contains(.references) || fields.contains(.thread) ? message.references : []
    if fields.contains(.messageID) { object["message_id"] = .bracketed(messageID) }
    if fields.contains(.date) { object["date"] = .string(content.date.rfc3339) }
    if fields.contains(.from) {
      object["from"] = .address(authors.first ?? message.sender ?? Address(address: ""))
    }
    if fields.contains(.to) { object["to"] = .array(message.to.map(JSONValue.address)) }
    if fields.contains(.cc) { object["cc"] = .array(message.cc.map(JSONValue.address)) }
    if fields.contains(.bcc) { object["bcc"] = .array(message.bcc.map(JSONValue.address)) }
    if fields.contains(.replyTo) { object["reply_to"] = .array(message.replyTo.map(JSONValue.address)) }
    if fields.contains(.subject) { object["subject"] = .string(message.subject) }
    if fields.contains(.listID) { object["list_id"] = message.listID.map(JSONValue.string) ?? .null }
    if fields.contains(.listUnsubscribe) {
      object["list_unsubscribe"] = ListUnsubscribe(message.headers)?.json ?? .null
    }
    if fields.contains(.inReplyTo) { object["in_reply_to"] = .bracketed(answered.first) }
    if fields.contains(.references) { object["references"] = .array(references.map { .bracketed($0) }) }
    if fields.contains(.thread) {
      // The first message of the conversation that this one knows.
      let root = references.first ?? answered.first ?? messageID
      object["thread"] =
        content.facts.thread.map(JSONValue.string) ?? root.map { .bracketed($0) } ?? .string(content.facts.uid)
    }
    if fields.contains(.headers) { object["headers"] = Self.headers(message, fields.headers) }
    addClassification(message, authors, fields, &object)
  }

  private func addClassification(
    _ message: Message, _ authors: [Address], _ fields: MessageFields, _ object: inout JSONObject
  ) {
    guard fields.contains(.bulk) || fields.contains(.human) || fields.contains(.category) else { return }
    guard fields.contains(.category) else {
      let origin = classifier.origin(of: message, from: authors)
      if fields.contains(.bulk) { object["bulk"] = .bool(origin.isBulk) }
      if fields.contains(.human) { object["human"] = .bool(origin.isHuman) }
      return
    }
    let classification = classifier.classify(message)
    if fields.contains(.bulk) { object["bulk"] = .bool(classification.isBulk) }
    if fields.contains(.human) { object["human"] = .bool(classification.isHuman) }
    if fields.contains(.category) { object["category"] = .string(Self.category(classification.category)) }
  }

  private static func headers(_ message: Message, _ names: [String]) -> JSONValue {
    let wanted = Set(names.map { $0.lowercased() })
    return .array(message.headers.fields.filter { wanted.contains($0.name.lowercased()) }.map(header))
  }

  private static func header(_ field: HeaderField) -> JSONValue {
    ["name": .string(field.name), "value": .string(field.text)]
  }

  private static func category(_ category: Classification.Category) -> String {
    switch category {
    case .people: "people"
    case .newsletter: "newsletter"
    case .mailingList: "list"
    case .notification: "notification"
    case .security: "security"
    case .invoice: "invoice"
    case .calendar: "calendar"
    case .bounce: "bounce"
    case .spam, .other: "other"
    }
  }

  // MARK: Body

  private func addText(_ content: MessageContent, _ fields: MessageFields, _ object: inout JSONObject) {
    let isMissing = content.isHeaderOnly && content.text == nil
    let body = content.text ?? (isMissing ? "" : content.message.textBody)
    let text = Self.cut(body, to: Self.textLimit)
    if fields.contains(.text) { object["text"] = .string(text) }
    if fields.contains(.truncated) {
      object["truncated"] = .bool(isMissing || content.isTextCut || text.utf8.count < body.utf8.count)
    }
    if fields.contains(.snippet) { object["snippet"] = .string(Message.snippet(of: text)) }
  }

  private static func attachments(_ content: MessageContent) -> [AttachmentFacts] {
    content.attachments ?? (content.isHeaderOnly ? [] : content.message.attachments.map(AttachmentFacts.init))
  }

  private static func attachment(_ facts: AttachmentFacts) -> JSONValue {
    [
      "name": .string(facts.name), "type": .string(facts.type), "size": .integer(Int64(clamping: facts.size)),
      "part": .string(facts.part), "content_id": facts.contentID.map(JSONValue.string) ?? .null,
      "inline": .bool(facts.isInline),
    ]
  }

  private static func html(_ content: MessageContent) -> String? {
    content.html ?? (content.isHeaderOnly ? nil : content.message.htmlBody)
  }

  /// The beginning of a text, at most `limit` bytes of UTF-8, cut between two characters.
  public static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    // Only the last few characters are looked at; a "character" of more than 1 KiB of marks is cut all the same.
    var start = text.utf8.index(text.startIndex, offsetBy: max(0, limit - 1024))
    while start > text.startIndex, start.samePosition(in: text.unicodeScalars) == nil {
      start = text.utf8.index(before: start)
    }
    var kept = String(text[..<start])
    var used = kept.utf8.count
    for character in text[start...] {
      used += character.utf8.count
      if used > limit { break }
      kept.append(character)
    }
    return kept
  }
}

extension JSONValue {
  /// An address in the shape of the contract.
  public static func address(_ address: Address) -> JSONValue {
    ["name": .string(address.name ?? ""), "address": .string(address.address)]
  }

  /// A message identifier with its angle brackets, or null.
  public static func bracketed(_ identifier: String?) -> JSONValue {
    guard let identifier else { return .null }
    var text = "<"
    text.reserveCapacity(identifier.utf8.count + 2)
    text += identifier
    text += ">"
    return .string(text)
  }
}
