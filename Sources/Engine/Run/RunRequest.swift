public import Expressions

/// What a run starts from.
public struct RunRequest: Sendable {
  /// The run's name.
  public var id: RunID
  /// The inputs, checked and with defaults filled in; see ``RunInputs``.
  public var inputs: Value
  /// Keywords given for this run; they override all others.
  public var keywords: [String: Value]
  /// What started it: `manual`, `schedule`.
  public var trigger: String
  /// The event that started it, null where there was none.
  public var event: Value

  /// The run that this one repeats.
  public var origin: RunID?
  /// The run whose step runs this one and waits for it.
  public var parent: RunID?
  /// The user of the server who starts it.
  public var startedBy: String?
  /// The trace that the trace of the run continues.
  public var traceParent: TraceParent?

  /// Creates a request.
  public init(
    id: RunID, inputs: Value = .map([:]), keywords: [String: Value] = [:], trigger: String = "manual",
    event: Value = .null
  ) {
    self.id = id
    self.inputs = inputs
    self.keywords = keywords
    self.trigger = trigger
    self.event = event
  }
}
