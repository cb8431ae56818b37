public import Engine
public import Expressions
internal import GRDB

extension RunStore {
  private static let isMail =
    "EXISTS (SELECT 1 FROM steps INDEXED BY steps_of_mails WHERE run = runs.id AND action = 'outbox.turn')"

  /// The runs that send messages, or tell of runs that failed, and may be worked on, those first that are due first. Some may
  /// be in the hands of a process.
  ///
  /// - Parameters:
  ///   - now: The time of day.
  ///   - limit: At most so many.
  public func dueMails(at now: Timestamp, limit: Int) async throws -> [RunID] {
    try await look(isSettled: false) { database in
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id, coalesce(due_at, started_at) AS due FROM runs
            WHERE status = 'queued' AND parent IS NULL AND (trigger = 'notice' OR \(Self.isMail))
            UNION ALL SELECT id, started_at FROM runs
            WHERE status IN ('interrupted', 'running') AND parent IS NULL AND (trigger = 'notice' OR \(Self.isMail))
            UNION ALL SELECT id, due_at FROM runs
            WHERE status = 'waiting' AND parent IS NULL AND due_at IS NOT NULL AND due_at <= ?
              AND (trigger = 'notice' OR \(Self.isMail))
            ORDER BY due, id LIMIT ?
            """), arguments: [now.rfc3339Milliseconds, limit]
      ).map(RunID.init(rawValue:))
    }
  }

  /// When the next of the waiting runs is due that ``dueMails(at:limit:)`` means; `nil` where none waits for a point in time.
  public func nextDueMail() async throws -> Timestamp? {
    try await look(isSettled: false) { database in
      try String.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT due_at FROM runs INDEXED BY runs_due
            WHERE status = 'waiting' AND parent IS NULL AND due_at IS NOT NULL AND (trigger = 'notice' OR \(Self.isMail))
            ORDER BY due_at LIMIT 1
            """)
      ).flatMap(Timestamp.init(rfc3339:))
    }
  }

  /// How many runs that send messages stand how.
  public func mailCounts() async throws -> [RunStatus: Int] {
    try await look(isSettled: true) { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT status, count(*) AS count FROM runs
          WHERE id IN (SELECT run FROM steps INDEXED BY steps_of_mails WHERE action = 'outbox.turn') GROUP BY status
          """)
      var counts: [RunStatus: Int] = [:]
      for row in rows {
        guard let text: String = row["status"], let status = RunStatus(rawValue: text) else { continue }
        counts[status] = row["count"]
      }
      return counts
    }
  }

  /// The newest run that repeats another one; `nil` where none does.
  public func repetition(of run: RunID) async throws -> RunID? {
    try await look(isSettled: true) { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT id FROM runs WHERE origin = ? AND trigger <> '\(RunStart.replayTrigger)' AND status <> \(RunReading.removed)
          ORDER BY number DESC LIMIT 1
          """, arguments: [run.rawValue]
      ).map(RunID.init(rawValue:))
    }
  }
}
