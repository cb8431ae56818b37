public import Expressions
import Recipes
import Synchronization

extension MemoryStore: RunAmending {
  /// Changes a run that nobody works on and that has had no effect yet; see `RunAmending`.
  public func amend(
    _ run: RunID, _ amendment: RunAmendment, replacing inputs: Value?, of fingerprint: String?, at now: Timestamp
  ) async throws -> AmendOutcome {
    try log.state.withLock { state in
      guard state.processes.contains(process) else { throw MemoryStoreError.processLeft }
      guard let found = state.runs[run] else { return .absent }
      if let refusal = state.refusal(of: amendment, found, replacing: inputs, of: fingerprint) { return refusal }
      var changed = state
      switch amendment {
      case .restart(let start):
        var start = start
        (start.run, start.isQueued, start.at) = (run, true, now)
        changed.runs[run] = nil
        try changed.begin(start, by: process, at: now)
        changed.runs[run]?.lines = found.lines
      case .withdraw(let reason):
        let failure = ActionFailure(.cancelled, reason)
        changed.runs[run]?.withdraw(
          RunEnd(run: run, status: .cancelled, outputs: .map([:]), failure: failure, at: now))
      }
      state = changed
      return .done
    }
  }
}

extension MemoryState {
  /// Why a run cannot be changed; `nil` where it can.
  fileprivate func refusal(
    of amendment: RunAmendment, _ run: MemoryRun, replacing inputs: Value?, of fingerprint: String?
  ) -> AmendOutcome? {
    if run.start.parent != nil { return .part }
    switch status(of: run) {
    case .succeeded, .failed, .skipped, .cancelled: return .ended(run.status)
    case .running: return .taken(by: "process \(run.owner ?? 0)")
    case .needsAttention: return .begun
    case .queued, .waiting, .interrupted: break
    }
    if runs.values.contains(where: { $0.start.parent == run.start.run }) { return .begun }
    if run.hasEffect(whereFailed: amendment.isRestart) { return .begun }
    if let inputs, inputs.jsonString != run.start.inputs.jsonString { return .changed }
    if let fingerprint, fingerprint != run.start.fingerprint { return .changed }
    return nil
  }
}

extension RunAmendment {
  fileprivate var isRestart: Bool { if case .restart = self { true } else { false } }
}

extension MemoryRun {
  /// Whether a step with an effect has taken it, or may have.
  ///
  /// - Parameter counts: Whether an attempt that has failed for certain counts.
  fileprivate func hasEffect(whereFailed counts: Bool) -> Bool {
    zip(start.steps, steps).contains { planned, step in
      guard planned.effect == .once || planned.effect == .idempotent else { return false }
      return step.units.values.contains { unit in
        unit.attempts.contains { attempt in
          if counts { return true }
          guard let end = attempt.end, !end.isUncertain, let failure = end.failure else { return true }
          // Cancelled half-way, it may have taken effect.
          return failure.kind == .cancelled && attempt.start.number == unit.attempts.last?.start.number
        }
      }
    }
  }

  /// Ends a run that is withdrawn: what waits, ends.
  fileprivate mutating func withdraw(_ end: RunEnd) {
    for index in steps.indices where [.pending, .running].contains(steps[index].snapshot.status) {
      steps[index].snapshot.status = steps[index].snapshot.status == .running ? .cancelled : .skipped
      for item in steps[index].units.keys { steps[index].units[item]?.wait = nil }
    }
    finish(end)
  }
}
