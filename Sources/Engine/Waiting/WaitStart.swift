public import Expressions

/// The beginning of a wait: a step, or one item of it, stands still until a point in time, an event or a decision.
public struct WaitStart: Sendable {
  /// The run.
  public var run: RunID
  /// The step's position in the plan.
  public var step: Int
  /// The item's position in a `for_each`.
  public var item: Int?
  /// What it waits for.
  public var kind: WaitKind
  /// When the wait ends by itself: the point in time of a `sleep`, the timeout of the others; `nil` for never.
  public var until: Timestamp?
  /// The event's name, for `wait_for`.
  public var event: String?
  /// What tells events of one name apart, such as an order's number; empty where nothing does. For a pause before the next
  /// attempt, the providers whose circuit breakers it waits for; see ``key(of:)``.
  public var key: String
  /// What a person is asked, for `approve`.
  public var message: String?
  /// The JSON Schema (an object) of what a person answers, for `approve`; `nil` where a yes or no is all.
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

  /// What a pause for circuit breakers is kept with: the providers' names between commas; empty where there is none.
  public static func key(of providers: [String]) -> String {
    providers.isEmpty ? "" : ",\(providers.joined(separator: ",")),"
  }
}

/// What a step waits for.
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

/// What ended a wait from outside.
public enum WaitAnswer: Sendable, Hashable {
  /// An event came; its payload.
  case event(Value)
  /// A person agreed; what was filled in, and who it was.
  case approved(fields: Value, by: String)
  /// A person refused; why, and who it was.
  case rejected(reason: String, by: String)
}

/// Tells of what ends waits from outside: events, decisions.
public protocol WaitAnswers: Sendable {
  /// What has come for a wait that has begun; `nil` where nothing has come yet.
  ///
  /// An event that came after the run had begun and that no other wait has taken counts, even where it came before the
  /// wait. The same answer is given each time.
  func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer?
}
