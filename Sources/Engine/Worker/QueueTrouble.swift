/// How a worker treats a run log that fails for a while: when it tries again, and what it reports. A state machine without a
/// clock.
///
/// After the first failure the worker does not use the run log for a moment; each failed try doubles the pause. After a try that
/// works, the run log is on trial: a failure then belongs to the same trouble. A trouble is reported once when it begins and once
/// when it is over, however often the run log fails.
struct QueueTrouble: Sendable {
  /// The effect of a failure.
  enum Consequence: Sendable, Equatable {
    /// It has to be reported.
    case tell
    /// It was reported before.
    case goOn
    /// It is not temporary, or has lasted too long.
    case end
  }

  private enum State: Sendable {
    case none
    case failing(since: Double, pause: Double, nextTry: Double)
    case trial(since: Double, pause: Double, until: Double)
  }

  private static let firstPause = 0.5
  private static let longestPause = 30.0
  private static let shortestTrial = 5.0

  /// Seconds after which a trouble counts as permanent; `nil`: never.
  private let patience: Double?
  private var state = State.none

  init(patience: Double? = nil) { self.patience = patience }

  /// Whether the run log must not be used at present.
  func isResting(at now: Double) -> Bool {
    if case .failing(_, _, let nextTry) = state { now < nextTry } else { false }
  }

  /// Whether the last use of the run log failed.
  var isFailing: Bool { if case .failing = state { true } else { false } }

  /// Records a failure.
  mutating func fail(_ fault: QueueFault, at now: Double) -> Consequence {
    switch fault {
    // An error about one run costs only that run, if it is known.
    case .lasting, .ofRun: return .end
    case .passing: break
    }
    switch state {
    case .none:
      state = .failing(since: now, pause: Self.firstPause, nextTry: now + Self.firstPause)
      return .tell
    case .failing(let since, _, let nextTry):
      // Many runs may fail for the same reason at the same time.
      guard now >= nextTry else { return .goOn }
      return failAgain(since, at: now)
    case .trial(let since, _, _):
      return failAgain(since, at: now)
    }
  }

  private mutating func failAgain(_ since: Double, at now: Double) -> Consequence {
    if let patience, now - since >= patience { return .end }
    let pause =
      switch state {
      case .none: Self.firstPause
      case .failing(_, let pause, _), .trial(_, let pause, _): min(pause * 2, Self.longestPause)
      }
    state = .failing(since: since, pause: pause, nextTry: now + pause)
    return .goOn
  }

  /// Records that the run log was written and read.
  ///
  /// - Parameter isLast: Whether the worker does not use it any more.
  /// - Returns: How long the trouble lasted, in seconds, if it is over now.
  mutating func work(at now: Double, isLast: Bool = false) -> Double? {
    switch state {
    case .none: return nil
    case .failing(let since, let pause, _):
      state = .trial(since: since, pause: pause, until: now + max(pause, Self.shortestTrial))
      return isLast ? work(at: now, isLast: true) : nil
    case .trial(let since, _, let until):
      guard isLast || now >= until else { return nil }
      state = .none
      return now - since
    }
  }
}
