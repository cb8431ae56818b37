import FoundationEssentials
import MailWire
import PluginKit

/// What the plugin notes before it copies, moves or stores messages, so that an attempt whose end nobody has seen can be
/// told from one that has not begun.
///
/// Each entry holds the target's next UID before the effect: what the effect made has this number or a higher one.
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
    var items: [Item]
    /// What the messages are called in the target, once that is known.
    var done: [String]?
    /// When it was noted, in seconds since 1970.
    var at: Int
  }

  /// Entries are kept for this long, in seconds (14 days).
  private static let age = 14 * 86_400
  private static let prefix = "effect."

  let context: ActionContext

  /// Whether the host keeps anything.
  private var isKept: Bool { context.plugin.offers("sous.state/1") && !context.key.isEmpty }

  private func name(_ part: Int) -> String { Self.prefix + KeyDigest.hexadecimal("\(context.key)\n\(part)") }

  /// What an earlier attempt has noted.
  func entry(_ part: Int = 0) async throws(ActionError) -> Entry? {
    guard isKept else { return nil }
    guard let entry = try await context.state.value(Entry.self, for: name(part)), entry.key == context.key else {
      return nil
    }
    return entry
  }

  /// Notes an effect that is about to begin; it is on disk when this returns.
  func note(_ entry: Entry, _ part: Int = 0) async throws(ActionError) {
    guard isKept else { return }
    try await context.state.set(entry, for: name(part))
  }

  /// Removes what is too old to be asked for.
  func tidy() async throws(ActionError) {
    guard isKept else { return }
    let keys = try await context.state.keys(prefix: Self.prefix)
    guard keys.count > 1000 else { return }
    let now = context.seconds
    for key in keys {
      guard let entry = try? await context.state.value(Entry.self, for: key), now - entry.at < Self.age else {
        try await context.state.remove(key)
        continue
      }
    }
  }
}

/// What stays the same of a message when it is copied.
struct MessageIdentity: Codable, Sendable, Hashable {
  /// Without angle brackets; `nil` where the message has none.
  var messageID: String?
  /// When it was received, in seconds since 1970; `nil` where that does not tell.
  var received: Int?
  /// Its bytes.
  var size: Int?
}

extension ActionContext {
  /// The host's time in seconds since 1970.
  var seconds: Int {
    let value = clock.now.timeIntervalSince1970.rounded(.down)
    return value.isFinite && abs(value) < 9e15 ? Int(value) : 0
  }
}
