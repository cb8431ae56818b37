internal import Engine
internal import Expressions
internal import GRDB

/// The runs of a concurrency group, inside a transaction.
struct GroupMembers {
  let database: Database

  /// The runs that have to end before a run of the group has a place, oldest first; runs that need attention do not count. If
  /// runs of a group differ in their number of places, the smallest counts.
  ///
  /// - Parameter places: The number of places by the run itself.
  func surplus(in group: String, before run: RunID, places: Int) throws -> [RunID] {
    let others = try unfinished(in: group, but: run)
    let places = others.reduce(places) { min($0, $1.places) }
    return others.prefix(max(0, others.count - places + 1)).map(\.run)
  }

  /// The runs that have not ended, oldest first, without `run`.
  private func unfinished(in group: String, but run: RunID) throws -> [(run: RunID, places: Int)] {
    let sql = """
      SELECT id, group_max FROM runs INDEXED BY runs_of_groups
      WHERE concurrency_group = ?1 AND status IN ('running', 'waiting', 'interrupted') AND id IS NOT ?2
      UNION ALL
      SELECT id, group_max FROM runs INDEXED BY runs_queued_in_groups
      WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL AND concurrency_group = ?1
        AND id IS NOT ?2
      """
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [group, run.rawValue])
      .map { (RunID(rawValue: $0["id"]), $0["group_max"]) }.sorted { $0.run.rawValue < $1.run.rawValue }
  }
}
