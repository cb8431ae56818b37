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

  /// Creates a description of an end.
  public init(
    event: String, run: RunID, recipe: String, status: RunStatus, endedAt: Timestamp, failure: ActionFailure?,
    step: String?, chain: [String]
  ) {
    (self.event, self.run, self.recipe, self.status, self.endedAt) = (event, run, recipe, status, endedAt)
    (self.failure, self.step, self.chain) = (failure, step, chain)
  }
}
