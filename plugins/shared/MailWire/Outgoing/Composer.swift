import Localization
public import Mail
public import PluginKit

/// Makes a message out of what a recipe gives.
public struct Composer: Sendable {
  /// The author where a recipe names none.
  public static let unnamedSender = Address(name: "Sous", address: "sous@localhost")

  /// The author where a recipe names none and the configuration does.
  public let defaultSender: Address?

  /// Makes a composer.
  ///
  /// - Parameter defaultSender: The author where a recipe names none.
  public init(defaultSender: Address? = nil) { self.defaultSender = defaultSender }

  /// A message ready for delivery.
  public struct Composed: Sendable {
    /// As it goes over the wire: lines end with CRLF.
    public var bytes: [UInt8]
    /// Without angle brackets.
    public var messageID: String
    /// The addresses it goes to, each once.
    public var recipients: [String]
    /// The author's address, for the envelope.
    public var sender: Address

    /// Creates one.
    public init(bytes: [UInt8], messageID: String, recipients: [String], sender: Address) {
      self.bytes = bytes
      self.messageID = messageID
      self.recipients = recipients
      self.sender = sender
    }
  }

  /// Makes the message. The same input, key and time give the same bytes.
  ///
  /// - Parameters:
  ///   - mail: The input of the recipe.
  ///   - attachments: Its files, as ``AttachmentFile`` has loaded them; none to learn only identifier and recipients.
  ///   - key: The step's idempotency key, which the Message-ID follows from.
  ///   - seconds: When it is written, since 1970.
  /// - Throws: `invalid_input` where a header would break or an address or header name is none.
  public func compose(
    _ mail: OutgoingMail, attachments: [OutgoingAttachment] = [], key: String, seconds: Int
  ) throws(ActionError) -> Composed {
    let message = try message(mail, attachments: attachments)
    let messageID = Self.messageID(key: key, sender: message.from)
    do throws(MailError) {
      let bytes = try message.encoded(messageID: messageID, date: MessageDate(secondsSinceEpoch: seconds))
      return Composed(
        bytes: bytes, messageID: messageID, recipients: message.recipients.map(\.address), sender: message.from)
    } catch {
      throw ActionError(.invalidInput, error.message.english, german: error.message.german)
    }
  }

  /// The message as it is to be written.
  ///
  /// - Parameters:
  ///   - mail: The input of the recipe.
  ///   - attachments: Its files, see ``AttachmentContents``.
  /// - Throws: `invalid_input` where an address is none, or would break a header.
  public func message(
    _ mail: OutgoingMail, attachments: [OutgoingAttachment] = []
  ) throws(ActionError) -> OutgoingMessage {
    let from = try sender(mail)
    var message = OutgoingMessage(
      from: from, to: try Self.addresses(mail.to ?? [], "to"), subject: mail.subject ?? "", text: mail.text,
      html: mail.html)
    message.cc = try Self.addresses(mail.cc ?? [], "cc")
    message.bcc = try Self.addresses(mail.bcc ?? [], "bcc")
    message.replyTo = try Self.addresses(mail.replyTo.map { [$0] } ?? [], "reply_to")
    message.inReplyTo = try mail.inReplyTo.map { text throws(ActionError) in try Self.identifier(text, "in_reply_to") }
    for reference in mail.references ?? [] { message.references.append(try Self.identifier(reference, "references")) }
    message.attachments = attachments
    message.additionalFields = (mail.headers ?? [:]).sorted { $0.key < $1.key }
      .map { OutgoingMessage.AdditionalField(name: $0.key, value: $0.value) }
    return message
  }

  /// The author of a message.
  ///
  /// - Throws: `invalid_input` where what the recipe names is not an address.
  public func sender(_ mail: OutgoingMail) throws(ActionError) -> Address {
    guard let text = mail.from else { return defaultSender ?? Self.unnamedSender }
    return try Self.address(text, "from")
  }

  /// The identifier of a message, the same for every attempt of a step.
  ///
  /// The key itself where it can occur in an identifier, else a digest of it; behind the `@` the sender's domain, which unlike
  /// the machine's name stays the same.
  public static func messageID(key: String, sender: Address) -> String {
    let isPlain =
      !key.isEmpty && key.utf8.count <= 80 && !key.hasPrefix(".") && !key.hasSuffix(".") && !key.contains("..")
      && key.utf8.allSatisfy { byte in
        (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a) || (byte >= 0x30 && byte <= 0x39)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
    let domain = sender.domain.isEmpty || sender.domain.utf8.contains { $0 >= 0x80 } ? "localhost" : sender.domain
    return "\(isPlain ? key : "sous-" + KeyDigest.hexadecimal(key))@\(domain)"
  }

  // MARK: Addresses and identifiers

  /// Reads a list, each element of which may hold several addresses.
  ///
  /// - Throws: `invalid_input` where one is not an address.
  public static func addresses(_ texts: [String], _ field: String) throws(ActionError) -> [Address] {
    var addresses: [Address] = []
    for text in texts {
      try refuseControls(text, field)
      let list = Address.parseList(text)
      guard !list.isEmpty, list.allSatisfy({ $0.address.contains("@") }) else { throw noAddress(text, field) }
      addresses += list
    }
    return addresses
  }

  /// Reads one address.
  ///
  /// - Throws: `invalid_input` if it is none.
  public static func address(_ text: String, _ field: String) throws(ActionError) -> Address {
    guard let address = try addresses([text], field).first else { throw noAddress(text, field) }
    return address
  }

  private static func noAddress(_ text: String, _ field: String) -> ActionError {
    let shown = DisplayedText.text(text)
    return ActionError(
      .invalidInput, "'\(shown)' in '\(field)' is not a mail address.",
      german: "'\(shown)' in '\(field)' ist keine Mailadresse.",
      advice: "Write name@example.org or Name <name@example.org>.",
      adviceGerman: "Möglich sind name@example.org und Name <name@example.org>.")
  }

  /// Reads an identifier with or without its angle brackets.
  private static func identifier(_ text: String, _ field: String) throws(ActionError) -> String {
    try refuseControls(text, field)
    return text.trimmedIdentifier
  }

  /// Refuses line ends, by which a value could add header fields of its own, before any parser folds them away.
  private static func refuseControls(_ text: String, _ field: String) throws(ActionError) {
    guard text.unicodeScalars.contains(where: { $0.value < 0x20 && $0.value != 9 || $0.value == 0x7f }) else { return }
    throw ActionError(
      .invalidInput, "The value of '\(field)' holds a line end or another control character.",
      german: "Der Wert von '\(field)' enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.",
      advice: "Put it on one line.", adviceGerman: "Er muss in einer Zeile stehen.")
  }
}

extension String {
  /// A message identifier without the angle brackets and spaces around it.
  public var trimmedIdentifier: String {
    var text = Substring(self)
    while let first = text.first, first == " " || first == "<" { text.removeFirst() }
    while let last = text.last, last == " " || last == ">" { text.removeLast() }
    return String(text)
  }
}
