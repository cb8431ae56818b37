/// A message taken apart (RFC 5322, RFC 2045–2049).
///
/// Parsing never fails and never traps: broken input yields the best readable message, and `defects` lists what is wrong
/// with it. The message keeps the bytes it was read from; values are decoded when they are asked for.
public struct Message: Sendable {
  /// The bytes of the whole message.
  public let source: ArraySlice<UInt8>
  /// The tree of parts; its header is the message's.
  public let body: Part
  /// Violations of the format, in the order found; at most 100.
  public let defects: [Defect]

  init(source: ArraySlice<UInt8>, body: Part, defects: [Defect]) {
    self.source = source
    self.body = body
    self.defects = defects
  }

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - bytes: The message as stored or received; lines may end with CRLF, LF or CR.
  ///   - limits: The limits; content beyond them stays readable as a part's raw body.
  public init(parsing bytes: [UInt8], limits: ParsingLimits = ParsingLimits()) {
    var source = bytes[...]
    var parser = MessageParser(limits: limits)
    var defects: [Defect] = []
    if !source.contains(UInt8.lineFeed), source.contains(UInt8.carriageReturn) {
      source = source.map { $0 == UInt8.carriageReturn ? UInt8.lineFeed : $0 }[...]
      defects.append(Defect(code: .bareCarriageReturn, partNumber: ""))
    }
    let root = parser.parseMessage(source, number: "", depth: 0)
    self.init(source: bytes[...], body: root, defects: defects + parser.defects)
  }

  /// Reads a message from borrowed memory, which is copied once.
  public init(parsing bytes: Span<UInt8>, limits: ParsingLimits = ParsingLimits()) {
    self.init(parsing: bytes.withUnsafeBufferPointer { Array($0) }, limits: limits)
  }

  /// The size of the message in bytes.
  public var size: Int { source.count }
  /// The header fields in their order.
  public var headers: Headers { body.headers }
  /// Whether the message has parts.
  public var isMultipart: Bool { !body.parts.isEmpty }

  /// The `Message-ID` without angle brackets.
  public var messageID: String? { headers.first("Message-ID")?.messageIDs.first }
  /// The `Date` the writer states, or `nil` if it states none or one that does not exist.
  public var date: MessageDate? { headers.first("Date")?.date }
  /// The subject, decoded and on one line; empty if there is none.
  public var subject: String { headers["Subject"] ?? "" }
  /// The authors.
  public var from: [Address] { addresses("From") }
  /// Who sent it on the authors' behalf.
  public var sender: Address? { addresses("Sender").first }
  /// Where answers should go; empty if the header does not say.
  public var replyTo: [Address] { addresses("Reply-To") }
  /// The main recipients.
  public var to: [Address] { addresses("To") }
  /// The other recipients.
  public var cc: [Address] { addresses("Cc") }
  /// The hidden recipients, where the message still names them.
  public var bcc: [Address] { addresses("Bcc") }
  /// The messages this one answers, without angle brackets.
  public var inReplyTo: [String] { headers.all("In-Reply-To").flatMap { $0.messageIDs } }
  /// The thread up to this message, oldest first, without angle brackets.
  public var references: [String] { headers.all("References").flatMap { $0.messageIDs } }

  /// The identifier of the mailing list (RFC 2919), such as `gardeners.lists.example.org`.
  public var listID: String? {
    guard let field = headers.first("List-ID") else { return nil }
    if field.rawValue.contains(UInt8(ascii: "<")) { return field.messageIDs.first }
    let text = field.text
    return text.isEmpty ? nil : text
  }

  /// The messages of the thread before this one, oldest first: `References`, then what only `In-Reply-To` names.
  public var threadReferences: [String] {
    var seen: Set<String> = []
    return (references + inReplyTo).filter { seen.insert($0).inserted }
  }

  private func addresses(_ name: String) -> [Address] { headers.all(name).flatMap { $0.addresses } }
}
