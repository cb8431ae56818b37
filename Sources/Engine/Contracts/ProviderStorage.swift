public import Localization

/// Why a store did not do what it was asked to. Nothing was changed.
public struct StorageFailure: CodedError {
  /// A stable name for a kind of failure.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is nothing of that name.
    public static let absent = Code(rawValue: "absent")
    /// Something has changed since it was read.
    public static let conflict = Code(rawValue: "conflict")
    /// It is too large, or too many.
    public static let tooLarge = Code(rawValue: "too_large")
    /// The disk or the database is at fault.
    public static let failed = Code(rawValue: "failed")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, for the log; holds no stored value.
  public var message: LocalizedText

  /// Creates a failure.
  public init(_ code: Code, _ message: LocalizedText) {
    self.code = code
    self.message = message
  }
}

/// Keys and values that last, one space for each configured provider.
///
/// The functions block until they are done: call them from a thread that may.
public protocol ProviderStateStore: Sendable {
  /// The value of a key and its version, never 0; `nil` where the key is absent.
  func state(of provider: String, key: String) throws(StorageFailure) -> ProviderState?
  /// The keys that begin with a prefix, in the order of their UTF-8 bytes.
  func stateKeys(of provider: String, prefix: String) throws(StorageFailure) -> [String]
  /// Makes all changes or none; on disk when it returns.
  ///
  /// - Throws: ``StorageFailure``: `conflict` where a version is not the expected one, `too_large` where the provider
  ///   would have more than ``ProviderState/bytesOfProvider``, `failed`.
  func commitState(of provider: String, _ changes: [ProviderStateChange]) throws(StorageFailure)
}

/// A value of a provider's state.
public struct ProviderState: Sendable, Equatable {
  /// The most bytes of keys and values that one provider may have.
  public static let bytesOfProvider = 64 << 20

  /// The value.
  public var value: [UInt8]
  /// Its version, never 0; another one with every change, and never one that the key had before.
  public var version: UInt64

  /// Creates a value.
  public init(value: [UInt8], version: UInt64) {
    self.value = value
    self.version = version
  }
}

/// One change of a provider's state.
public struct ProviderStateChange: Sendable, Equatable {
  /// The key.
  public var key: String
  /// The new value; `nil` where the key is to go.
  public var value: [UInt8]?
  /// The version the key must still have, 0 where it must be absent; `nil` where that does not matter.
  public var expectedVersion: UInt64?

  /// Creates a change.
  public init(key: String, value: [UInt8]?, expectedVersion: UInt64? = nil) {
    self.key = key
    self.value = value
    self.expectedVersion = expectedVersion
  }
}

/// Large values beside the JSON of calls, each kept once, named by the SHA-256 of their bytes.
///
/// The functions block until they are done: call them from a thread that may.
public protocol BlobStore: Sendable {
  /// Begins a blob, which exists once it is finished.
  func createBlob() throws(StorageFailure) -> Int64
  /// Adds bytes to an unfinished blob.
  func append(_ bytes: [UInt8], toBlob number: Int64) throws(StorageFailure)
  /// Completes a blob; on disk when it returns.
  ///
  /// - Returns: The SHA-256 of all its bytes, 64 lowercase hexadecimal digits.
  func finishBlob(_ number: Int64) throws(StorageFailure) -> String
  /// Drops an unfinished blob.
  func discardBlob(_ number: Int64)
  /// Reads up to `length` bytes from an offset; fewer come only at the end.
  ///
  /// - Throws: ``StorageFailure``: `absent`, `failed`.
  func readBlob(hash: String, offset: UInt64, length: Int) throws(StorageFailure) -> [UInt8]
}

/// What subscriptions to triggers have brought: for each one a cursor, and an inbox of events.
///
/// The functions block until they are done: call them from a thread that may.
public protocol TriggerStore: Sendable {
  /// Where a subscription goes on; `nil` where nothing has come yet.
  func cursor(of subscription: String) throws(StorageFailure) -> String?
  /// Keeps an event and its cursor, in one transaction; on disk when it returns.
  ///
  /// - Returns: Whether the event is new; one with an id that has come before is dropped, and its cursor kept.
  func accept(_ event: TriggerEvent, of subscription: String) throws(StorageFailure) -> Bool
  /// Events that nobody has settled yet, oldest first.
  func pendingEvents(of subscription: String, limit: Int) throws(StorageFailure) -> [TriggerEvent]
  /// Notes that an event has been dealt with. Its id stays known.
  func settleEvent(_ id: String, of subscription: String) throws(StorageFailure)
}

/// An event that a trigger has brought.
public struct TriggerEvent: Sendable, Equatable {
  /// What names it towards its trigger.
  public var id: String
  /// A JSON object.
  public var event: [UInt8]
  /// Where the subscription goes on after it.
  public var cursor: String

  /// Creates an event.
  public init(id: String, event: [UInt8], cursor: String) {
    self.id = id
    self.event = event
    self.cursor = cursor
  }
}
