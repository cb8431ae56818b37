public import Expressions

/// How far a unit (a step without a loop, or one item of a loop) has come.
public enum UnitProgress: Sendable {
  /// Nothing of it is recorded.
  case notBegun
  /// Another attempt follows this one, which has failed or belongs to the run that this one repeats.
  case open(after: AttemptSnapshot)
  /// The newest attempt was cancelled half-way. Whether it took effect is asked before it is made again.
  case cancelled(AttemptSnapshot)
  /// The newest attempt has no recorded end, or nobody could say whether it took effect.
  case outcomeUnknown(AttemptSnapshot)
  /// It waits.
  case waiting(WaitStart)
  /// It has its final output.
  case succeeded(Value)
  /// It has failed for good.
  case failed(ActionFailure)

  /// Whether nothing more happens in it.
  public var isFinal: Bool {
    switch self {
    case .succeeded, .failed: true
    case .notBegun, .open, .cancelled, .outcomeUnknown, .waiting: false
    }
  }

  /// The newest attempt, where it may have taken effect without anybody knowing.
  public var unverified: AttemptSnapshot? {
    switch self {
    case .cancelled(let last), .outcomeUnknown(let last): last
    case .notBegun, .open, .waiting, .succeeded, .failed: nil
    }
  }
}

extension UnitSnapshot {
  /// How far it has come.
  public var progress: UnitProgress {
    if let output { return .succeeded(output) }
    if let wait { return .waiting(wait) }
    guard let last = lastAttempt else { return .notBegun }
    if last.kind == .carried { return .open(after: last) }
    // Its output is written together with its end, so one that succeeded without an output has lost something.
    guard last.endedAt != nil, let failure = last.failure else { return .outcomeUnknown(last) }
    if failure.kind == .cancelled { return .cancelled(last) }
    return last.retryDelay == nil ? .failed(failure) : .open(after: last)
  }
}
