internal import Engine
internal import Expressions
internal import GRDB

/// The runs of a concurrency group, inside a transaction.
struct GroupMembers {
  let database: Database

  /// Those that have not ended; runs that need attention do not count.
  private static let unfinished = """
    SELECT id FROM runs INDEXED BY runs_of_groups
    WHERE concurrency_group = ?1 AND status IN ('running', 'waiting', 'interrupted') AND id IS NOT ?2
    UNION ALL
    SELECT id FROM runs INDEXED BY runs_queued_in_groups
    WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL AND concurrency_group = ?1
      AND id IS NOT ?2
    """

  /// The runs that have not ended, oldest first.
  func unfinished(in group: String) throws -> [RunID] {
    try String.fetchAll(database.cachedStatement(sql: Self.unfinished), arguments: [group, nil])
      .sorted().map(RunID.init(rawValue:))
  }

  /// One of the runs that have not ended, other than `run`; no more than that one is read.
  func anyUnfinished(in group: String, but run: RunID) throws -> RunID? {
    try String.fetchOne(database.cachedStatement(sql: Self.unfinished), arguments: [group, run.rawValue])
      .map(RunID.init(rawValue:))
  }
}
