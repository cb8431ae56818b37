public import Expressions

/// The beginning of a wait: a step, or one item of it, waits for a point in time, an event or a decision.
public struct WaitStart: Sendable {
  /// The run.
  public var run: RunID
  /// The step's position in the plan.
  public var step: Int
  /// The item's position in a `for_each`.
  public var item: Int?
  /// The kind of wait.
  public var kind: WaitKind
  /// When the wait ends by itself: the point in time of a `sleep`, the timeout of the others; `nil` for never.
  public var until: Timestamp?
  /// The event's name, for `wait_for`.
  public var event: String?
  /// Distinguishes events of one name, such as the number of an order; empty for none. For a pause before the next attempt: the
  /// providers whose circuit breakers it waits for; see ``key(of:)``.
  public var key: String
  /// The question to a person, for `approve`.
  public var message: String?
  /// The JSON Schema (an object) of the answer of a person, for `approve`; `nil` for yes or no.
  public var form: Value?
  /// When it began.
  public var at: Timestamp

  /// Creates the beginning of a wait.
  public init(
    run: RunID, step: Int, item: Int?, kind: WaitKind, until: Timestamp?, event: String? = nil, key: String = "",
    message: String? = nil, form: Value? = nil, at: Timestamp
  ) {
    self.run = run
    self.step = step
    self.item = item
    self.kind = kind
    self.until = until
    self.event = event
    self.key = key
    self.message = message
    self.form = form
    self.at = at
  }

  /// The key of a pause for circuit breakers: the names of the providers between commas; empty for none.
  public static func key(of providers: [String]) -> String {
    providers.isEmpty ? "" : ",\(providers.joined(separator: ",")),"
  }
}

/// The kind of a wait.
public enum WaitKind: String, Sendable, CaseIterable {
  /// A point in time: `sleep`, `until`.
  case time
  /// An event: `wait_for`.
  case event
  /// A person's decision: `approve`.
  case approval
  /// The pause before the next attempt.
  case retry
  /// The recipe that the step runs, which waits itself.
  case recipe
}

/// The answer from outside that ended a wait.
public enum WaitAnswer: Sendable, Hashable {
  /// An event came; its payload.
  case event(Value)
  /// A person agreed; the filled-in values, and the person.
  case approved(fields: Value, by: String)
  /// A person refused; the reason, and the person.
  case rejected(reason: String, by: String)
}

/// Finds answers from outside for waits: events, decisions.
public protocol WaitAnswers: Sendable {
  /// The answer to a wait that has begun; `nil` if none has come yet.
  ///
  /// An event that came after the beginning of the run and belongs to no other wait counts, also if it came before the wait. Each
  /// call returns the same answer.
  func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer?
}
