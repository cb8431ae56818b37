public import Engine
public import Expressions
internal import GRDB

/// The runs that have not ended, counted.
public struct OpenRunCounts: Sendable {
  /// The number of runs by their recorded status; parts of runs do not count.
  public var byStatus: [RunStatus: Int] = [:]
  /// When the oldest queued run was queued; `nil` if none is.
  public var oldestQueued: Timestamp?
}

extension RunStore {
  /// Counts the runs that have not ended.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func openRunCounts() async throws(RunStoreError) -> OpenRunCounts {
    let path = path
    return try await read { database in
      var counts = OpenRunCounts()
      for status in RunStatus.allCases where !status.isFinal {
        let row = try Row.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT count(*) AS count, min(started_at) AS oldest FROM runs INDEXED BY runs_by_status
              WHERE status = ? AND parent IS NULL
              """), arguments: [status.rawValue])
        guard let columns = row.map({ RowReader(row: $0, path: path) }) else { continue }
        counts.byStatus[status] = try columns.integer("count")
        if status == .queued { counts.oldestQueued = try columns.optionalTime("oldest") }
      }
      return counts
    }
  }
}
