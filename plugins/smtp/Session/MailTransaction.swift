import PluginKit

/// Hands one message over: MAIL, RCPT, DATA or BDAT, and the replies to them. Pure: replies in, what to do out.
///
/// ```
/// envelope → [DATA → 354] → content → end → reply   (LMTP: a reply for each recipient)
/// ```
///
/// Before ``contentEnds()`` is called the message has surely not been taken: a server must drop a message without its end (RFC
/// 5321, section 4.1.1.4). From then on only a reply tells.
struct MailTransaction: Sendable {
  /// The next action.
  enum Step: Sendable, Equatable {
    /// Read another reply.
    case wait
    /// Send what ``more()`` gives, and read a reply.
    case more
    /// Send the content, or the next chunk: call ``contentEnds()`` before the end goes out, or ``chunk(_:isLast:)``.
    case content
    /// It is over.
    case finished(Delivery)
  }

  /// A recipient whom the server did not accept.
  struct Refusal: Sendable, Hashable {
    var address: String
    var reply: Reply
  }

  /// The result of the message.
  struct Delivery: Sendable, Hashable {
    /// The recipients whom the server has taken the message for.
    var accepted: [String] = []
    /// The others.
    var refused: [Refusal] = []
    /// Why no recipient gets it, if the recipients were not the reason.
    var failure: Failure?
    /// The server's reply to the message.
    var reply: Reply?
    /// Whether the connection cannot be used any more.
    var isBroken = false
  }

  /// A refusal of the whole message.
  struct Failure: Sendable, Hashable {
    var reply: Reply
    var stage: Stage
  }

  private enum Expected: Sendable {
    case mail
    case recipient(Int)
    case data
    case chunk
    case end(Int?)
  }

  /// Whether the content goes by BDAT (RFC 3030).
  let isChunked: Bool
  private let envelope: Envelope
  private let features: ServerFeatures
  private let isLMTP: Bool
  private let mailCommand: String
  private var unsent: [Expected]
  private var expected: [Expected] = []
  private var next = 0
  private(set) var delivery = Delivery()
  /// The recipients that LMTP has a reply for each.
  private var waiting: [String] = []
  private var hasEnded = false

  /// - Throws: `unsupported` or `invalid_input` where the message needs what the server cannot do.
  init(
    _ envelope: Envelope, features: ServerFeatures, isEncrypted: Bool, isLMTP: Bool = false, chunked: Bool = false
  ) throws(ActionError) {
    self.envelope = envelope
    self.features = features
    self.isLMTP = isLMTP
    isChunked = chunked && features.takesChunks
    mailCommand = try envelope.mailCommand(for: features, isEncrypted: isEncrypted)
    unsent = [.mail] + envelope.recipients.indices.map { .recipient($0) } + (isChunked ? [] : [.data])
  }

  /// The first commands: all where the server takes them at once (RFC 2920).
  mutating func begin() -> [UInt8] { sendMore() }

  /// Takes the next reply.
  ///
  /// - Throws: `protocol` for an unexpected reply.
  mutating func receive(_ reply: Reply) throws(ActionError) -> Step {
    guard next < expected.count else { throw .unasked }
    let command = expected[next]
    next += 1
    switch command {
    case .mail:
      if !reply.isPositive { try fail(reply, .sender) }
    case .recipient(let index):
      try receive(reply, forRecipient: envelope.recipients[index])
    case .data:
      if reply.code != 354 {
        if !delivery.accepted.isEmpty { try fail(reply, .content) }
      } else if delivery.failure != nil || delivery.accepted.isEmpty {
        // The server wants a message without recipients: without its end it has none.
        delivery.isBroken = true
      }
    case .chunk:
      if reply.isPositive { delivery.reply = hasEnded ? reply : nil } else { try fail(reply, .content) }
    case .end(let index):
      try receive(reply, forEnd: index)
    }
    // The server closes the connection behind it.
    if reply.code == 421 {
      delivery.isBroken = true
      if !(isLMTP && hasEnded) { try fail(reply, stage(of: command)) }
    }
    return nextStep()
  }

  /// The end of the content is about to go out after DATA: what follows can only be known by the reply.
  mutating func contentEnds() {
    hasEnded = true
    expectEnd()
  }

  /// The command for a chunk, whose bytes follow at once. With the last one the content ends.
  mutating func chunk(_ size: Int, isLast: Bool) -> [UInt8] {
    hasEnded = isLast
    if isLast, isLMTP { expectEnd() } else { expected.append(.chunk) }
    return Array("BDAT \(size)\(isLast ? " LAST" : "")\r\n".utf8)
  }

  /// RFC 2033, section 4.2: one reply for each recipient that was accepted, in their order.
  private mutating func expectEnd() {
    waiting = delivery.accepted
    expected += isLMTP ? waiting.indices.map { .end($0) } : [.end(nil)]
  }

  private mutating func receive(_ reply: Reply, forRecipient address: String) throws(ActionError) {
    guard delivery.failure == nil else { return }
    if reply.isPositive {
      delivery.accepted.append(address)
    } else if reply.code >= 400 {
      delivery.refused.append(Refusal(address: address, reply: reply))
    } else {
      throw .unasked
    }
  }

  private mutating func receive(_ reply: Reply, forEnd index: Int?) throws(ActionError) {
    guard let index else {
      if reply.isPositive { delivery.reply = reply } else { try fail(reply, .content) }
      return
    }
    if reply.isPositive {
      if delivery.reply == nil { delivery.reply = reply }
    } else if reply.code >= 400 {
      delivery.accepted.removeAll { $0 == waiting[index] }
      delivery.refused.append(Refusal(address: waiting[index], reply: reply))
    } else {
      throw .unasked
    }
  }

  /// Records why no recipient gets the message; only the first reason counts.
  private mutating func fail(_ reply: Reply, _ stage: Stage) throws(ActionError) {
    guard reply.code >= 400 else { throw .unasked }
    if delivery.failure == nil { delivery.failure = Failure(reply: reply, stage: stage) }
    delivery.accepted = []
  }

  private func nextStep() -> Step {
    if next < expected.count {
      // Behind the end every reply counts; before it a connection that breaks has nothing more to say.
      return delivery.isBroken && !hasEnded ? .finished(delivery) : .wait
    }
    if delivery.failure != nil || delivery.isBroken || hasEnded { return .finished(delivery) }
    if let first = unsent.first {
      if case .recipient = first { return .more }
      if case .mail = first { return .more }
      return delivery.accepted.isEmpty ? .finished(delivery) : .more
    }
    return delivery.accepted.isEmpty ? .finished(delivery) : .content
  }

  private func stage(of command: Expected) -> Stage {
    switch command {
    case .mail: .sender
    case .recipient: .recipient
    case .data, .chunk, .end: .content
    }
  }

  /// The commands that follow ``Step/more``.
  mutating func more() -> [UInt8] { sendMore() }

  private mutating func sendMore() -> [UInt8] {
    let group = features.pipelines ? unsent : Array(unsent.prefix(1))
    unsent.removeFirst(group.count)
    expected += group
    return group.reduce(into: []) { bytes, command in
      bytes += Array(line(command).utf8)
      bytes += [0x0D, 0x0A]
    }
  }

  private func line(_ command: Expected) -> String {
    switch command {
    case .mail: mailCommand
    case .recipient(let index): envelope.recipientCommand(envelope.recipients[index], for: features)
    case .data, .chunk, .end: "DATA"
    }
  }
}
