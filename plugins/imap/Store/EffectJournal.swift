import Mail
import MailWire
import PluginKit

/// The plugin's notes before it copies, moves or stores messages: they distinguish an attempt with unknown outcome from one
/// that has not begun.
///
/// Each entry holds the target's next UID before the effect: new messages have this number or a higher one.
struct EffectJournal: Sendable {
  /// A message that is to be in the target.
  struct Item: Codable, Sendable, Equatable {
    /// Its UID in the source; 0 for one that is stored anew.
    var uid: UInt32
    var identity: MessageIdentity
  }

  /// One effect.
  struct Entry: Codable, Sendable {
    var key: String
    /// The target as the server writes it.
    var target: [UInt8]
    /// The target's UIDVALIDITY and next UID before.
    var validity: UInt32
    var next: UInt32
    /// The messages to look for in the target; empty once the effect is done.
    var items: [Item]
    /// The Message-ID of a message that is stored anew, if it is not too long.
    var messageID: String?
    /// The IDs of requested messages that were missing.
    var missing: [String] = []
    /// The UIDs of the messages in the target, once known.
    var done: [String]?
    /// When it was noted, in seconds since 1970.
    var at: Int
  }

  /// How long a server may still be busy with a command whose answer was lost, in seconds: until then, that nothing has
  /// come does not mean that nothing will.
  static let grace = 45

  let context: ActionContext
  private let state: DatedState

  init(context: ActionContext) {
    self.context = context
    state = DatedState(context, prefix: "effect")
  }

  /// Whether the host keeps anything.
  var isKept: Bool { state.isKept }

  /// The note of an earlier attempt.
  func entry(_ part: Int = 0) async throws(ActionError) -> Entry? {
    guard let entry = try await state.value(Entry.self, for: "\(part)"), entry.key == context.key else { return nil }
    return entry
  }

  /// Notes an effect that is about to begin, or has ended; it is on disk when this returns.
  func note(_ entry: Entry, _ part: Int = 0) async throws(ActionError) {
    try await state.set(entry, for: "\(part)", at: entry.at)
  }

  /// Removes what is too old to be asked for.
  func tidy(_ tidying: DatedState.Tidying) async throws(ActionError) {
    try await state.tidy(tidying, Entry.self) { $0.done != nil }
  }

  // MARK: Grace

  /// How long it takes until an effect that cannot be seen has not happened; `nil` if that time is over.
  func grace(of entry: Entry) -> Duration? {
    // A clock that was set back makes it no longer.
    let left = min(Self.grace, entry.at + Self.grace - context.seconds)
    return left > 0 ? .seconds(left) : nil
  }

  /// Looks for an effect until it is found, or the server has had its time.
  func verdict<Output>(
    on entry: Entry, _ look: () async throws(ActionError) -> Verification<Output>
  ) async throws(ActionError) -> Verification<Output> {
    let clock = context.clock
    let deadline = clock.monotonic + (grace(of: entry) ?? .zero)
    while true {
      let verdict = try await look()
      if case .done = verdict { return verdict }
      let left = deadline - clock.monotonic
      guard left > .zero else { return verdict }
      try await clock.sleep(for: min(left, .seconds(5)))
    }
  }
}

/// The properties of a message that a copy keeps.
struct MessageIdentity: Codable, Sendable, Hashable {
  /// A digest of the Message-ID, which may be long; `nil` if the message has none.
  var message: String?
  /// When it was received, in seconds since 1970; `nil` if that does not tell.
  var received: Int?
  /// Its bytes.
  var size: Int?

  /// The identity of a message that was read.
  init(_ content: MessageContent) {
    self.init(
      messageID: content.message.messageID, received: content.facts.received?.secondsSinceEpoch,
      size: content.facts.size)
  }

  init(messageID: String? = nil, received: Int? = nil, size: Int? = nil) {
    message = messageID.map(KeyDigest.hexadecimal)
    self.received = received
    self.size = size
  }
}
