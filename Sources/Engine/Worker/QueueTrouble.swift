/// What somebody who works through a queue makes of a run log that fails for a while: when it is tried again, and what
/// is said about it. A state machine without a clock.
///
/// After the first failure nothing is asked of the run log for a moment; each try that fails doubles the pause. When a
/// try works, the run log is on trial: a failure then belongs to the same trouble. A trouble is told of once when it
/// begins and once when it is over, however often it fails.
struct QueueTrouble: Sendable {
  /// What comes of a failure.
  enum Consequence: Sendable, Equatable {
    /// It is to be told.
    case tell
    /// It has been told.
    case goOn
    /// It does not pass, or has not passed for too long.
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

  /// Seconds after which a trouble counts as one that does not pass; `nil` where it may last for ever.
  private let patience: Double?
  private var state = State.none

  init(patience: Double? = nil) { self.patience = patience }

  /// Whether the run log is not to be asked just now.
  func isResting(at now: Double) -> Bool {
    if case .failing(_, _, let nextTry) = state { now < nextTry } else { false }
  }

  /// Whether the last thing known of the run log is that it fails.
  var isFailing: Bool { if case .failing = state { true } else { false } }

  /// Takes in a failure.
  mutating func fail(_ fault: QueueFault, at now: Double) -> Consequence {
    switch fault {
    // What is about one run costs only that run, where it is known which.
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

  /// Takes in that the run log has been written and read.
  ///
  /// - Parameter isLast: Whether nothing more will be asked of it.
  /// - Returns: How long the trouble lasted, in seconds, where it is now over.
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
