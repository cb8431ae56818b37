public import Engine
public import Expressions
internal import GRDB
internal import Synchronization

extension RunStore: RunQueue {
  /// Takes runs that can be worked on; see `RunQueue`.
  ///
  /// Where there is none, nothing is written and nobody else is held up.
  ///
  /// - Throws: ``RunStoreError``, `process_lost` among them.
  public func claim(limit: Int, at now: Timestamp) async throws -> [RunID] {
    guard let owner = writer?.owner else { throw RunStoreError.readOnly(path: path) }
    let path = path
    let isWorthwhile = try await look(isSettled: false) { database in
      try RunClaims(database: database, owner: owner, id: owner.id, now: now, path: path).canClaim()
    }
    guard isWorthwhile else { return [] }
    let runs = try await change { writing in
      try RunClaims(database: writing.database, owner: owner, id: writing.owner, now: now, path: path)
        .claim(limit: limit)
    }
    claimed.withLock { $0.formUnion(runs) }
    return runs
  }

  /// Takes one run; see `RunQueue`.
  ///
  /// - Throws: ``RunStoreError``, `process_lost` among them, or `database_copied` where a run of the original has its
  ///   concurrency group in a copy.
  public func claim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try await claim(run, at: now, isAgain: false)
  }

  /// Takes one run, also one of this process that nothing works on any more; see `RunQueue`.
  ///
  /// - Throws: ``RunStoreError``, `process_lost` among them.
  public func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try await claim(run, at: now, isAgain: true)
  }

  private func claim(_ run: RunID, at now: Timestamp, isAgain: Bool) async throws -> ClaimOutcome {
    guard let owner = writer?.owner else { throw RunStoreError.readOnly(path: path) }
    let path = path
    let outlook = try await look(isSettled: false) { database in
      try RunClaims(database: database, owner: owner, id: owner.id, now: now, path: path)
        .outlook(for: run, isAgain: isAgain)
    }
    let outcome: ClaimOutcome
    if let outlook {
      outcome = outlook
    } else {
      outcome = try await change { writing in
        try RunClaims(database: writing.database, owner: owner, id: writing.owner, now: now, path: path)
          .claim(run, isAgain: isAgain)
      }
    }
    switch outcome {
    case .groupTaken(let other), .groupLeft(let other): try await requireOwn(other)
    default: break
    }
    return outcome
  }

  /// All that is recorded of a run; see `RunQueue`.
  ///
  /// - Throws: ``RunStoreError`` with code `run_not_found`, or where something recorded before cannot be written yet.
  public func snapshot(of run: RunID) async throws -> RunSnapshot {
    let path = path
    let isFresh = claimed.withLock { $0.remove(run) } != nil
    if !isFresh { try await writer?.settleFully() }
    return try await look(isSettled: false) { try SnapshotReading(database: $0, path: path).snapshot(of: run) }
  }

  /// How a run has ended; `nil` where it has not, or is not known.
  public func result(of run: RunID) async throws -> RunResult? {
    let path = path
    return try await look { try SnapshotReading(database: $0, path: path).result(of: run) }
  }

  /// Whether something that a resumed run needs is gone; see `RunQueue`.
  public func hasLostOrigin(_ run: RunID) async throws -> Bool {
    try await look { database in
      try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            WITH RECURSIVE line (id) AS (
              SELECT ? UNION SELECT runs.parent FROM runs JOIN line USING (id) WHERE runs.parent IS NOT NULL
              UNION SELECT runs.origin FROM runs JOIN line USING (id) WHERE runs.origin IS NOT NULL)
            SELECT EXISTS (SELECT 1 FROM line LEFT JOIN runs USING (id)
              WHERE status IS NULL OR status = \(RunReading.removed))
            """), arguments: [run.rawValue]) == true
    }
  }

  /// When the next waiting run is due; `nil` where none waits for a point in time.
  public func nextDue() async throws -> Timestamp? {
    try await look(isSettled: false) { database in
      try String.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT due_at FROM runs INDEXED BY runs_due
            WHERE status = 'waiting' AND parent IS NULL AND due_at IS NOT NULL ORDER BY due_at LIMIT 1
            """)
      ).flatMap(Timestamp.init(rfc3339:))
    }
  }

  /// The runs of this process that somebody has asked to cancel.
  public func cancelRequests() async throws -> [RunID] {
    guard let id = writer?.owner.id else { return [] }
    return try await look(isSettled: false) { database in
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id FROM runs INDEXED BY runs_to_cancel
            WHERE cancel_requested = 1 AND status = 'running' AND owner = ?
            """), arguments: [id]
      ).map(RunID.init(rawValue:))
    }
  }

  /// The runs that repeat a run, oldest first; see `RunQueue`.
  public func repetitions(of run: RunID) async throws -> [RunID] {
    try await look { database in
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id FROM runs WHERE origin = ? AND parent IS NULL AND trigger <> '\(RunStart.replayTrigger)'
              AND status <> \(RunReading.removed)
            ORDER BY id
            """), arguments: [run.rawValue]
      ).map(RunID.init(rawValue:))
    }
  }

  /// Asks to cancel a run; nothing where it has ended.
  ///
  /// - Throws: ``RunStoreError`` with code `run_not_found`.
  public func requestCancel(of run: RunID) async throws {
    let now = time.now
    try await change(isDurable: true) { writing in
      let database = writing.database
      guard
        let text = try String.fetchOne(database, sql: "SELECT status FROM runs WHERE id = ?", arguments: [run.rawValue])
      else { throw RunStoreError.runNotFound(run.rawValue) }
      guard RunStatus(rawValue: text)?.isFinal == false else { return }
      try RunTransitions(database: database).requestCancel(of: run, at: now)
    }
  }

  /// Makes runs due that are held; see `RunQueue`.
  public func releaseHeld(_ run: RunID?, at now: Timestamp) async throws {
    let isWorthwhile = try await look { try !RunTransitions.postponed(run, $0).isEmpty }
    guard isWorthwhile else { return }
    try await change(isDurable: true) { writing in
      try RunTransitions(database: writing.database).releasePostponed(run, at: now)
    }
  }

  /// Shows processes of other machines that this one is alive.
  public func beat() async throws {
    try await change { writing in
      try writing.database.execute(
        sql: "UPDATE processes SET beat = beat + 1 WHERE id = ?", arguments: [writing.owner])
    }
  }

  /// What has come for a wait; see `WaitAnswers`.
  public func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
    let now = time.now
    let path = path
    return try await change(isDurable: true) { writing in
      try WaitMatching(database: writing.database, path: path).answer(run: run, step: step, item: item ?? -1, at: now)
    }
  }
}

extension RunStore: ResultCache {
  /// A result that has not expired.
  public func cachedResult(_ key: String, at now: Timestamp) async throws -> Value? {
    let path = path
    return try await look { database in
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT value, (SELECT content FROM blobs WHERE hash = blob) AS content FROM cache
            WHERE key = ? AND expires_at > ?
            """), arguments: [key, now.rfc3339Milliseconds])
      return try row.flatMap { try RowReader(row: $0, path: path).value("value", blob: "content") }
    }
  }

  /// Keeps a result; replaces an older one.
  public func keepResult(_ value: Value, key: String, until expiry: Timestamp) async throws {
    let stored = StoredValue(value)
    try await change { writing in
      let old = try String.fetchOne(
        writing.database, sql: "SELECT blob FROM cache WHERE key = ? AND blob IS NOT ?", arguments: [key, stored.hash])
      try writing.insertBlob(stored)
      try writing.database.execute(
        sql: "INSERT OR REPLACE INTO cache (key, value, blob, expires_at) VALUES (?, ?, ?, ?)",
        arguments: [key, stored.inlineText, stored.hash, expiry.rfc3339Milliseconds])
      if let old {
        var removal = RunRemoval(writing.database)
        try removal.removeBlob(old)
      }
    }
  }
}
