/// A value of a provider's state.
package struct StateEntry: Sendable, Equatable {
  /// The value.
  package var value: [UInt8]
  /// Its version, never 0.
  package var version: UInt64

  package init(value: [UInt8], version: UInt64) {
    self.value = value
    self.version = version
  }
}

/// One change of a commit.
package struct StateChange: Sendable, Equatable {
  /// The key.
  package var key: String
  /// The new value; `nil` if the key is to go.
  package var value: [UInt8]?
  /// The version the key must still have, 0 if it must be absent; `nil` for any version.
  package var expectedVersion: UInt64?
}

/// The bounds of a provider's state, by the header.
package enum StateLimits {
  /// The longest key in bytes.
  package static let keyBytes = 512
  /// The largest value in bytes.
  package static let valueBytes = 1 << 20
  /// The most bytes of keys and values of one provider.
  package static let providerBytes = 64 << 20
  /// The most changes of one commit.
  package static let changes = 10_000
}

/// A blob that is being written. It does not exist before it is finished.
package protocol BlobWriting: AnyObject, Sendable {
  /// Adds bytes, at most ``BlobLimits/piece``. The next piece may be added when the reply has come.
  func write(_ piece: [UInt8], reply: @escaping ServiceReply<Void>)
  /// Completes it; the reply is its name, `blob:sha256:…`.
  func finish(reply: @escaping ServiceReply<String>)
  /// Drops it.
  func discard()
}

/// The bounds of blobs.
package enum BlobLimits {
  /// The largest blob in bytes, by the header.
  package static let bytes: UInt64 = 1 << 30
  /// The most bytes that are handed over at once.
  package static let piece = 1 << 20
}

/// An event of a subscription.
package struct EmittedEvent: Sendable, Equatable {
  /// The call with the operation subscribe.
  package var call: UInt64
  /// Its id, unique within its trigger.
  package var id: String
  /// A JSON object, not checked.
  package var event: [UInt8]
  /// Where the subscription goes on after it.
  package var cursor: String

  /// Whether it is not an event but reports that the trigger watches.
  package var announcesWatching: Bool { id.isEmpty && event.isEmpty && cursor.isEmpty }
}

/// The bounds of events.
package enum EventLimits {
  /// The longest id in bytes.
  package static let idBytes = 1024
  /// The largest event in bytes.
  package static let eventBytes = 16 << 20
  /// The longest cursor in bytes, by the header.
  package static let cursorBytes = 64 << 10
}
