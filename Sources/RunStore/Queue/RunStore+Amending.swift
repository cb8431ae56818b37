public import Engine
public import Expressions
internal import GRDB
internal import Synchronization

extension RunStore: RunAmending {
  /// Changes a run that nobody works on and that has had no effect yet; see `RunAmending`. On disk when it returns.
  ///
  /// - Throws: ``RunStoreError``, `process_lost` among them.
  public func amend(
    _ run: RunID, _ amendment: RunAmendment, replacing inputs: Value?, of fingerprint: String?, at now: Timestamp
  ) async throws -> AmendOutcome {
    guard let owner = writer?.owner else { throw RunStoreError.readOnly(path: path) }
    let path = path
    // Values are made into rows before the transaction, which others wait for.
    let change: RunChange
    switch amendment {
    case .restart(var start):
      (start.run, start.isQueued, start.at) = (run, true, now)
      change = .restart(PreparedEntry(.runStarted(start)))
    case .withdraw(let reason):
      let failure = ActionFailure(.cancelled, reason)
      change = .withdraw(RunEnd(run: run, status: .cancelled, outputs: .map([:]), failure: failure, at: now))
    }
    let seen = inputs.map { StoredValue($0) }
    let outcome = try await self.change(isDurable: true) { writing in
      let claims = RunClaims(database: writing.database, owner: owner, id: writing.owner, now: now, path: path)
      if let refusal = try claims.refusal(of: change, run, replacing: seen, of: fingerprint) { return refusal }
      switch change {
      case .restart(let entry):
        try writing.database.execute(sql: "DELETE FROM runs WHERE id = ?", arguments: [run.rawValue])
        try writing.write([entry])
      case .withdraw(let end): try RunTransitions(database: writing.database).withdraw(end)
      }
      return AmendOutcome.done
    }
    _ = claimed.withLock { $0.remove(run) }
    return outcome
  }
}

/// A change of a run that is ready to be written.
enum RunChange: Sendable {
  case restart(PreparedEntry)
  case withdraw(RunEnd)

  var isRestart: Bool { if case .restart = self { true } else { false } }
}

extension RunClaims {
  /// Why a run cannot be changed; `nil` where it can, and then no process writes about it any more.
  fileprivate func refusal(
    of change: RunChange, _ run: RunID, replacing inputs: StoredValue?, of fingerprint: String?
  ) throws -> AmendOutcome? {
    let found = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT status, owner, parent, inputs, inputs_blob, fingerprint FROM runs WHERE id = ? AND status <> \(RunReading.removed)
          """), arguments: [run.rawValue])
    guard let found else { return .absent }
    let columns = RowReader(row: found, path: path)
    if columns.optionalText("parent") != nil { return .part }
    let status: RunStatus = try columns.choice("status")
    switch status {
    case .succeeded, .failed, .skipped, .cancelled: return .ended(status)
    case .needsAttention: return .begun
    case .running:
      let worker = try columns.optionalInteger("owner").flatMap { try OwnerRecord.find($0, database, path: path) }
      guard let worker, worker.id != id, owner.isGone(worker) else {
        return .taken(by: worker?.name ?? "")
      }
      if try hasEffect(run, change) { return .begun }
      try shutOut(worker)
    case .queued, .waiting, .interrupted: if try hasEffect(run, change) { return .begun }
    }
    let isSame = inputs.map {
      $0.hash == columns.optionalText("inputs_blob") && $0.inlineText == columns.optionalText("inputs")
    }
    let hasSamePlan = try fingerprint.map { try columns.text("fingerprint") == $0 }
    return isSame == false || hasSamePlan == false ? .changed : nil
  }

  /// Whether a run has begun something that reaches outside: an attempt of a step with an effect, or another run. For a
  /// withdrawal an attempt that has failed for certain does not count; the newest one of a unit that was cancelled does, as it
  /// may have taken effect.
  private func hasEffect(_ run: RunID, _ change: RunChange) throws -> Bool {
    let isOpen =
      change.isRestart
      ? "1"
      : """
      (a.ended_at IS NULL OR a.uncertain = 1 OR a.status = 'succeeded' OR a.failure_kind = 'cancelled'
        AND a.uncertain = 0 AND NOT EXISTS (
          SELECT 1 FROM attempts AS b
          WHERE b.run = a.run AND b.step = a.step AND b.item = a.item AND b.number > a.number))
      """
    return try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM runs WHERE parent = ?1) OR EXISTS (
          SELECT 1 FROM attempts AS a JOIN steps AS s ON s.run = a.run AND s.position = a.step
          WHERE a.run = ?1 AND s.effect IN ('idempotent', 'once') AND \(isOpen))
        """, arguments: [run.rawValue]) == true
  }
}
