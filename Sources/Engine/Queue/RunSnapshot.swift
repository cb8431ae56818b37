public import Expressions

/// All that is recorded of an unfinished run: what it started from, and how far it has come.
public struct RunSnapshot: Sendable {
  /// What it started from.
  public var start: RunStart
  /// The steps, by their position in the plan.
  public var steps: [StepSnapshot]
  /// Whether somebody has asked to call it off.
  public var isCancelRequested: Bool
  /// Whether anything of it has begun.
  public var hasBegun: Bool { steps.contains { $0.status != .pending || !$0.units.isEmpty } }

  /// Creates a snapshot.
  public init(start: RunStart, steps: [StepSnapshot], isCancelRequested: Bool = false) {
    self.start = start
    self.steps = steps
    self.isCancelRequested = isCancelRequested
  }
}

/// How far a step has come.
public struct StepSnapshot: Sendable {
  /// Where it stands.
  public var status: StepStatus
  /// The length of its `for_each`; `nil` where it has none or has not begun.
  public var itemCount: Int?
  /// The failure that ended it.
  public var failure: ActionFailure?
  /// What is known of the step, or of its items; units that have not begun are absent.
  public var units: [UnitSnapshot]
  /// When it began, its condition included; `nil` for one that did not begin, and for one that was skipped because the run
  /// had stopped.
  public var startedAt: Timestamp?

  /// Creates a snapshot.
  public init(
    status: StepStatus = .pending, itemCount: Int? = nil, failure: ActionFailure? = nil, units: [UnitSnapshot] = [],
    startedAt: Timestamp? = nil
  ) {
    self.startedAt = startedAt
    self.status = status
    self.itemCount = itemCount
    self.failure = failure
    self.units = units
  }
}

/// How far a step without a loop, or one item of a loop, has come.
public struct UnitSnapshot: Sendable {
  /// The item's position; `nil` for a step without a loop.
  public var item: Int?
  /// Its final output.
  public var output: Value?
  /// How many attempts it has made.
  public var attempts: Int
  /// How many of them failed for the provider's sake, rather than by being called off or by the end of the process.
  public var failures: Int
  /// The newest attempt.
  public var lastAttempt: AttemptSnapshot?
  /// The wait that has begun and not ended.
  public var wait: WaitStart?

  /// The failure after which the unit was given up; `nil` where it goes on.
  var finalFailure: ActionFailure? {
    guard output == nil, wait == nil, let last = lastAttempt, last.endedAt != nil, last.retryDelay == nil else {
      return nil
    }
    // Called off half-way: it is taken up again.
    return last.failure?.kind == .cancelled ? nil : last.failure
  }

  /// Takes in an attempt that has failed.
  mutating func take(_ end: AttemptEnd, of start: AttemptStart) {
    attempts = end.number
    failures += 1
    lastAttempt = AttemptSnapshot(
      number: end.number, provider: start.provider, key: start.key, firstStart: lastAttempt?.firstStart ?? start.at,
      endedAt: end.at, failure: end.failure, retryDelay: end.retryDelay)
    wait = nil
  }

  /// Creates a snapshot.
  public init(
    item: Int?, output: Value? = nil, attempts: Int = 0, failures: Int = 0, lastAttempt: AttemptSnapshot? = nil,
    wait: WaitStart? = nil
  ) {
    self.item = item
    self.output = output
    self.attempts = attempts
    self.failures = failures
    self.lastAttempt = lastAttempt
    self.wait = wait
  }
}

/// The newest attempt of a unit.
public struct AttemptSnapshot: Sendable {
  /// 1 for the first attempt.
  public var number: Int
  /// The provider's configured name.
  public var provider: String
  /// The idempotency key; for a recipe that a step runs, the child's run.
  public var key: String
  /// When the unit's first attempt began.
  public var firstStart: Timestamp
  /// When it ended; `nil` where its end is not recorded, so that nobody knows whether it took effect.
  public var endedAt: Timestamp?
  /// Why it failed.
  public var failure: ActionFailure?
  /// Seconds from its end to the next attempt; `nil` where there was to be none.
  public var retryDelay: Double?
  /// How long it took, in seconds; `nil` where that is not recorded.
  public var duration: Double?

  /// Whether it has ended and nobody knows if it took effect.
  var isInDoubt: Bool { endedAt == nil && failure != nil }

  /// Creates a snapshot.
  public init(
    number: Int, provider: String, key: String, firstStart: Timestamp, endedAt: Timestamp? = nil,
    failure: ActionFailure? = nil, retryDelay: Double? = nil
  ) {
    self.number = number
    self.provider = provider
    self.key = key
    self.firstStart = firstStart
    self.endedAt = endedAt
    self.failure = failure
    self.retryDelay = retryDelay
  }
}
