public import Expressions
internal import Localization

extension ActionFailure {
  /// The failure for `--json`.
  ///
  /// `{kind, transient, message, message_de, advice, advice_de, retry_after_ms, output}`: `kind` in snake_case, `transient`
  /// says whether a repetition can help, `message` is English and `message_de` German; `advice`, `advice_de` and
  /// `retry_after_ms` (milliseconds; recorded for attempts alone) are null if the failure has none. `output` is what the failed action
  /// gave, such as exit status and output of a program; the field is absent if nothing is known of it.
  public var json: Value {
    var fields: [(String, Value)] = [
      ("kind", .string(kind.rawValue)),
      ("transient", .bool(kind.isTransient)),
      ("message", .string(message.english)),
      ("message_de", .string(message.german)),
      ("advice", .text(advice?.english)),
      ("advice_de", .text(advice?.german)),
      ("retry_after_ms", .milliseconds(retryAfter)),
    ]
    if let output { fields.append(("output", output)) }
    return .object(fields)
  }
}
