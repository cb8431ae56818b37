public import Engine
public import Expressions
internal import GRDB

extension RunStore: WaitDelivery {
  /// The waits that have begun and not ended, oldest first; decisions for which it is too late are left out.
  ///
  /// - Parameters:
  ///   - run: Only those of this run; `nil` for all decisions that people are asked for.
  ///   - includesParts: Whether those of runs that the run's steps run belong to them.
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func openWaits(of run: RunID? = nil, includesParts: Bool = false) async throws(RunStoreError) -> [OpenWait] {
    let path = path
    let now = time.now
    let scope = run.map { RunReading.WaitScope.run($0, includesParts: includesParts) } ?? .decisions
    return try await read { try RunReading.waits(scope, openAt: now, $0, path: path) }
  }

  /// Makes a decision that a run waits for; on disk when it returns.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - step: The step's name; `nil` where only one decision is open.
  ///   - item: The item's position in a `for_each`.
  ///   - approved: Whether the person agrees.
  ///   - fields: What was filled in, which fits the wait's form.
  ///   - reason: Why the person refuses.
  ///   - by: Who it is.
  /// - Throws: ``RunStoreError``: `run_not_found`, `wait_not_found`, `wait_ambiguous`.
  public func decide(
    run: RunID, step: String? = nil, item: Int? = nil, approved: Bool, fields: Value = .map([:]), reason: String = "",
    by: String
  ) async throws {
    let now = time.now
    let path = path
    let filled = String(decoding: fields.json(), as: UTF8.self)
    try await change(isDurable: true) { writing in
      let database = writing.database
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT w.step, w.item, s.id FROM waits AS w JOIN steps AS s ON s.run = w.run AND s.position = w.step
          WHERE w.run = ? AND w.kind = 'approval' AND w.ended_at IS NULL AND w.answer IS NULL
            AND (? IS NULL OR s.id = ?) AND (? IS NULL OR w.item = ?) AND (w.until IS NULL OR w.until > ?)
          ORDER BY w.step, w.item
          """, arguments: [run.rawValue, step, step, item, item, now.rfc3339Milliseconds])
      guard let wait = rows.first else {
        let over = try String.fetchOne(
          database,
          sql: """
            SELECT w.until FROM waits AS w JOIN steps AS s ON s.run = w.run AND s.position = w.step
            WHERE w.run = ? AND w.kind = 'approval' AND w.ended_at IS NULL AND w.answer IS NULL AND w.until <= ?
              AND (? IS NULL OR s.id = ?) AND (? IS NULL OR w.item = ?) LIMIT 1
            """, arguments: [run.rawValue, now.rfc3339Milliseconds, step, step, item, item])
        if let over { throw RunStoreError.waitIsOver(run, until: over) }
        let isKnown = try Bool.fetchOne(database, sql: "SELECT 1 FROM runs WHERE id = ?", arguments: [run.rawValue])
        throw isKnown == nil ? RunStoreError.runNotFound(run.rawValue) : .waitNotFound(run, step: step)
      }
      guard rows.count == 1 else {
        throw RunStoreError.waitAmbiguous(run, steps: try rows.map { try RowReader(row: $0, path: path).text("id") })
      }
      let place = RowReader(row: wait, path: path)
      try database.execute(
        sql: """
          UPDATE waits SET answer = ?, answer_value = ?, answer_reason = ?, answered_by = ?, answered_at = ?
          WHERE run = ? AND step = ? AND item = ?
          """,
        arguments: [
          approved ? "approved" : "rejected", approved ? filled : nil, reason, by, now.rfc3339Milliseconds,
          run.rawValue, try place.integer("step"), try place.integer("item"),
        ])
      try RunTransitions(database: database).wake(run, at: now)
    }
  }

  /// Delivers an event; on disk when it returns. The oldest wait that it fits takes it; otherwise it is kept for a later
  /// wait of a run that has begun, or stands in the queue, by now.
  ///
  /// - Parameters:
  ///   - name: The event's name.
  ///   - key: What tells events of one name apart; empty where nothing does.
  ///   - payload: What it says.
  /// - Returns: The run that takes it.
  /// - Throws: ``RunStoreError`` where it cannot be written.
  @discardableResult
  public func deliver(event name: String, key: String = "", payload: Value = .null) async throws -> RunID? {
    let now = time.now
    let path = path
    let text = String(decoding: payload.json(), as: UTF8.self)
    return try await change(isDurable: true) { writing in
      let database = writing.database
      // It comes after every run that has begun, whatever the clock says that was set back meanwhile.
      try database.execute(
        sql: """
          INSERT INTO events (name, key, payload, received_at)
          VALUES (?, ?, ?, max(?, coalesce((SELECT max(started_at) FROM runs), '')))
          """, arguments: [name, key, text, now.rfc3339Milliseconds])
      return try WaitMatching(database: database, path: path).give(event: database.lastInsertedRowID, at: now)
    }
  }

  /// Whether there is a run that has not ended: only such a one can come to wait for an event that has been delivered.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func hasOpenRuns() async throws(RunStoreError) -> Bool {
    try await read { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM runs
            WHERE status IN ('queued', 'running', 'waiting', 'interrupted', 'needs_attention'))
          """) == true
    }
  }

  /// The circuit breakers as they were last recorded, by provider.
  public func breakers() async throws(RunStoreError) -> [BreakerRecord] {
    let path = path
    await writer?.settle()
    return try await readOnWriter { database in
      try Row.fetchAll(database, sql: "SELECT * FROM breakers ORDER BY provider").map { row in
        let columns = RowReader(row: row, path: path)
        return BreakerRecord(
          provider: try columns.text("provider"), failures: try columns.integer("failures"),
          probes: try columns.integer("probes"), openUntil: try columns.optionalTime("open_until"),
          openSeconds: columns.number("open_seconds") ?? 0,
          lastFailure: columns.optionalText("last_failure").map(ActionFailure.Kind.init(rawValue:)),
          at: try columns.time("at"))
      }
    }
  }
}

extension RowReader {
  /// The columns of `waits`.
  func wait() throws -> WaitStart {
    let item = try integer("item")
    return WaitStart(
      run: RunID(rawValue: try text("run")), step: try integer("step"), item: item < 0 ? nil : item,
      kind: try choice("kind"), until: try optionalTime("until"), event: optionalText("event"), key: try text("key"),
      message: optionalText("message"), form: try value("form", blob: ""), at: try time("at"))
  }
}
