public import Expressions

/// An event that was delivered and that no run has taken.
public struct KeptEvent: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// What tells events of one name apart; empty where nothing does.
  public var key: String
  /// When it was delivered.
  public var receivedAt: Timestamp

  package init(name: String, key: String, receivedAt: Timestamp) {
    self.name = name
    self.key = key
    self.receivedAt = receivedAt
  }

  /// The event for `--json`: `{event, key, received_at}`; `key` is null where there is none.
  public var json: Value {
    .object([("event", .string(name)), ("key", .text(key.isEmpty ? nil : key)), ("received_at", .time(receivedAt))])
  }
}
