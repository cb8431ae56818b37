/// The effect of repeating an action; it decides what the engine records, and what a recovery may repeat.
public enum Effect: String, Sendable, CaseIterable {
  /// The output depends on the input alone.
  case pure
  /// It looks at the world and changes nothing.
  case read
  /// Doing it twice with the same key is the same as doing it once.
  case idempotent
  /// Doing it twice is wrong: a mail is sent, money is moved. Give such an action ``Action/verifying(_:)``.
  case once
}
