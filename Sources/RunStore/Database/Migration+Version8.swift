extension Migration {
  /// The eighth schema: the next run of each free concurrency group, so that nobody has to look through all groups for it.
  static let version8 = Migration(
    version: 8,
    sql: """
      CREATE TABLE group_heads (
        -- The queued run that is next in each concurrency group in which none is at work; kept by the triggers below.
        concurrency_group TEXT NOT NULL PRIMARY KEY,
        priority INTEGER NOT NULL,
        run TEXT NOT NULL
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX group_heads_by_turn ON group_heads (priority DESC, run);
      INSERT INTO group_heads (concurrency_group, priority, run)
        SELECT concurrency_group, priority, id FROM (
          SELECT concurrency_group, priority, id,
            row_number() OVER (PARTITION BY concurrency_group ORDER BY priority DESC, id) AS turn
          FROM runs WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL) AS queued
        WHERE turn = 1 AND NOT EXISTS (
          SELECT 1 FROM runs AS holder WHERE holder.concurrency_group = queued.concurrency_group
            AND holder.status IN ('running', 'waiting', 'interrupted'));

      \(keeping("added", "AFTER INSERT", "new"))
      \(keeping("changed", "AFTER UPDATE OF status, priority", "new"))
      \(keeping("removed", "AFTER DELETE", "old"))
      """)

  /// A trigger that looks anew for the next run of a group when a run of the group changes.
  private static func keeping(_ name: String, _ event: String, _ row: String) -> String {
    """
    CREATE TRIGGER group_heads_\(name) \(event) ON runs WHEN \(row).concurrency_group IS NOT NULL BEGIN
      DELETE FROM group_heads WHERE concurrency_group = \(row).concurrency_group;
      INSERT INTO group_heads (concurrency_group, priority, run)
        SELECT concurrency_group, priority, id FROM runs INDEXED BY runs_queued_in_groups
        WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL
          AND concurrency_group = \(row).concurrency_group
          AND NOT EXISTS (
            SELECT 1 FROM runs AS holder INDEXED BY runs_of_groups WHERE holder.concurrency_group = \(row).concurrency_group
              AND holder.concurrency_group IS NOT NULL AND holder.status IN ('running', 'waiting', 'interrupted'))
        ORDER BY priority DESC, id LIMIT 1;
    END;
    """
  }
}
