public import Expressions

/// What is recorded of a step without a loop, or of one item of a loop; ``progress`` says how far it has come.
public struct UnitSnapshot: Sendable {
  /// A failed attempt that counts for the retry policy.
  public struct Failure: Sendable, Hashable {
    /// Who was asked.
    public var asked: AttemptKind
    /// Why it failed.
    public var kind: ActionFailure.Kind

    /// Creates a failed attempt.
    public init(asked: AttemptKind, kind: ActionFailure.Kind) {
      self.asked = asked
      self.kind = kind
    }
  }

  /// The item's position; `nil` for a step without a loop.
  public var item: Int?
  /// Its final output.
  public var output: Value?
  /// How many attempts it has made.
  public var attempts: Int
  /// Those of them, in order, that failed for the provider's sake, rather than by being cancelled or by the end of the
  /// process.
  public var failures: [Failure]
  /// The newest attempt.
  public var lastAttempt: AttemptSnapshot?
  /// The wait that has begun and not ended.
  public var wait: WaitStart?

  /// Creates a snapshot.
  public init(
    item: Int?, output: Value? = nil, attempts: Int = 0, failures: [Failure] = [],
    lastAttempt: AttemptSnapshot? = nil, wait: WaitStart? = nil
  ) {
    self.item = item
    self.output = output
    self.attempts = attempts
    self.failures = failures
    self.lastAttempt = lastAttempt
    self.wait = wait
  }

  /// How many repetitions of a step with `repeat` have ended without making `until` true.
  public var repetitions: Int { failures.count { $0.kind == .notYet } }

  /// The failures of the current repetition; of a step without `repeat`, all.
  public var openFailures: ArraySlice<Failure> {
    failures[(failures.lastIndex { $0.kind == .notYet }.map { $0 + 1 } ?? failures.startIndex)...]
  }

  /// Takes the intent of an attempt in.
  public mutating func begin(_ start: AttemptStart) {
    attempts += 1
    lastAttempt = AttemptSnapshot(
      number: start.number, kind: start.kind, key: start.key, firstStart: lastAttempt?.firstStart ?? start.at)
  }

  /// Takes the end of the newest attempt in.
  ///
  /// - Parameter counts: Whether a failure counts for the retry policy.
  public mutating func end(_ end: AttemptEnd, counts: Bool = true) {
    guard let last = lastAttempt else { return }
    lastAttempt?.endedAt = end.isUncertain ? nil : end.at
    lastAttempt?.failure = end.failure
    lastAttempt?.duration = end.duration
    lastAttempt?.retryDelay = end.retryDelay
    guard counts, !end.isUncertain, let failure = end.failure, failure.kind != .cancelled else { return }
    failures.append(Failure(asked: last.kind, kind: failure.kind))
  }
}

/// The newest attempt of a unit.
public struct AttemptSnapshot: Sendable {
  /// 1 for the first attempt.
  public var number: Int
  /// Who is asked.
  public var kind: AttemptKind
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

  /// Why nobody knows whether it took effect, where somebody has tried to find out.
  var doubt: ActionFailure? { endedAt == nil ? failure : nil }

  /// Creates a snapshot.
  public init(
    number: Int, kind: AttemptKind, key: String, firstStart: Timestamp, endedAt: Timestamp? = nil,
    failure: ActionFailure? = nil, retryDelay: Double? = nil
  ) {
    self.number = number
    self.kind = kind
    self.key = key
    self.firstStart = firstStart
    self.endedAt = endedAt
    self.failure = failure
    self.retryDelay = retryDelay
  }
}
