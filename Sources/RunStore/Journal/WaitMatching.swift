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
            (SELECT \(Self.recordedAt) FROM runs WHERE id = run) AS recorded_at
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
        wait.optionalText("event"), wait.optionalText("key"), wait.optionalText("recorded_at"),
        wait.optionalText("until"),
      ])
    guard let event else { return nil }
    let columns = RowReader(row: event, path: path)
    let number = try columns.integer("number")
    try take(event: Int64(number), payload: try columns.text("payload"), run, step, item, at: now)
    return .event(try columns.value("payload", blob: "") ?? .null)
  }

  /// When a run was recorded, as SQL: it can receive the events that came from then on, also while it was queued. The
  /// clock may have been set back before its work began.
  static let recordedAt = "min(coalesce(runs.recorded_at, runs.queued_at, runs.started_at), runs.started_at)"

  /// Gives an event that is free to the oldest wait that it fits; runs that are cancelled need none for what they leave
  /// undone.
  ///
  /// - Returns: The run that takes it.
  func give(event number: Int64, at now: Timestamp) throws -> RunID? {
    let wait = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT w.run, w.step, w.item, e.payload
          FROM events AS e JOIN waits AS w INDEXED BY waits_for_events ON w.event = e.name AND w.key = e.key
            JOIN runs ON runs.id = w.run JOIN steps AS s ON s.run = w.run AND s.position = w.step
          WHERE e.number = ? AND w.kind = 'event' AND w.ended_at IS NULL AND w.answer IS NULL
            AND e.received_at >= \(Self.recordedAt)
            AND (w.until IS NULL OR w.until > min(e.received_at, ?))
            AND NOT (runs.cancel_requested = 1 AND s.phase = 'main')
          ORDER BY w.at LIMIT 1
          """), arguments: [number, now.rfc3339Milliseconds])
    guard let wait else { return nil }
    let place = RowReader(row: wait, path: path)
    let run = RunID(rawValue: try place.text("run"))
    try take(
      event: number, payload: place.text("payload"), run, place.integer("step"), place.integer("item"), at: now)
    try RunTransitions(database: database).wake(run, at: now)
    return run
  }

  /// Frees the event that a wait has been given and that was of no use to it, for the next wait that it fits.
  func giveBack(_ wait: WaitEnd) throws {
    let place: StatementArguments = [wait.run.rawValue, wait.step, wait.item ?? -1]
    let isUnused = try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT 1 FROM waits AS w WHERE run = ? AND step = ? AND item = ? AND kind = 'event' AND answer = 'event'
            AND NOT EXISTS (SELECT 1 FROM outputs AS o WHERE o.run = w.run AND o.step = w.step AND o.item = w.item)
          """), arguments: place)
    guard isUnused != nil else { return }
    try database.execute(
      sql: """
        UPDATE waits SET answer = NULL, answer_value = NULL, answered_at = NULL WHERE run = ? AND step = ? AND item = ?
        """, arguments: place)
    let number = try Int64.fetchOne(
      database, sql: "SELECT number FROM events WHERE taken_run = ? AND taken_step = ? AND taken_item = ?",
      arguments: place)
    guard let number else { return }
    try database.execute(
      sql: "UPDATE events SET taken_run = NULL, taken_step = NULL, taken_item = NULL WHERE number = ?",
      arguments: [number])
    _ = try give(event: number, at: wait.at)
  }

  /// Gives an event to a wait; it counts from when it came.
  private func take(
    event number: Int64, payload: String, _ run: RunID, _ step: Int, _ item: Int, at now: Timestamp
  ) throws {
    try database.execute(
      sql: "UPDATE events SET taken_run = ?, taken_step = ?, taken_item = ? WHERE number = ?",
      arguments: [run.rawValue, step, item, number])
    try database.execute(
      sql: """
        UPDATE waits SET answer = 'event', answer_value = ?,
          answered_at = (SELECT min(received_at, ?) FROM events WHERE number = ?)
        WHERE run = ? AND step = ? AND item = ?
        """, arguments: [payload, now.rfc3339Milliseconds, number, run.rawValue, step, item])
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
