public import Engine
public import Expressions
internal import GRDB

extension RunStore: DoubtSettlement {
  /// What `attempts.uncertain` holds of an attempt of which a person has said that it took no effect.
  static let settledAsNotDone = 2

  /// The attempts over which runs need attention.
  ///
  /// - Parameter run: Those of this run alone, and of runs that it waits for; `nil` for those of all runs, oldest first.
  /// - Throws: ``RunStoreError`` with code `run_not_found`.
  public func doubts(of run: RunID? = nil) async throws(RunStoreError) -> [Doubt] {
    let path = path
    return try await read { database in
      let reading = DoubtReading(database: database, path: path)
      guard let run else { return try reading.all() }
      guard try Bool.fetchOne(database, sql: "SELECT 1 FROM runs WHERE id = ?", arguments: [run.rawValue]) != nil
      else { throw RunStoreError.runNotFound(run.rawValue) }
      return try reading.doubts(of: run)
    }
  }

  /// Writes down what a person has found out about an attempt in doubt; on disk when it returns.
  ///
  /// The attempt stays on record; one that took no effect uses up no retry, and the next one has the next number.
  /// Where nothing else is in doubt, the run can be resumed afterwards, and the runs that wait for it.
  ///
  /// - Parameters:
  ///   - doubt: One of ``doubts(of:)``.
  ///   - output: What the action gave; `nil` where it took no effect and is to be done again.
  ///   - by: Who has found it out.
  /// - Throws: ``RunStoreError`` with code `doubt_not_found` where it is settled already, or somebody works on the run.
  public func settle(_ doubt: Doubt, output: Value?, by person: String) async throws {
    let now = time.now
    let path = path
    let stored = output.map { StoredValue($0) }
    try await change(isDurable: true) { writing in
      let database = writing.database
      let status = try String.fetchOne(
        database, sql: "SELECT status FROM runs WHERE id = ?", arguments: [doubt.run.rawValue])
      let reading = DoubtReading(database: database, path: path)
      guard status == RunStatus.needsAttention.rawValue, try reading.doubts(of: doubt.run).contains(doubt) else {
        throw RunStoreError.doubtNotFound(doubt.run, step: doubt.step)
      }
      let attempt: StatementArguments = [doubt.run.rawValue, doubt.position, doubt.item ?? -1, doubt.attempt]
      if let stored {
        try database.execute(
          sql: """
            UPDATE attempts SET uncertain = 0, status = 'succeeded', output_bytes = ?, retry_delay_ms = NULL,
              failure_kind = NULL, failure_message = NULL, failure_message_de = NULL, failure_advice = NULL,
              failure_advice_de = NULL
            WHERE run = ? AND step = ? AND item = ? AND number = ?
            """, arguments: [stored.bytes.count] + attempt)
        try writing.write(
          [.output(run: doubt.run, step: doubt.position, item: doubt.item, value: stored)], isFenced: false)
      } else {
        // What was cancelled is asked about again when the run goes on; a person's word is the last one.
        try database.execute(
          sql: """
            UPDATE attempts SET uncertain = \(RunStore.settledAsNotDone), retry_delay_ms = 0, status = 'failed',
              failure_kind = coalesce(nullif(failure_kind, 'cancelled'), 'crashed'),
              failure_message = coalesce(failure_message || '; ', '') || ?,
              failure_message_de = coalesce(failure_message_de || '; ', failure_message || '; ', '') || ?,
              failure_advice = NULL, failure_advice_de = NULL
            WHERE run = ? AND step = ? AND item = ? AND number = ?
            """,
          arguments: ["settled by \(person): it took no effect", "geklärt von \(person): es hat nicht gewirkt"]
            + attempt)
      }
      let finding = stored == nil ? "took no effect" : "took effect"
      try writing.write([
        .other(
          .log(
            LogLine(
              run: doubt.run, step: doubt.position, item: doubt.item, attempt: doubt.attempt, level: .warning,
              message: "settled by \(person): '\(doubt.action)' \(finding)", at: now)))
      ])
      guard try reading.doubts(of: doubt.run).isEmpty else { return }
      try RunTransitions(database: database).release(doubt.run)
    }
  }
}

/// Finds what is in doubt, inside a transaction.
private struct DoubtReading {
  /// Runs in runs in runs, at most.
  private static let depth = 64

  let database: Database
  /// The database file, for errors.
  let path: String

  /// Those of all runs that need attention.
  func all() throws -> [Doubt] {
    let runs = try String.fetchAll(
      database, sql: "SELECT id FROM runs WHERE status = 'needs_attention' ORDER BY started_at, id")
    // A run that stands still because of another one has none of its own.
    return try runs.flatMap { try doubts(of: RunID(rawValue: $0), depth: DoubtReading.depth) }
  }

  func doubts(of run: RunID, depth: Int = 0) throws -> [Doubt] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT a.step, a.item, a.number, a.kind, a.provider, a.idempotency_key, s.id, s.action
        FROM attempts AS a JOIN steps AS s ON s.run = a.run AND s.position = a.step
        WHERE a.run = ? AND a.uncertain = 1
          AND NOT EXISTS (SELECT 1 FROM outputs AS o WHERE o.run = a.run AND o.step = a.step AND o.item = a.item)
          AND NOT EXISTS (SELECT 1 FROM attempts AS later
            WHERE later.run = a.run AND later.step = a.step AND later.item = a.item AND later.number > a.number)
        ORDER BY a.step, a.item
        """, arguments: [run.rawValue])
    var found: [Doubt] = []
    for row in rows {
      let columns = RowReader(row: row, path: path)
      if try columns.attemptKind() == .recipe {
        guard depth < DoubtReading.depth else { continue }
        found += try doubts(of: RunID(rawValue: try columns.text("idempotency_key")), depth: depth + 1)
        continue
      }
      let item = try columns.integer("item")
      found.append(
        Doubt(
          run: run, position: try columns.integer("step"), step: try columns.text("id"), item: item < 0 ? nil : item,
          attempt: try columns.integer("number"), action: try columns.text("action")))
    }
    return found
  }
}
