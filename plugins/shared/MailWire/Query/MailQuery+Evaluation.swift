public import Mail

/// The known facts of a message when a query is decided; each may be unknown.
public struct QueryEvidence {
  /// Its UID in the folder.
  public var uid: String
  /// Flags and labels in their usual spelling; `nil` if they are not known.
  public var flags: [String]?
  /// Bytes; `nil` if they are not known.
  public var size: Int?
  /// When it was received: `nil` if that was not looked up, `.some(nil)` if it is unknown.
  public var received: MessageDate??
  /// The message or its header; `nil` if it was not read.
  public var header: Message?
  /// The readable text; `nil` if it was not read.
  public var text: String?

  /// Describes what is known.
  public init(
    uid: String, flags: [String]? = nil, size: Int? = nil, received: MessageDate?? = nil, header: Message? = nil,
    text: String? = nil
  ) {
    self.uid = uid
    self.flags = flags
    self.size = size
    self.received = received
    self.header = header
    self.text = text
  }

  /// Describes what a store knows without reading, and what was read of a message.
  public init(_ facts: MessageFacts, header: Message? = nil, text: String? = nil) {
    self.init(
      uid: facts.uid, flags: facts.flags + facts.labels, size: facts.size, received: .some(facts.received),
      header: header, text: text)
  }
}

extension MailQuery {
  /// Whether a message meets the condition.
  ///
  /// - Returns: `nil` if what is known does not decide it: more of the message has to be read. With everything known there is
  ///   always an answer, but to what only Gmail can decide.
  public func evaluate(_ message: QueryEvidence) -> Bool? {
    switch self {
    case .all: return true
    case .nothing: return false
    case .and(let parts): return Self.every(parts, message)
    case .or(let parts): return Self.some(parts, message)
    case .not(let part): return part.evaluate(message).map { !$0 }
    case .uids(let uids): return uids.contains(message.uid)
    case .gmail: return nil
    case .flag(let name):
      let folded = name.lowercased()
      return message.flags.map { $0.contains { $0.lowercased() == folded } }
    case .larger(let size): return message.size.map { $0 > size }
    case .smaller(let size): return message.size.map { $0 < size }
    case .receivedSince(let bound): return message.received.map { $0.map { bound.isReached(by: $0) } ?? false }
    case .receivedBefore(let bound): return message.received.map { $0.map { !bound.isReached(by: $0) } ?? false }
    case .header, .address, .subject, .since, .before, .text, .body: return reading(message)
    }
  }

  private static func every(_ parts: [MailQuery], _ message: QueryEvidence) -> Bool? {
    var result: Bool? = true
    for part in parts {
      switch part.evaluate(message) {
      case false: return false
      case nil: result = nil
      default: break
      }
    }
    return result
  }

  private static func some(_ parts: [MailQuery], _ message: QueryEvidence) -> Bool? {
    var result: Bool? = false
    for part in parts {
      switch part.evaluate(message) {
      case true: return true
      case nil: result = nil
      default: break
      }
    }
    return result
  }

  /// The conditions that something has to be read for.
  private func reading(_ message: QueryEvidence) -> Bool? {
    if case .body(let pattern) = self { return message.text.map(pattern.isFound) }
    guard let header = message.header else { return nil }
    switch self {
    case .header(let name, let pattern): return header.headers.all(name).contains { pattern.isFound(in: $0.text) }
    case .address(let field, let pattern): return Self.contains(pattern, header.addresses(field))
    case .subject(let pattern): return pattern.isFound(in: header.subject)
    case .since(let bound): return Self.date(header, message).map { $0.map { bound.isReached(by: $0) } ?? false }
    case .before(let bound): return Self.date(header, message).map { $0.map { !bound.isReached(by: $0) } ?? false }
    case .text(let pattern):
      if header.headers.contains(where: { pattern.isFound(in: $0.text) }) { return true }
      return message.text.map(pattern.isFound)
    default: return nil
    }
  }

  /// The date that the message states, else when it was received.
  private static func date(_ header: Message, _ message: QueryEvidence) -> MessageDate?? {
    if let date = header.date { return .some(date) }
    return message.received
  }

  private static func contains(_ pattern: TextPattern, _ addresses: [Address]) -> Bool {
    addresses.contains { address in
      if isFound(pattern, address) { return true }
      // A domain can be looked for in either form, and in parts of it.
      guard let ascii = address.withASCIIDomain, ascii != address else { return false }
      return isFound(pattern, ascii)
    }
  }

  private static func isFound(_ pattern: TextPattern, _ address: Address) -> Bool {
    guard let name = address.name else { return pattern.isFound(in: address.address) }
    return pattern.isFound(in: "\(name) <\(address.address)>")
  }
}

extension Message {
  fileprivate func addresses(_ field: MailQuery.AddressField) -> [Address] {
    switch field {
    case .from: from + (sender.map { [$0] } ?? [])
    case .to: to
    case .cc: cc
    case .bcc: bcc
    }
  }
}
