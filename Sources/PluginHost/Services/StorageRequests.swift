/// A value of a provider's state.
struct StateEntry: Sendable, Equatable {
  /// The value.
  var value: [UInt8]
  /// Its version, never 0.
  var version: UInt64
}

/// One change of a commit.
struct StateChange: Sendable, Equatable {
  /// The key.
  var key: String
  /// The new value; `nil` where the key is to go.
  var value: [UInt8]?
  /// The version the key must still have, 0 where it must be absent; `nil` where that does not matter.
  var expectedVersion: UInt64?
}

/// The bounds of a provider's state, by the header.
enum StateLimits {
  /// The longest key in bytes.
  static let keyBytes = 512
  /// The largest value in bytes.
  static let valueBytes = 1 << 20
  /// The most bytes of keys and values of one provider.
  static let providerBytes = 64 << 20
  /// The most changes of one commit.
  static let changes = 10_000
}

/// A blob that is being written. As long as nobody has finished it, it does not exist.
protocol BlobWriting: AnyObject, Sendable {
  /// Adds bytes, at most ``BlobLimits/piece``. The next piece may be added when the reply has come.
  func write(_ piece: [UInt8], reply: @escaping ServiceReply<Void>)
  /// Completes it; the reply is its name, `blob:sha256:…`.
  func finish(reply: @escaping ServiceReply<String>)
  /// Drops it.
  func discard()
}

/// The bounds of blobs.
enum BlobLimits {
  /// The largest blob in bytes, by the header.
  static let bytes: UInt64 = 1 << 30
  /// The most bytes that are handed over at once.
  static let piece = 1 << 20
}

/// An event of a subscription.
struct EmittedEvent: Sendable, Equatable {
  /// The call with the operation subscribe.
  var call: UInt64
  /// What names it towards its trigger.
  var id: String
  /// A JSON object, not checked.
  var event: [UInt8]
  /// Where the subscription goes on after it.
  var cursor: String

  /// Whether it is not an event but reports that the trigger watches.
  var announcesWatching: Bool { id.isEmpty && event.isEmpty && cursor.isEmpty }
}

/// The bounds of events.
enum EventLimits {
  /// The longest id in bytes.
  static let idBytes = 1024
  /// The largest event in bytes.
  static let eventBytes = 16 << 20
  /// The longest cursor in bytes, by the header.
  static let cursorBytes = 64 << 10
}
