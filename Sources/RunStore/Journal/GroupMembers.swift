internal import Engine
internal import Expressions
internal import GRDB

/// The runs of a concurrency group, inside a transaction.
struct GroupMembers {
  let database: Database

  /// The runs that have not ended, oldest first, without `run`; runs that need attention do not count.
  func unfinished(in group: String, but run: RunID) throws -> [RunID] {
    let sql = """
      SELECT id FROM runs INDEXED BY runs_of_groups
      WHERE concurrency_group = ?1 AND status IN ('running', 'waiting', 'interrupted') AND id IS NOT ?2
      UNION ALL
      SELECT id FROM runs INDEXED BY runs_queued_in_groups
      WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL AND concurrency_group = ?1
        AND id IS NOT ?2
      """
    return try String.fetchAll(database.cachedStatement(sql: sql), arguments: [group, run.rawValue])
      .sorted().map(RunID.init(rawValue:))
  }
}
