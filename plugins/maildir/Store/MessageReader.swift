import Mail
import PluginKit

/// Reads messages and puts them into the shape of the contract.
struct MessageReader: Sendable {
  /// Larger messages are shown by their headers only, in bytes (32 MiB).
  static let sizeLimit = 32 * 1024 * 1024
  /// The most text that a message is shown with, in bytes of UTF-8 (64 KiB).
  static let textLimit = 64 * 1024

  /// Tells people from programs; knows the owner's address.
  let classifier: Classifier
  /// Messages above this many bytes are not read whole.
  let sizeLimit: Int

  /// Makes a reader.
  /// - Parameters:
  ///   - owner: The address of the mailbox's owner, where it is known.
  ///   - sizeLimit: The largest message that is read whole, in bytes.
  init(owner: String?, sizeLimit: Int = MessageReader.sizeLimit) {
    classifier = Classifier(owners: owner.map { [$0] } ?? [])
    self.sizeLimit = sizeLimit
  }

  /// A message that was read.
  struct Found {
    /// Where it is.
    var file: MessageFile
    /// Its folder.
    var folder: FolderName
    /// The message, or its header alone.
    var message: Message
    /// Bytes in the file.
    var size: Int
    /// The date in its header, or else that of the file.
    var date: MessageDate
    /// Whether only the header was read because of the size.
    var isHeaderOnly: Bool
  }

  /// Reads the header of a message; nil where it is gone.
  func header(of file: MessageFile, in folder: MaildirFolder) throws -> Found? {
    guard let (bytes, status, file) = try folder.read(file, .header(limit: Search.headerLimit)) else { return nil }
    return found(file, folder, bytes, status, isHeaderOnly: true)
  }

  /// Reads a message, whole where it is not too large; nil where it is gone.
  func message(_ file: MessageFile, in folder: MaildirFolder) throws -> Found? {
    // One byte more shows that a file without a size in its name is too large.
    let isKnownLarge = file.name.size.map { $0 > sizeLimit } ?? false
    if !isKnownLarge {
      guard let (bytes, status, file) = try folder.read(file, .upTo(sizeLimit + 1)) else { return nil }
      if bytes.count <= sizeLimit { return found(file, folder, bytes, status, isHeaderOnly: false) }
    }
    guard let (bytes, status, file) = try folder.read(file, .header(limit: Search.headerLimit)) else { return nil }
    return found(file, folder, bytes, status, isHeaderOnly: true)
  }

  private func found(
    _ file: MessageFile, _ folder: MaildirFolder, _ bytes: [UInt8], _ status: Directory.Status, isHeaderOnly: Bool
  ) -> Found {
    let message = Message(parsing: bytes)
    return Found(
      file: file, folder: folder.name, message: message, size: status.size,
      date: message.date ?? MessageDate(secondsSinceEpoch: status.modified), isHeaderOnly: isHeaderOnly)
  }

  // MARK: JSON

  /// The message in the shape `message` of the contract `mail.store`.
  func json(_ found: Found) -> JSONValue {
    let message = found.message
    let body = found.isHeaderOnly ? "" : message.textBody
    let text = Self.cut(body, to: Self.textLimit)
    let classification = classifier.classify(message)
    let sender = message.from.first ?? message.sender
    return .object([
      "uid": .string(found.file.uid),
      "folder": .string(found.folder.display),
      "message_id": .bracketed(message.messageID),
      "date": .string(found.date.rfc3339),
      "from": sender.map(JSONValue.address) ?? .address(Address(address: "")),
      "to": .array(message.to.map(JSONValue.address)),
      "cc": .array(message.cc.map(JSONValue.address)),
      "reply_to": .array(message.replyTo.map(JSONValue.address)),
      "subject": .string(message.subject),
      "size": .integer(Int64(clamping: found.size)),
      "flags": .array(found.file.flags.imapNames.map(JSONValue.string)),
      "seen": .bool(found.file.flags.contains(MessageFlags.seen)),
      "flagged": .bool(found.file.flags.contains(MessageFlags.flagged)),
      "answered": .bool(found.file.flags.contains(MessageFlags.answered)),
      "text": .string(text),
      "truncated": .bool(found.isHeaderOnly || text.utf8.count < body.utf8.count),
      "snippet": .string(Message.snippet(of: text)),
      "attachments": .array(
        message.attachments.map { attachment in
          [
            "name": .string(attachment.name ?? ""), "type": .string(attachment.type),
            "size": .integer(Int64(clamping: attachment.size)),
          ]
        }),
      "bulk": .bool(classification.isBulk),
      "human": .bool(classification.isHuman),
      "category": .string(Self.category(classification.category)),
      "list_id": message.listID.map(JSONValue.string) ?? .null,
      "in_reply_to": .bracketed(message.inReplyTo.first),
      "references": .array(message.references.map { .bracketed($0) }),
      "thread": .string(Self.thread(message) ?? found.file.uid),
    ])
  }

  /// The output of `mail.fetch`.
  func wholeJSON(_ found: Found) -> JSONValue {
    [
      "message": json(found),
      "html": (found.isHeaderOnly ? nil : found.message.htmlBody).map(JSONValue.string) ?? .null,
      "headers": .array(
        found.message.headers.fields.map { ["name": .string($0.name), "value": .string($0.text)] }),
    ]
  }

  /// The name of the conversation: the first message of it that this one knows.
  private static func thread(_ message: Message) -> String? {
    (message.threadReferences.first ?? message.messageID).map { "<\($0)>" }
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

  /// The beginning of a text, at most `limit` bytes of UTF-8, cut between two characters.
  static func cut(_ text: String, to limit: Int) -> String {
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
  fileprivate static func address(_ address: Address) -> JSONValue {
    ["name": .string(address.name ?? ""), "address": .string(address.address)]
  }

  /// A message identifier with its angle brackets, or null.
  static func bracketed(_ identifier: String?) -> JSONValue {
    identifier.map { .string("<\($0)>") } ?? .null
  }
}
