import MailWire

/// Up to where a folder was watched: the cursor of `mail.new`.
///
/// The UID says it as long as the server keeps its numbers. For the day on which it numbers its messages anew, or goes on from a
/// backup, it holds when the last message was received, and which of the last ones are known.
struct WatchPosition: Sendable, Equatable {
  /// How many of the last messages are kept by their digests.
  static let memory = 64

  /// UIDVALIDITY.
  var validity: UInt32
  /// Messages up to this UID are known.
  var uid: UInt32
  /// The highest mod-sequence that the mailbox had (RFC 7162); `nil` if the server keeps none.
  var modSeq: UInt64?
  /// When the newest of them was received, in seconds since 1970.
  var received: Int
  /// Digests of the last of them.
  var known: [String]
  /// Whose numbers these are; `nil` in cursors of before that was noted.
  var origin: MailboxOrigin?

  /// `UIDVALIDITY.UID.MODSEQ|SECONDS|DIGEST,DIGEST|SERVER.USER`.
  var text: String {
    let numbers = "\(validity).\(uid)" + (modSeq.map { ".\($0)" } ?? "")
    return "\(numbers)|\(received)|\(known.joined(separator: ","))" + (origin.map { "|" + $0.text } ?? "")
  }

  init(
    validity: UInt32, uid: UInt32, modSeq: UInt64? = nil, received: Int, known: [String], origin: MailboxOrigin? = nil
  ) {
    self.validity = validity
    self.uid = uid
    self.modSeq = modSeq
    self.received = received
    self.known = known
    self.origin = origin
  }

  /// Reads a position; `nil` if the text is none.
  init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    let numbers = first.split(separator: ".")
    guard (2...3).contains(numbers.count), let validity = UInt32(numbers[0]), let uid = UInt32(numbers[1]) else {
      return nil
    }
    self.init(
      validity: validity, uid: uid, modSeq: numbers.count > 2 ? UInt64(numbers[2]) : nil,
      received: parts.count > 1 ? Int(parts[1]) ?? 0 : 0,
      known: parts.count > 2 ? parts[2].split(separator: ",").map(String.init) : [],
      origin: parts.count > 3 ? MailboxOrigin(parts[3]) : nil)
  }

  /// The position of a folder that does not exist: every message in it will be new.
  static func absent(_ origin: MailboxOrigin) -> WatchPosition {
    WatchPosition(validity: 0, uid: 0, received: 0, known: [], origin: origin)
  }

  /// Whether the folder did not exist; no folder has the UIDVALIDITY 0 (RFC 9051, section 9).
  var isAbsent: Bool { validity == 0 }

  /// Adds a reported message.
  mutating func pass(_ uid: UInt32, _ identity: MessageIdentity) {
    self.uid = max(self.uid, uid)
    received = max(received, identity.received ?? 0)
    known.append(Self.digest(identity))
    if known.count > Self.memory { known.removeFirst(known.count - Self.memory) }
  }

  /// Notes how far the numbers of changes have come.
  mutating func reach(_ modSeq: UInt64?) { self.modSeq = [self.modSeq, modSeq].compactMap { $0 }.max() }

  /// Whether a mailbox has fewer numbers than it had: it goes on from a backup, and gives numbers again that it gave before.
  func isAhead(of mailbox: ConnectionMachine.Mailbox) -> Bool {
    if let next = mailbox.uidNext, next > 0, next <= uid { return true }
    guard let modSeq, let highest = mailbox.highestModSeq else { return false }
    return highest < modSeq
  }

  /// Whether a message of a folder that was numbered anew is a new one.
  func isNew(_ identity: MessageIdentity) -> Bool {
    guard let time = identity.received else { return !knows(identity) }
    return time >= received && !knows(identity)
  }

  /// Whether it is one of the last reported messages.
  func knows(_ identity: MessageIdentity) -> Bool { known.contains(Self.digest(identity)) }

  static func digest(_ identity: MessageIdentity) -> String {
    KeyDigest.hexadecimal("\(identity.message ?? "")\n\(identity.received ?? 0)\n\(identity.size ?? 0)")
  }
}
