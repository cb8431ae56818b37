extension TableGroup {
  /// Concurrency groups in which several runs work at a time.
  static let groupPlaces = TableGroup(
    sql: """
      -- How many runs of the concurrency group work at a time.
      ALTER TABLE runs ADD COLUMN group_max INTEGER NOT NULL DEFAULT 1;
      -- From now on 'group_heads' has the next run of each group with a free place.
      DROP TRIGGER group_heads_added;
      DROP TRIGGER group_heads_changed;
      DROP TRIGGER group_heads_removed;
      \(keepingHeads(next))
      """)

  private static func next(of group: String) -> String {
    """
    SELECT concurrency_group, priority, id FROM (
      SELECT concurrency_group, priority, id, group_max, status FROM runs INDEXED BY runs_queued_in_groups
      WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL AND concurrency_group = \(group)
      ORDER BY priority DESC, id LIMIT 1) AS head
      WHERE \(GroupPlaces.free("head")) > 0
    """
  }
}
