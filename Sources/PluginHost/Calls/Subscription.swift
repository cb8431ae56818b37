import Engine
import Expressions
import Schemas

/// A subscription to a trigger, for the time of one call of the plugin.
struct Subscription: Sendable {
  /// Its key in the store.
  let name: String
  /// Where events and cursor are kept.
  let store: any TriggerStore
  /// The shape of its events.
  let schema: Schema
  /// Told of every event that is new.
  let arrived: @Sendable () -> Void
  /// Called each time the plugin announces that it watches.
  let watches: @Sendable () -> Void

  /// An event; `nil` if it is not a JSON object or does not fit its schema.
  func read(_ json: [UInt8]) -> Value? {
    guard let value = try? Value(json: json), case .map = value,
      schema.validate(value).isEmpty
    else { return nil }
    return value
  }
}
