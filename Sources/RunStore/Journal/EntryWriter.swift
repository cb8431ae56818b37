internal import Engine
internal import Expressions
internal import Foundation
internal import GRDB
internal import Localization
internal import Recipes

/// Turns journal entries into rows.
enum EntryWriter {
  /// Writes entries in order, inside a transaction.
  ///
  /// - Throws: ``RunStoreError`` with code `journal_entry_refused` for an entry about something that is not recorded;
  ///   `DatabaseError` for what SQLite reports.
  static func write(_ entries: [PreparedEntry], to database: Database) throws {
    for entry in entries { try write(entry, to: database) }
  }

  private static func write(_ entry: PreparedEntry, to database: Database) throws {
    switch entry {
    case .runStarted(let start, let inputs): try write(start, inputs: inputs, to: database)
    case .output(let run, let step, let item, let value):
      try insertBlob(value, database)
      try execute(
        """
        INSERT OR REPLACE INTO outputs (run, step, item, bytes, value, blob) VALUES (?, ?, ?, ?, ?, ?)
        """, [run.rawValue, step, item ?? -1, value.bytes.count, value.inlineText, value.hash], database)
    case .runFinished(let end, let outputs): try write(end, outputs: outputs, to: database)
    case .other(let other): try write(other, to: database)
    }
  }

  private static func write(_ entry: JournalEntry, to database: Database) throws {
    switch entry {
    case .stepStarted(let run, let step, let itemCount, let at):
      try update(
        "UPDATE steps SET status = 'running', started_at = ?, item_count = ? WHERE run = ? AND position = ?",
        [at.rfc3339Milliseconds, itemCount, run.rawValue, step], database)
    case .attemptStarted(let start): try write(start, to: database)
    case .attemptFinished(let end): try write(end, to: database)
    case .stepFinished(let end): try write(end, to: database)
    case .log(let line): try write(line, to: database)
    case .runParked, .waitStarted, .waitEnded, .breaker: break
    case .runStarted, .output, .runFinished:
      // Always prepared, as they hold values.
      try write(PreparedEntry(entry), to: database)
    }
  }

  // MARK: - Runs

  private static func write(_ start: RunStart, inputs: StoredValue, to database: Database) throws {
    let owner = ProcessIdentity.current
    try insertBlob(inputs, database)
    try execute(
      """
      INSERT INTO runs (id, recipe, path, fingerprint, trigger, status, started_at, inputs, inputs_blob,
        owner_host, owner_boot, owner_pid, owner_start_ticks)
      VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        start.run.rawValue, start.recipe, start.path, start.fingerprint, start.trigger, start.at.rfc3339Milliseconds,
        inputs.inlineText, inputs.hash, owner.host, owner.boot, owner.pid, owner.startTicks,
      ], database)
    for (position, step) in start.steps.enumerated() {
      try execute(
        "INSERT INTO steps (run, position, id, action, effect, status) VALUES (?, ?, ?, ?, ?, 'pending')",
        [start.run.rawValue, position, step.id, step.action, step.effect.rawValue], database)
    }
  }

  private static func write(_ end: RunEnd, outputs: StoredValue, to database: Database) throws {
    try insertBlob(outputs, database)
    try update(
      """
      UPDATE runs SET status = ?, ended_at = ?, outputs = ?, outputs_blob = ?, failure_kind = ?, failure_message = ?,
        failure_message_de = ?, failure_advice = ?, failure_advice_de = ?
      WHERE id = ?
      """,
      [end.status.rawValue, end.at.rfc3339Milliseconds, outputs.inlineText, outputs.hash]
        + failureColumns(end.failure) + [end.run.rawValue], database)
  }

  // MARK: - Steps and attempts

  private static func write(_ end: StepEnd, to database: Database) throws {
    try update(
      """
      UPDATE steps SET status = ?, ended_at = ?, items_succeeded = ?, items_failed = ?, failure_kind = ?,
        failure_message = ?, failure_message_de = ?, failure_advice = ?, failure_advice_de = ?
      WHERE run = ? AND position = ?
      """,
      [end.status.rawValue, end.at.rfc3339Milliseconds, end.itemsSucceeded, end.itemsFailed]
        + failureColumns(end.failure) + [end.run.rawValue, end.step], database)
  }

  private static func write(_ start: AttemptStart, to database: Database) throws {
    try execute(
      """
      INSERT INTO attempts (run, step, item, number, provider, idempotency_key, status, started_at, input_bytes)
      VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?)
      """,
      [
        start.run.rawValue, start.step, start.item ?? -1, start.number, start.provider, start.key,
        start.at.rfc3339Milliseconds, start.inputBytes,
      ], database)
  }

  private static func write(_ end: AttemptEnd, to database: Database) throws {
    try update(
      """
      UPDATE attempts SET status = ?, ended_at = ?, duration_ms = ?, output_bytes = ?, failure_kind = ?,
        failure_message = ?, failure_message_de = ?, failure_advice = ?, failure_advice_de = ?, retry_after_ms = ?,
        retry_delay_ms = ?
      WHERE run = ? AND step = ? AND item = ? AND number = ?
      """,
      [
        end.failure == nil ? "succeeded" : "failed", end.at.rfc3339Milliseconds, milliseconds(end.duration),
        end.outputBytes,
      ] + failureColumns(end.failure) + [
        milliseconds(end.failure?.retryAfter), milliseconds(end.retryDelay), end.run.rawValue, end.step,
        end.item ?? -1, end.number,
      ], database)
  }

  private static func write(_ line: LogLine, to database: Database) throws {
    try execute(
      "INSERT INTO logs (run, step, item, attempt, level, message, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        line.run.rawValue, line.step, line.item, line.attempt, line.level.rawValue, line.message,
        line.at.rfc3339Milliseconds,
      ], database)
  }

  // MARK: - Rows

  private static func insertBlob(_ value: StoredValue, _ database: Database) throws {
    guard let hash = value.hash else { return }
    try execute(
      "INSERT INTO blobs (hash, bytes, content) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
      [hash, value.bytes.count, Data(value.bytes)], database)
  }

  /// Kind, message, German message where it differs, advice, German advice where it differs.
  private static func failureColumns(_ failure: ActionFailure?) -> StatementArguments {
    guard let failure else { return [nil, nil, nil, nil, nil] }
    return [
      failure.kind.rawValue, failure.message.english, german(failure.message), failure.advice?.english,
      failure.advice.flatMap(german),
    ]
  }

  private static func german(_ text: LocalizedText) -> String? { text.german == text.english ? nil : text.german }

  /// Seconds as milliseconds, to the microsecond; `nil` for what is no finite number.
  private static func milliseconds(_ seconds: Double?) -> Double? {
    guard let seconds, seconds.isFinite else { return nil }
    return (seconds * 1_000_000).rounded() / 1000
  }

  private static func execute(_ sql: String, _ arguments: StatementArguments, _ database: Database) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Carries an update out that must meet a row.
  private static func update(_ sql: String, _ arguments: StatementArguments, _ database: Database) throws {
    try execute(sql, arguments, database)
    guard database.changesCount > 0 else {
      throw RunStoreError.entryRefused(path: database.description, cause: "no row to update")
    }
  }
}
