internal import Engine
internal import Expressions
internal import GRDB

/// The runs of a concurrency group, inside a transaction.
struct GroupMembers {
  let database: Database

  /// How many places a concurrency group has for the run of a row of `runs`, an SQL expression. Each run that has not ended
  /// takes one; an interrupted one takes none from another one that has begun. If runs of a group differ in `group_max`, the
  /// smallest counts.
  static func freePlaces(_ row: String) -> String {
    """
    (SELECT min(coalesce(min(holder.group_max), \(row).group_max), \(row).group_max) - count(*)
      FROM runs AS holder INDEXED BY runs_of_groups WHERE holder.concurrency_group = \(row).concurrency_group
      AND holder.concurrency_group IS NOT NULL AND holder.status IN ('running', 'waiting', 'interrupted')
      AND holder.id <> \(row).id AND (\(row).status = 'queued' OR holder.status <> 'interrupted'))
    """
  }

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
