public import Engine
public import Expressions
public import Localization

/// Why an attempt, a step or a run failed, as the run log keeps it.
public struct RecordedFailure: Sendable, Hashable {
  /// The sort of failure.
  public var kind: ActionFailure.Kind
  /// What happened.
  public var message: LocalizedText
  /// What the user should do.
  public var advice: LocalizedText?
  /// Seconds the other side asked to wait; kept for attempts alone.
  public var retryAfter: Double?

  /// The failure for `--json`.
  ///
  /// `{kind, transient, message, message_de, advice, advice_de, retry_after_ms}`: `kind` in snake_case, `transient`
  /// says whether a repetition can help, `message` is English and `message_de` German; `advice`, `advice_de` and
  /// `retry_after_ms` (milliseconds) are null where there is none.
  public var json: Value {
    .object([
      ("kind", .string(kind.rawValue)),
      ("transient", .bool(kind.isTransient)),
      ("message", .string(message.english)),
      ("message_de", .string(message.german)),
      ("advice", .text(advice?.english)),
      ("advice_de", .text(advice?.german)),
      ("retry_after_ms", .milliseconds(retryAfter)),
    ])
  }
}
