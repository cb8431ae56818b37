public import Engine
public import Expressions

/// A run that has ended or needs attention, as a trigger sees it.
public struct EndedRun: Sendable {
  /// The id of this end among the events of a subscription. A run that needs attention and fails later has two ends.
  public var event: String
  /// The run.
  public var run: RunID
  /// The recipe's name.
  public var recipe: String
  /// How it has ended.
  public var status: RunStatus
  /// When.
  public var endedAt: Timestamp
  /// Why it failed or needs attention.
  public var failure: ActionFailure?
  /// The step that failed, or whose outcome is unknown.
  public var step: String?
  /// The names of the recipes whose ends led to this run, the first one first.
  public var chain: [String]

  init(_ row: RowReader) throws {
    (event, run) = (try row.text("event_id"), RunID(rawValue: try row.text("id")))
    (recipe, status, endedAt) = (try row.text("recipe"), try row.choice("status"), try row.time("ended_at"))
    (failure, step) = (try row.failure(), row.optionalText("step"))
    let cause = try row.value("event", blob: "event_content")
    chain = cause?["chain"]?.listValue?.compactMap(\.stringValue) ?? []
  }
}
