public import Expressions

/// The point where a run leaves its main line: from there on only steps run that undo, that deal with a failure, or that
/// run at the end. It decides which of them, and how the run ends.
public struct RunTurn: Sendable {
  /// Why the main line is over.
  public enum Reason: Sendable {
    /// All of its steps have ended well, and the outputs are there.
    case succeeded
    /// A step has failed, the outputs could not be evaluated, or the time was up; the step's position where it was one.
    case failed(ActionFailure, step: Int?)
    /// Somebody cancelled the run before the main line had come to its end.
    case cancelled
  }

  /// The run.
  public var run: RunID
  /// Why the main line is over.
  public var reason: Reason
  /// The declared outputs, without those that speak of the steps still to come; empty unless it succeeded.
  public var outputs: Value
  /// When that was decided.
  public var at: Timestamp

  /// Creates a turn.
  public init(run: RunID, reason: Reason, outputs: Value = .map([:]), at: Timestamp) {
    self.run = run
    self.reason = reason
    self.outputs = outputs
    self.at = at
  }
}
