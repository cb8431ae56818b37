internal import Engine
internal import Expressions
internal import GRDB

/// Brings waits and what they wait for together, inside a transaction.
struct WaitMatching {
  let database: Database
  /// The database file, for errors.
  let path: String

  /// What has come for a wait before its time was up, whenever somebody looks; an event that is free and fits is taken.
  func answer(run: RunID, step: Int, item: Int, at now: Timestamp) throws -> WaitAnswer? {
    let place: StatementArguments = [run.rawValue, step, item]
    let found = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT kind, event, key, until, answer, answer_value, answer_reason, answered_by,
            (SELECT coalesce(queued_at, started_at) FROM runs WHERE id = run) AS began
          FROM waits WHERE run = ? AND step = ? AND item = ? AND ended_at IS NULL
            AND (answer IS NULL OR until IS NULL OR answered_at < until)
          """), arguments: place)
    guard let found else { return nil }
    let wait = RowReader(row: found, path: path)
    if let answer = try recorded(wait) { return answer }
    guard wait.optionalText("kind") == WaitKind.event.rawValue else { return nil }
    let event = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT number, payload FROM events WHERE name = ?1 AND key = ?2 AND taken_run IS NULL AND received_at >= ?3
            AND (?4 IS NULL OR received_at < ?4)
          ORDER BY number LIMIT 1
          """),
      arguments: [
        wait.optionalText("event"), wait.optionalText("key"), wait.optionalText("began"), wait.optionalText("until"),
      ])
    guard let event else { return nil }
    let columns = RowReader(row: event, path: path)
    let number = try columns.integer("number")
    try take(event: Int64(number), payload: try columns.text("payload"), run, step, item, at: now)
    return .event(try columns.value("payload", blob: "") ?? .null)
  }

  /// Gives an event to a wait.
  func take(
    event number: Int64, payload: String, _ run: RunID, _ step: Int, _ item: Int, at now: Timestamp
  ) throws {
    try database.execute(
      sql: "UPDATE events SET taken_run = ?, taken_step = ?, taken_item = ? WHERE number = ?",
      arguments: [run.rawValue, step, item, number])
    try database.execute(
      sql: """
        UPDATE waits SET answer = 'event', answer_value = ?, answered_at = ? WHERE run = ? AND step = ? AND item = ?
        """, arguments: [payload, now.rfc3339Milliseconds, run.rawValue, step, item])
  }

  /// Makes a waiting run due, and those that wait for it.
  func wake(_ run: RunID, at now: Timestamp) throws {
    try database.execute(
      sql: """
        WITH RECURSIVE chain (id) AS (
          SELECT ? UNION SELECT parent FROM runs JOIN chain USING (id) WHERE parent IS NOT NULL)
        UPDATE runs SET due_at = ? WHERE id IN (SELECT id FROM chain) AND status = 'waiting'
          AND (due_at IS NULL OR due_at > ?)
        """, arguments: [run.rawValue, now.rfc3339Milliseconds, now.rfc3339Milliseconds])
  }

  private func recorded(_ wait: RowReader) throws -> WaitAnswer? {
    guard let answer = wait.optionalText("answer") else { return nil }
    let value = try wait.value("answer_value", blob: "") ?? .null
    let person = wait.optionalText("answered_by") ?? ""
    switch answer {
    case "event": return .event(value)
    case "approved": return .approved(fields: value, by: person)
    default: return .rejected(reason: wait.optionalText("answer_reason") ?? "", by: person)
    }
  }
}
