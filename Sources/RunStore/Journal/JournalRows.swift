internal import Engine
internal import Expressions
internal import GRDB
internal import Localization
import Plans

/// The rows that a journal consists of for the most part, written with statements that stay prepared.
// It holds C statements of one connection and is touched on that connection's queue alone.
final class JournalRows: @unchecked Sendable {
  private var statements: [RowStatement?] = Array(repeating: nil, count: Kind.allCases.count)
  private var time = TimestampText()

  /// Lets go of the statements, so that the connection can be closed.
  func close() { statements = Array(repeating: nil, count: Kind.allCases.count) }

  private enum Kind: Int, CaseIterable {
    case begin, commit, schemaVersion, lostProcess, owner, plannedStep, endedStep, stepStart, stepEnd, wholeStep,
      attemptStart,
      attemptEnd,
      wholeAttempt,
      output, log

    var sql: String {
      switch self {
      case .begin: "BEGIN IMMEDIATE"
      case .commit: "COMMIT"
      case .schemaVersion: "PRAGMA user_version"
      case .lostProcess: "SELECT lost FROM processes WHERE id = ?"
      case .owner: "SELECT owner FROM runs WHERE id = ?"
      case .plannedStep:
        """
        INSERT INTO steps (run, position, id, action, effect, phase, undo_of, status)
        VALUES (?, ?, ?, ?, ?, ?, ?, 'pending')
        """
      case .endedStep:
        """
        INSERT INTO steps (run, position, id, action, effect, phase, undo_of, started_at, item_count, status, ended_at,
          items_succeeded, items_failed, carried_from, failure_kind, failure_message, failure_message_de,
          failure_advice, failure_advice_de)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
      case .stepStart:
        """
        UPDATE steps SET status = 'running', started_at = coalesce(started_at, ?), ended_at = NULL, item_count = ?
        WHERE run = ? AND position = ?
        """
      case .stepEnd:
        """
        UPDATE steps SET status = ?, ended_at = ?, items_succeeded = ?, items_failed = ?, carried_from = ?,
          failure_kind = ?, failure_message = ?, failure_message_de = ?, failure_advice = ?, failure_advice_de = ?
        WHERE run = ? AND position = ?
        """
      case .wholeStep:
        """
        UPDATE steps SET started_at = coalesce(started_at, ?), item_count = ?, status = ?, ended_at = ?,
          items_succeeded = ?, items_failed = ?, carried_from = ?, failure_kind = ?, failure_message = ?,
          failure_message_de = ?, failure_advice = ?, failure_advice_de = ?
        WHERE run = ? AND position = ?
        """
      case .attemptStart:
        """
        INSERT INTO attempts (run, step, item, number, kind, provider, idempotency_key, started_at, input_bytes,
          status)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'running')
        """
      case .attemptEnd:
        """
        UPDATE attempts SET status = ?, ended_at = ?, duration_ms = ?, output_bytes = ?, failure_kind = ?,
          failure_message = ?, failure_message_de = ?, failure_advice = ?, failure_advice_de = ?, retry_after_ms = ?,
          retry_delay_ms = ?, uncertain = ?
        WHERE run = ? AND step = ? AND item = ? AND number = ?
        """
      case .wholeAttempt:
        """
        INSERT INTO attempts (run, step, item, number, kind, provider, idempotency_key, started_at, input_bytes,
          status, ended_at, duration_ms, output_bytes, failure_kind, failure_message, failure_message_de, failure_advice,
          failure_advice_de, retry_after_ms, retry_delay_ms, uncertain)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
      case .output: "INSERT OR REPLACE INTO outputs (run, step, item, bytes, value, blob) VALUES (?, ?, ?, ?, ?, ?)"
      case .log: "INSERT INTO logs (run, step, item, attempt, level, message, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
      }
    }
  }

  private func statement(_ kind: Kind, _ database: Database) throws -> RowStatement {
    if let statement = statements[kind.rawValue] { return statement }
    let statement = try RowStatement(kind.sql, database)
    statements[kind.rawValue] = statement
    return statement
  }

  // MARK: - Transactions

  /// Runs a transaction that writes; rolls it back where anything in it fails.
  ///
  /// GRDB's own way makes the statements of every transaction anew.
  func transaction(_ database: Database, _ body: () throws -> Void) throws {
    try statement(.begin, database).run()
    do {
      try body()
      // SQLite ends a transaction itself where the disk is full or broken.
      guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      try statement(.commit, database).run()
    } catch {
      if database.isInsideTransaction { try? database.rollback() }
      throw error
    }
  }

  /// The schema version of the file.
  func schemaVersion(_ database: Database) throws -> Int {
    Int(try statement(.schemaVersion, database).integer() ?? 0)
  }

  /// Whether a process may write no more; `nil` where it is not recorded.
  func isLost(process: Int64, _ database: Database) throws -> Bool? {
    let row = try statement(.lostProcess, database)
    row.bind(Int(process))
    return try row.integer().map { $0 != 0 }
  }

  /// The row of `processes` that a run belongs to; 0 where it belongs to none, `nil` where there is no such run.
  func owner(of run: RunID, _ database: Database) throws -> Int64? {
    let row = try statement(.owner, database)
    row.bind(run.rawValue)
    return try row.integer()
  }

  // MARK: - Steps

  /// A step that has not begun.
  func insert(_ step: RunStart.Step, at position: Int, of run: RunID, _ database: Database) throws {
    let row = try statement(.plannedStep, database)
    bind(step, at: position, of: run, row)
    try row.run()
  }

  /// A step that has ended, and has not been written before.
  func insert(
    _ step: RunStart.Step, at position: Int, of run: RunID, _ start: StepStart, _ end: StepEnd, _ database: Database
  ) throws {
    let row = try statement(.endedStep, database)
    bind(step, at: position, of: run, row)
    bind(start.at, row)
    row.bind(start.itemCount)
    bind(end, row)
    try row.run()
  }

  private func bind(_ step: RunStart.Step, at position: Int, of run: RunID, _ row: RowStatement) {
    row.bind(run.rawValue)
    row.bind(position)
    row.bind(step.id)
    row.bind(step.action)
    row.bind(step.effect.rawValue)
    row.bind(step.phase.recordedName)
    if case .undo(let target) = step.phase { row.bind(target) } else { row.bindNull() }
  }

  /// The beginning of a step; `false` where it is not recorded.
  func update(_ start: StepStart, _ database: Database) throws -> Bool {
    let row = try statement(.stepStart, database)
    bind(start.at, row)
    row.bind(start.itemCount)
    row.bind(start.run.rawValue)
    row.bind(start.step)
    try row.run()
    return database.changesCount > 0
  }

  /// The end of a step; `false` where it is not recorded.
  func update(_ end: StepEnd, _ database: Database) throws -> Bool {
    let row = try statement(.stepEnd, database)
    bind(end, row)
    row.bind(end.run.rawValue)
    row.bind(end.step)
    try row.run()
    return database.changesCount > 0
  }

  /// Beginning and end of a step; `false` where it is not recorded.
  func update(_ start: StepStart, _ end: StepEnd, _ database: Database) throws -> Bool {
    let row = try statement(.wholeStep, database)
    bind(start.at, row)
    row.bind(start.itemCount)
    bind(end, row)
    row.bind(end.run.rawValue)
    row.bind(end.step)
    try row.run()
    return database.changesCount > 0
  }

  private func bind(_ end: StepEnd, _ row: RowStatement) {
    row.bind(end.status.rawValue)
    bind(end.at, row)
    row.bind(end.itemsSucceeded)
    row.bind(end.itemsFailed)
    row.bind(end.carriedFrom?.rawValue)
    bind(end.failure, row)
  }

  // MARK: - Attempts

  /// The intent of an attempt.
  func insert(_ start: AttemptStart, _ database: Database) throws {
    let row = try statement(.attemptStart, database)
    bind(start, row)
    try row.run()
  }

  /// The end of an attempt; `false` where its beginning is not recorded.
  func update(_ end: AttemptEnd, _ database: Database) throws -> Bool {
    let row = try statement(.attemptEnd, database)
    bind(end, row)
    row.bind(end.run.rawValue)
    row.bind(end.step)
    row.bind(end.item ?? -1)
    row.bind(end.number)
    try row.run()
    return database.changesCount > 0
  }

  /// Beginning and end of an attempt.
  func insert(_ start: AttemptStart, _ end: AttemptEnd, _ database: Database) throws {
    let row = try statement(.wholeAttempt, database)
    bind(start, row)
    bind(end, row)
    try row.run()
  }

  private func bind(_ start: AttemptStart, _ row: RowStatement) {
    row.bind(start.run.rawValue)
    row.bind(start.step)
    row.bind(start.item ?? -1)
    row.bind(start.number)
    row.bind(start.kind.name)
    row.bind(start.kind.label)
    row.bind(start.key)
    bind(start.at, row)
    row.bind(start.inputBytes)
  }

  private func bind(_ end: AttemptEnd, _ row: RowStatement) {
    row.bind(end.failure == nil ? "succeeded" : "failed")
    bind(end.at, row)
    row.bind(end.duration.milliseconds)
    row.bind(end.outputBytes)
    bind(end.failure, row)
    row.bind(end.failure?.retryAfter?.milliseconds)
    row.bind(end.retryDelay?.milliseconds)
    row.bind(end.isUncertain ? 1 : 0)
  }

  // MARK: - Outputs and log lines

  /// The output of a step or an item; replaces an earlier one. Its blob is there already.
  func insert(_ value: StoredValue, run: RunID, step: Int, item: Int?, _ database: Database) throws {
    let row = try statement(.output, database)
    row.bind(run.rawValue)
    row.bind(step)
    row.bind(item ?? -1)
    row.bind(value.bytes.count)
    row.bind(value)
    try row.run()
  }

  /// A line of the run log.
  func insert(_ line: LogLine, _ database: Database) throws {
    let row = try statement(.log, database)
    row.bind(line.run.rawValue)
    row.bind(line.step)
    row.bind(line.item)
    row.bind(line.attempt)
    row.bind(line.level.rawValue)
    row.bind(line.message)
    bind(line.at, row)
    try row.run()
  }

  // MARK: - Columns

  private func bind(_ point: Timestamp, _ row: RowStatement) {
    time.set(point)
    time.withBytes { row.bind(text: $0) }
  }

  /// Kind, message, German message where it differs, advice, German advice where it differs.
  private func bind(_ failure: ActionFailure?, _ row: RowStatement) {
    guard let failure else {
      for _ in 0..<5 { row.bindNull() }
      return
    }
    row.bind(failure.kind.rawValue)
    row.bind(failure.message.english)
    row.bind(failure.message.germanWhereItDiffers)
    row.bind(failure.advice?.english)
    row.bind(failure.advice?.germanWhereItDiffers)
  }
}
