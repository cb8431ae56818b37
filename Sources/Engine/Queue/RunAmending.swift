public import Expressions
public import Localization

/// Changes or withdraws runs that have had no effect yet.
///
/// A change by a person competes with the process that claims the run. Each change is one transaction with the condition of the
/// claim: it is applied as a whole before the claim, or it is refused and nothing changes.
public protocol RunAmending: Sendable {
  /// Changes a run that no process works on and that has had no effect yet; on the disk when it returns.
  ///
  /// - Parameters:
  ///   - run: A run that is not part of another one.
  ///   - amendment: The change.
  ///   - inputs: The inputs that the caller has seen: if the run has others by now, nothing changes. `nil`: no check.
  ///   - fingerprint: The fingerprint of the plan that the caller has seen, likewise.
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

/// A change of a run whose steps have had no effect yet.
public enum RunAmendment: Sendable {
  /// It starts again under the same name: its waits and results are removed, and it joins the queue with this start.
  case restart(RunStart)
  /// It is cancelled, without the steps of `undo`: none of its effects has happened.
  case withdraw(reason: LocalizedText)
}

/// The answer to an amendment.
public enum AmendOutcome: Sendable, Equatable {
  /// It is changed.
  case done
  /// A process works on it; its name for people.
  case taken(by: String)
  /// A step with an effect has begun, or a run of its own.
  case begun
  /// It has ended, with this status.
  case ended(RunStatus)
  /// Its inputs or its plan differ from those that the caller has seen.
  case changed
  /// It is part of another run.
  case part
  /// No such run is recorded.
  case absent
}
