public import Mail

/// Facts about a message that a store knows without reading it.
public struct MessageFacts: Sendable {
  /// Its UID in the folder.
  public var uid: String
  /// The folder as users see it.
  public var folder: String
  /// System flags and keywords that programs set, as ``MailFlag`` sorts them.
  public var flags: [String]
  /// The user's keywords; for Gmail its labels.
  public var labels: [String]
  /// When the store received it (INTERNALDATE); `nil` if that is not known.
  public var received: MessageDate?
  /// Bytes of the whole message.
  public var size: Int
  /// The conversation as the store names it; `nil` if the header has to say.
  public var thread: String?
  /// A number that grows with every change of its flags; `nil` if the store counts none.
  public var modSeq: Int64?

  /// Describes a message.
  public init(
    uid: String, folder: String, flags: [String] = [], labels: [String] = [], received: MessageDate? = nil,
    size: Int = 0, thread: String? = nil, modSeq: Int64? = nil
  ) {
    self.uid = uid
    self.folder = folder
    self.flags = flags
    self.labels = labels
    self.received = received
    self.size = size
    self.thread = thread
    self.modSeq = modSeq
  }
}

/// A file in a message, as the contract describes it.
public struct AttachmentFacts: Sendable, Hashable {
  /// The file's name; empty if the message gives none.
  public var name: String
  /// The media type in lower case.
  public var type: String
  /// Decoded bytes, or the closest that is known.
  public var size: Int
  /// The part's number (RFC 9051 §6.4.5.1).
  public var part: String
  /// The identifier that HTML refers to, without angle brackets.
  public var contentID: String?
  /// Whether it is shown in the text.
  public var isInline: Bool

  /// Describes a file.
  public init(name: String, type: String, size: Int, part: String, contentID: String? = nil, isInline: Bool = false) {
    self.name = name
    self.type = type
    self.size = size
    self.part = part
    self.contentID = contentID
    self.isInline = isInline
  }

  /// Describes an attachment of a parsed message.
  ///
  /// A picture that the HTML refers to is inline, unless the message says that it is a file.
  public init(_ attachment: Attachment) {
    let isInline =
      switch attachment.disposition {
      case .inline: true
      case .attachment: false
      case nil: attachment.contentID != nil
      }
    self.init(
      name: attachment.name ?? "", type: attachment.type, size: attachment.size, part: attachment.partNumber,
      contentID: attachment.contentID, isInline: isInline)
  }
}

/// A message as far as it was read.
public struct MessageContent: Sendable {
  /// The facts of the store.
  public var facts: MessageFacts
  /// The message; its header alone where ``isHeaderOnly``. With nothing read, an empty message.
  public var message: Message
  /// Whether the body was not read, so that ``message`` knows neither texts nor files.
  public var isHeaderOnly: Bool
  /// The files, where the structure was read apart from the message.
  public var attachments: [AttachmentFacts]?
  /// The readable text, if it was read apart from the message.
  public var text: String?
  /// The text as HTML, if it was read apart from the message.
  public var html: String?
  /// Whether ``text`` is only the beginning.
  public var isTextCut: Bool

  /// Describes a message that was read whole, or its header.
  public init(
    _ facts: MessageFacts, _ message: Message, isHeaderOnly: Bool = false, attachments: [AttachmentFacts]? = nil,
    text: String? = nil, html: String? = nil, isTextCut: Bool = false
  ) {
    self.facts = facts
    self.message = message
    self.isHeaderOnly = isHeaderOnly
    self.attachments = attachments
    self.text = text
    self.html = html
    self.isTextCut = isTextCut
  }

  /// Describes a message of which nothing was read.
  public init(_ facts: MessageFacts) { self.init(facts, Message(parsing: []), isHeaderOnly: true) }

  /// When it was written: its header's word, else when it was received, else the beginning of 1970.
  public var date: MessageDate { message.date ?? facts.received ?? MessageDate(secondsSinceEpoch: 0) }
}
