/// The category of a message, and the reasons.
public struct Classification: Sendable, Hashable {
  /// The kinds of messages; each message is of exactly one.
  public enum Category: String, Sendable, CaseIterable {
    /// Written by a person for its recipients.
    case people
    /// Sent to many: newsletters, advertising, campaigns.
    case newsletter
    /// A message of a discussion list.
    case mailingList = "list"
    /// Sent by a program about one event: shipping, a comment, an out-of-office reply.
    case notification
    /// A program's word on signing in, passwords and codes.
    case security
    /// A bill, a receipt or a dunning letter.
    case invoice
    /// An invitation, an answer to one or a cancellation.
    case calendar
    /// A report that a message could not be delivered.
    case bounce
    /// Marked as unwanted by the mail server.
    case spam
    /// None of these: usually an organisation's own address without signs of a program.
    case other
  }

  /// A sign that was found, as a stable name in snake_case.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The name, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // Signs of a person.
    /// The address is at a provider of private mailboxes.
    public static let personalDomain = Reason(rawValue: "personal_domain")
    /// The name looks like a first and a last name.
    public static let personalName = Reason(rawValue: "personal_name")
    /// The name is a single word that means neither an organisation nor the sender's domain: `Anna`, `Mama`.
    public static let singleWordName = Reason(rawValue: "single_word_name")
    /// There is no name, but the address is made of two names.
    public static let personalAddress = Reason(rawValue: "personal_address")
    /// The owner of the mailbox wrote it.
    public static let ownMessage = Reason(rawValue: "own_message")
    /// The owner of the mailbox takes part in the thread.
    public static let ownThread = Reason(rawValue: "own_thread")

    // Signs against a person.
    /// The address is one that programs send from: `no-reply@`, `notifications@`.
    public static let automaticAddress = Reason(rawValue: "automatic_address")
    /// The address belongs to a function rather than a person: `info@`, `service@`.
    public static let roleAddress = Reason(rawValue: "role_address")
    /// A name with "via": a service that sends on behalf of a person.
    public static let viaName = Reason(rawValue: "via_name")
    /// The name is an organisation's or a team's.
    public static let brandName = Reason(rawValue: "brand_name")

    // Signs of bulk mail and of programs.
    /// `List-Unsubscribe`.
    public static let listUnsubscribe = Reason(rawValue: "list_unsubscribe")
    /// `List-ID`.
    public static let listID = Reason(rawValue: "list_id")
    /// `List-Post`: one can write to the list.
    public static let listPost = Reason(rawValue: "list_post")
    /// `Precedence: bulk`, `list` or `junk`.
    public static let precedence = Reason(rawValue: "precedence")
    /// `Auto-Submitted` other than `no`, or a header field with the same meaning.
    public static let autoSubmitted = Reason(rawValue: "auto_submitted")
    /// A sender's domain belongs to a service for campaigns.
    public static let marketingDomain = Reason(rawValue: "marketing_domain")
    /// A header field that campaign software writes.
    public static let campaignHeader = Reason(rawValue: "campaign_header")
    /// Gmail sorted it under promotions or social.
    public static let gmailCategory = Reason(rawValue: "gmail_category")
    /// The sender calls itself "The … Team".
    public static let teamName = Reason(rawValue: "team_name")

    // Signs of one kind.
    /// A delivery report (RFC 3464).
    public static let deliveryReport = Reason(rawValue: "delivery_report")
    /// Sent by a mail system: `MAILER-DAEMON`, `postmaster`.
    public static let mailSystem = Reason(rawValue: "mail_system")
    /// The return path is empty.
    public static let nullReturnPath = Reason(rawValue: "null_return_path")
    /// A part with calendar data.
    public static let calendarPart = Reason(rawValue: "calendar_part")
    /// The mail server marked it as unwanted.
    public static let spamFlag = Reason(rawValue: "spam_flag")
    /// The subject speaks of a bill or a receipt.
    public static let invoiceSubject = Reason(rawValue: "invoice_subject")
    /// A PDF is attached to it whose name speaks of a bill.
    public static let invoiceFile = Reason(rawValue: "invoice_file")
    /// A PDF is attached.
    public static let documentAttached = Reason(rawValue: "pdf_attached")
    /// The subject speaks of signing in, passwords or codes.
    public static let securitySubject = Reason(rawValue: "security_subject")
    // Signs of what a message asks for; see ``Classifier/marks(of:classification:)``.
    /// The sender is on the list of important ones.
    public static let vipSender = Reason(rawValue: "vip_sender")
    /// The sender is on the list of blocked ones.
    public static let blockedSender = Reason(rawValue: "blocked_sender")
    /// The text has an amount of money near a word about paying, or in a bill.
    public static let amount = Reason(rawValue: "amount")
    /// It is a bill, a receipt or a dunning letter.
    public static let invoice = Reason(rawValue: "invoice")
    /// The text has a day after words such as "no later than".
    public static let deadlinePhrase = Reason(rawValue: "deadline_phrase")
    /// A person asks a question.
    public static let question = Reason(rawValue: "question")
    /// A person asks for an answer.
    public static let requestPhrase = Reason(rawValue: "request_phrase")
    /// An invitation that wants an answer.
    public static let invitation = Reason(rawValue: "invitation")
    /// The text speaks of signing in, passwords or codes.
    public static let securityText = Reason(rawValue: "security_text")

    /// The subject speaks of a parcel.
    public static let shippingSubject = Reason(rawValue: "shipping_subject")
  }

  /// The kind of the message.
  public var category: Category
  /// Whether a person seems to have sent it.
  public var isHuman: Bool
  /// Whether it was sent to many, or by a program that sends to many.
  public var isBulk: Bool
  /// Whether a program sent it.
  public var isAutomatic: Bool
  /// The signs that were found, in the order they were looked for.
  public var reasons: [Reason]
}
