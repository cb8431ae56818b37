/// The state of a connection by its dialogue (RFC 9051 §3): state, capabilities, mailbox, open commands.
///
/// Pure: it takes sent commands and received responses, and returns events.
struct ConnectionMachine: Sendable {
  /// How far the connection has come.
  enum State: Sendable, Equatable {
    case greeting
    case notAuthenticated
    case authenticated
    case selected
    case logout
  }

  /// The mailbox that is open.
  struct Mailbox: Sendable, Equatable {
    var name: [UInt8]
    var isReadOnly: Bool
    var exists: UInt32 = 0
    /// How often messages have come since it was opened.
    var arrivals = 0
    var uidValidity: UInt32 = 0
    var uidNext: UInt32?
    var permanentFlags: [String]?
    /// The highest mod-sequence when it was opened (RFC 7162); `nil` if the server keeps none.
    var highestModSeq: UInt64?
  }

  /// The meaning of a response for its command.
  enum Event: Sendable {
    case greeting(StatusResponse)
    case continuation(String)
    case untagged(Untagged)
    /// A command has ended.
    case completion(tag: String, StatusResponse)
    /// The server ends the connection.
    case bye(StatusResponse)
  }

  /// The state change of a command that succeeds.
  enum Purpose: Sendable, Equatable {
    case plain
    case signIn
    case select(mailbox: [UInt8], isReadOnly: Bool)
    case unselect
    case logout
  }

  private struct Pending {
    var tag: String
    var purpose: Purpose
  }

  private(set) var state = State.greeting
  private(set) var capabilities: Set<String> = []
  private(set) var enabled: Set<String> = []
  private(set) var mailbox: Mailbox?
  /// What SELECT has said so far of a mailbox that is being opened.
  private var opening: Mailbox?
  private var pending: [Pending] = []
  private var awaitedContinuations = 0
  private var lastTag = 0

  /// Whether we have asked for the end of the connection.
  var isLeaving: Bool { pending.contains { $0.purpose == .logout } }

  /// Whether commands are under way.
  var isBusy: Bool { !pending.isEmpty }

  /// How literals may be announced now.
  var literalForm: Command.LiteralForm {
    if capabilities.contains("LITERAL+") { return .immediate }
    return capabilities.contains("LITERAL-") || capabilities.contains("IMAP4REV2")
      ? .immediateIfSmall : .synchronizing
  }

  func has(_ capability: String) -> Bool { capabilities.contains(capability) }

  /// Notes a command that is about to be sent, and gives its tag.
  mutating func begin(_ purpose: Purpose = .plain) -> String {
    lastTag += 1
    let tag = "s\(lastTag)"
    pending.append(Pending(tag: tag, purpose: purpose))
    if case .select(let name, let isReadOnly) = purpose {
      opening = Mailbox(name: name, isReadOnly: isReadOnly)
      mailbox = nil
      if state == .selected { state = .authenticated }
    }
    return tag
  }

  /// Notes that the server has to ask before we go on.
  mutating func awaitContinuation() { awaitedContinuations += 1 }

  /// Forgets what was said without encryption (RFC 9051 §6.2.1).
  mutating func startedTLS() {
    capabilities = []
    enabled = []
  }

  /// Forgets capabilities, since they may be others now.
  mutating func forgetCapabilities() { capabilities = [] }

  /// - Throws: ``ProtocolFault`` for what does not belong here.
  mutating func receive(_ response: Response) throws(ProtocolFault) -> Event {
    if state == .greeting { return try greet(response) }
    switch response {
    case .continuation(let text):
      guard awaitedContinuations > 0 else { throw ProtocolFault(.unexpected, "an unexpected continuation") }
      awaitedContinuations -= 1
      return .continuation(text)
    case .completion(let tag, let status):
      guard let index = pending.firstIndex(where: { $0.tag == tag }) else {
        throw ProtocolFault(.unexpected, "the end of a command that was not sent")
      }
      let purpose = pending.remove(at: index).purpose
      // Who asked for something and gets an end instead is not asked any more.
      if pending.isEmpty { awaitedContinuations = 0 }
      take(status.code)
      complete(purpose, status)
      return .completion(tag: tag, status)
    case .untagged(.status(let status)) where status.condition == .bye:
      state = .logout
      return .bye(status)
    case .untagged(let data):
      take(data)
      return .untagged(data)
    }
  }

  private mutating func greet(_ response: Response) throws(ProtocolFault) -> Event {
    guard case .untagged(.status(let status)) = response else {
      throw ProtocolFault(.unexpected, "something else in the place of a greeting")
    }
    switch status.condition {
    case .ok: state = .notAuthenticated
    case .preauth: state = .authenticated
    case .bye:
      state = .logout
      return .bye(status)
    default: throw ProtocolFault(.unexpected, "something else in the place of a greeting")
    }
    take(status.code)
    return .greeting(status)
  }

  private mutating func complete(_ purpose: Purpose, _ status: StatusResponse) {
    switch purpose {
    case .plain: break
    case .signIn where status.isOK: state = .authenticated
    case .signIn: break
    case .select:
      if status.isOK {
        mailbox = opening
        state = .selected
      }
      opening = nil
    case .unselect where status.isOK:
      mailbox = nil
      state = .authenticated
    case .unselect: break
    case .logout: state = .logout
    }
  }

  private mutating func change(_ body: (inout Mailbox) -> Void) {
    if var next = opening {
      body(&next)
      opening = next
    } else if var now = mailbox {
      body(&now)
      mailbox = now
    }
  }

  private mutating func take(_ code: ResponseCode?) {
    switch code {
    case .capability(let names)?: capabilities = Set(names)
    case .uidValidity(let value)?: change { $0.uidValidity = value }
    case .uidNext(let value)?: change { $0.uidNext = value }
    case .permanentFlags(let flags)?: change { $0.permanentFlags = flags }
    case .highestModSeq(let value)?: change { $0.highestModSeq = $0.highestModSeq ?? value }
    case .readOnly?: change { $0.isReadOnly = true }
    default: break
    }
  }

  private mutating func take(_ data: Untagged) {
    switch data {
    case .status(let status): take(status.code)
    case .capability(let names): capabilities = Set(names)
    case .enabled(let names): enabled.formUnion(names)
    case .exists(let count):
      change {
        if count > $0.exists { $0.arrivals += 1 }
        $0.exists = count
      }
    case .expunge: change { $0.exists -= min($0.exists, 1) }
    case .vanished(let set, false): change { $0.exists -= UInt32(clamping: min(Int($0.exists), set.count)) }
    default: break
    }
  }
}
