extension Migration {
  /// The sixth schema: when a run joined the queue, apart from when somebody began to work on it.
  static let version6 = Migration(
    version: 6,
    sql: """
      ALTER TABLE runs ADD COLUMN queued_at TEXT;            -- NULL for a run that never stood in the queue
      UPDATE runs SET queued_at = started_at WHERE status = 'queued';
      """)
}
