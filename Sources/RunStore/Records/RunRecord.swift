public import Expressions

/// Everything the run log knows about one run.
public struct RunRecord: Sendable {
  /// The run as listings show it.
  public var summary: RunSummary
  /// The inputs with defaults filled in.
  public var inputs: Value
  /// The declared outputs; null until the run has ended.
  public var outputs: Value
  /// The machine whose process works, or worked, on the run.
  public var ownerHost: String?
  /// The number of that process.
  public var ownerProcess: Int?
  /// The steps in source order.
  public var steps: [StepRecord]

  /// The run for `sous show --json`.
  ///
  /// The fields of ``RunSummary/json``, then `{inputs, outputs, owner: {host, pid}, steps}` with the shape of
  /// ``StepRecord/json`` for each step.
  public var json: Value { .object(fields + [("steps", .list(steps.map(\.json)))]) }

  /// The fields without the steps.
  var fields: [(String, Value)] {
    summary.fields + [
      ("inputs", inputs),
      ("outputs", outputs),
      ("owner", .object([("host", .text(ownerHost)), ("pid", .number(ownerProcess))])),
    ]
  }
}
