/// A message to be written: who, to whom and what.
///
/// Identity and time come from the caller, so the same message is written to the same bytes each time; a send that has to
/// be repeated is recognised by its `Message-ID`.
public struct OutgoingMessage: Sendable {
  /// A header field beyond those the writer makes itself.
  public struct AdditionalField: Sendable, Hashable {
    /// The name, such as `Auto-Submitted`.
    public var name: String
    /// The value, on one line.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The author.
  public var from: Address
  /// Where answers should go instead.
  public var replyTo: [Address] = []
  /// The main recipients.
  public var to: [Address] = []
  /// The other recipients.
  public var cc: [Address] = []
  /// The hidden recipients: part of ``recipients``, not of the bytes.
  public var bcc: [Address] = []
  /// The subject.
  public var subject: String
  /// The text for programs that show no HTML, and the whole text where ``html`` is `nil`.
  public var text: String?
  /// The text as HTML.
  public var html: String?
  /// Pictures and other files that the HTML refers to.
  public var relatedFiles: [OutgoingAttachment] = []
  /// Files beside the text.
  public var attachments: [OutgoingAttachment] = []
  /// The message this one answers, without angle brackets.
  public var inReplyTo: String?
  /// The thread before this message, oldest first, without angle brackets.
  public var references: [String] = []
  /// Further header fields.
  public var additionalFields: [AdditionalField] = []

  /// Creates a message; everything else is set through the properties.
  public init(from: Address, to: [Address] = [], subject: String = "", text: String? = nil, html: String? = nil) {
    self.from = from
    self.to = to
    self.subject = subject
    self.text = text
    self.html = html
  }

  /// Creates an answer: recipients, subject and thread are set, the text is left to the caller.
  ///
  /// - Parameters:
  ///   - message: The message to answer. `Reply-To` overrides `From`.
  ///   - from: Who answers; never among the recipients.
  ///   - toAll: Whether the other recipients get a copy.
  public init(replyingTo message: Message, from: Address, toAll: Bool = false) {
    let authors = message.replyTo.isEmpty ? message.from : message.replyTo
    self.init(from: from, to: authors.filter { !$0.address.isEmpty })
    subject = SubjectLine.answer(message.subject)
    inReplyTo = message.messageID
    // RFC 5322 §3.6.4: the parent's References, or else its In-Reply-To, and then the parent.
    references = message.references.isEmpty ? Array(message.inReplyTo.prefix(1)) : message.references
    if let messageID = message.messageID { references.append(messageID) }
    guard toAll else { return }
    var seen = Set(to.map { $0.comparable })
    seen.insert(from.comparable)
    cc = (message.to + message.cc).filter { !$0.address.isEmpty && seen.insert($0.comparable).inserted }
  }

  /// Everybody the message goes to, each address once: the recipients of the envelope.
  public var recipients: [Address] {
    var seen: Set<String> = []
    return (to + cc + bcc).filter { seen.insert($0.comparable).inserted }
  }
}
