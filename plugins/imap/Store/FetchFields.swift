import Mail
import MailWire

/// The items to fetch of messages.
struct FetchFields: Sendable, Equatable {
  /// How much of a header.
  enum Header: Sendable, Equatable {
    case none
    /// Some fields, in lowercase.
    case fields(Set<String>)
    case all
  }

  var flags = false
  var size = false
  var received = false
  var header = Header.none
  var structure = false
  var text = false
  var thread = false
  var modSeq = false

  /// The items for fields of the contract.
  init(_ fields: MessageFields) {
    func wants(_ names: MessageField...) -> Bool { names.contains { fields.contains($0) } }
    flags = wants(.flags, .labels, .seen, .flagged, .answered)
    size = wants(.size)
    received = wants(.received, .date)
    structure = wants(.attachments, .category)
    text = wants(.text, .truncated, .snippet, .html)
    thread = wants(.thread)
    modSeq = wants(.modseq)
    if text {
      header = .all
      return
    }
    var names = Set(fields.headers.map { $0.lowercased() })
    for (field, needed) in Self.headers where fields.contains(field) { names.formUnion(needed) }
    if wants(.category) {
      names.formUnion(Self.rules.categoryFields)
    } else if wants(.bulk, .human) {
      names.formUnion(Self.rules.originFields)
    }
    if !names.isEmpty { header = .fields(names) }
  }

  /// The items that a condition needs.
  init(_ query: MailQuery) { add(query) }

  /// The header fields by which `MessageJSON` distinguishes people from programs.
  private static let rules = ClassificationRules()
  private static let headers: [(MessageField, [String])] = [
    (.messageID, ["message-id"]), (.date, ["date"]), (.from, ["from", "sender"]), (.to, ["to"]), (.cc, ["cc"]),
    (.bcc, ["bcc"]), (.replyTo, ["reply-to"]), (.subject, ["subject"]), (.listID, ["list-id"]),
    (.listUnsubscribe, ["list-unsubscribe", "list-unsubscribe-post"]), (.inReplyTo, ["in-reply-to"]),
    (.references, ["references"]), (.thread, ["message-id", "in-reply-to", "references"]),
  ]

  private mutating func add(_ query: MailQuery) {
    switch query {
    case .all, .nothing, .uids, .gmail: break
    case .and(let parts), .or(let parts): for part in parts { add(part) }
    case .not(let part): add(part)
    case .flag: flags = true
    case .larger, .smaller: size = true
    case .receivedSince, .receivedBefore: received = true
    case .since, .before:
      received = true
      add(["date"])
    case .subject: add(["subject"])
    case .address(.from, _): add(["from", "sender"])
    case .address(let field, _): add([field.rawValue])
    case .header(let name, _): add([name.lowercased()])
    case .text:
      header = .all
      text = true
    case .body: text = true
    }
  }

  private mutating func add(_ names: Set<String>) {
    switch header {
    case .all: break
    case .none: header = .fields(names)
    case .fields(let others): header = .fields(others.union(names))
    }
  }

  /// This and more.
  func adding(_ other: FetchFields) -> FetchFields {
    var sum = self
    sum.flags = flags || other.flags
    sum.size = size || other.size
    sum.received = received || other.received
    sum.structure = structure || other.structure
    sum.text = text || other.text
    sum.thread = thread || other.thread
    sum.modSeq = modSeq || other.modSeq
    switch other.header {
    case .none: break
    case .all: sum.header = .all
    case .fields(let names): sum.add(names)
    }
    return sum
  }

  /// Whether what comes says when a message was written.
  var tellsDate: Bool {
    switch header {
    case .all: received
    case .fields(let names): received && names.contains("date")
    case .none: false
    }
  }

  /// Whether a response brings all that makes a message; news of flags alone may come in between.
  func isMet(by message: FetchedMessage) -> Bool {
    isDescribed(by: message) && (!flags || message.flags != nil) && (!size || message.size != nil)
      && (!received || message.internalDate != nil)
  }

  /// Whether the merged responses have the wanted header, and a structure that shows all parts. Flags, size and date may be missing,
  /// as some servers do not send them.
  func isDescribed(by message: FetchedMessage) -> Bool {
    guard !message.isDamaged, header == .none || !message.sections.isEmpty else { return false }
    return !structure || message.structure.map { !BodyOutline($0).hasOpaqueParts } ?? false
  }

  /// The items of FETCH for what a listing says, and the header.
  ///
  /// - Parameters:
  ///   - isGmail: Whether the server has Gmail's extensions.
  ///   - isNumbered: Whether it numbers changes of flags (RFC 7162).
  func items(isGmail: Bool, isNumbered: Bool = false) -> String {
    var items: [String] = []
    if modSeq, isNumbered { items.append("MODSEQ") }
    if flags { items.append("FLAGS") }
    if flags, isGmail { items.append("X-GM-LABELS") }
    if thread, isGmail { items.append("X-GM-THRID") }
    if size || text { items.append("RFC822.SIZE") }
    if received { items.append("INTERNALDATE") }
    if structure || text { items.append("BODYSTRUCTURE") }
    // With the text the whole message comes.
    if !text {
      switch header {
      case .none: break
      case .all: items.append("BODY.PEEK[HEADER]")
      case .fields(let names):
        items.append("BODY.PEEK[HEADER.FIELDS (\(names.sorted().map { $0.uppercased() }.joined(separator: " ")))]")
      }
    }
    return items.joined(separator: " ")
  }
}
