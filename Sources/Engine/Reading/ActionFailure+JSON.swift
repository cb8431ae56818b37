public import Expressions
internal import Localization

extension ActionFailure {
  /// The failure for `--json`.
  ///
  /// `{kind, transient, message, message_de, advice, advice_de, retry_after_ms}`: `kind` in snake_case, `transient`
  /// says whether a repetition can help, `message` is English and `message_de` German; `advice`, `advice_de` and
  /// `retry_after_ms` (milliseconds; recorded for attempts alone) are null where there is none.
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
