public import Engine
internal import Expressions
internal import GRDB

extension RunStore {
  /// The waits for events that have begun and not ended, oldest first.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func eventWaits() async throws(RunStoreError) -> [OpenWait] {
    let path = path
    return try await read { try RunReading.waits(.events, $0, path: path) }
  }

  /// The events that no run has taken, oldest first.
  ///
  /// - Parameter limit: At most so many.
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func keptEvents(limit: Int = 1000) async throws(RunStoreError) -> [KeptEvent] {
    let path = path
    return try await read { database in
      try Row.fetchAll(
        database, sql: "SELECT name, key, received_at FROM events WHERE taken_run IS NULL ORDER BY number LIMIT ?",
        arguments: [max(0, limit)]
      ).map { row in
        let columns = RowReader(row: row, path: path)
        return KeptEvent(
          name: try columns.text("name"), key: try columns.text("key"), receivedAt: try columns.time("received_at"))
      }
    }
  }

  /// How many runs are queued, those of steps not counted; and a run that the first of them waits for.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func queuedRuns() async throws(RunStoreError) -> (count: Int, behind: RunID?) {
    let path = path
    return try await read { database in
      let queued = "status = 'queued' AND parent IS NULL"
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM runs WHERE \(queued)") ?? 0
      let first = try Row.fetchOne(
        database,
        sql: RunReading.summarySQL + " WHERE \(queued) AND behind IS NOT NULL ORDER BY priority DESC, id LIMIT 1")
      return (
        count,
        try first.flatMap { try RunReading.summary(RowReader(row: $0, path: path), database).behind }
      )
    }
  }
}
