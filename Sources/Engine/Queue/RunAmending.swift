public import Expressions
public import Localization

/// Changes or withdraws runs that have had no effect yet.
///
/// What a person changes in a run that waits competes with the process that claims it. Each change is one transaction with
/// the claim's own condition: it happens as a whole before the run is claimed, or it is refused and nothing has changed.
public protocol RunAmending: Sendable {
  /// Changes a run that nobody works on and that has had no effect yet; on disk when it returns.
  ///
  /// - Parameters:
  ///   - run: A run that is no part of another one.
  ///   - amendment: What is to become of it.
  ///   - inputs: The inputs that whoever asks has seen: where the run has others by now, nothing changes. `nil` where that
  ///     does not matter.
  ///   - fingerprint: That of the plan that whoever asks has seen, likewise.
  ///   - now: The time of day.
  /// - Returns: Whether it was changed, or why not.
  func amend(
    _ run: RunID, _ amendment: RunAmendment, replacing inputs: Value?, of fingerprint: String?, at now: Timestamp
  ) async throws -> AmendOutcome
}

extension RunAmending {
  /// Changes a run whatever its plan is by now; see ``amend(_:_:replacing:of:at:)``.
  public func amend(
    _ run: RunID, _ amendment: RunAmendment, replacing inputs: Value?, at now: Timestamp
  ) async throws -> AmendOutcome {
    try await amend(run, amendment, replacing: inputs, of: nil, at: now)
  }
}

/// What is to become of a run that has had no effect yet.
public enum RunAmendment: Sendable {
  /// It begins anew under the same name: what it has waited for and computed is forgotten, and it joins the queue with this.
  case restart(RunStart)
  /// It is cancelled, and nothing of it happens any more. What its recipe would undo has not happened.
  case withdraw(reason: LocalizedText)
}

/// What became of the wish to change a run.
public enum AmendOutcome: Sendable, Equatable {
  /// It is changed.
  case done
  /// A process works on it; what people know it by.
  case taken(by: String)
  /// A step with an effect has begun, or a run of its own.
  case begun
  /// It has ended, with this status.
  case ended(RunStatus)
  /// Its inputs or its plan are not those that whoever asks has seen.
  case changed
  /// It belongs to another run and goes with it.
  case part
  /// No such run is known.
  case absent
}
