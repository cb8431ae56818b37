public import Expressions

/// How a run ended.
public struct RunResult: Sendable {
  /// The run.
  public var id: RunID
  /// How it ended.
  public var status: RunStatus
  /// The declared outputs; empty unless it succeeded.
  public var outputs: Value
  /// The failure that ended it.
  public var failure: ActionFailure?
  /// When a run that is ``RunStatus/waiting`` is resumed without input; `nil` if only an answer or an event ends the wait.
  public var due: Timestamp?

  /// Creates a result.
  public init(id: RunID, status: RunStatus, outputs: Value, failure: ActionFailure?) {
    self.id = id
    self.status = status
    self.outputs = outputs
    self.failure = failure
  }
}
