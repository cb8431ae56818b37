extension TableGroup {
  /// When runs were recorded. `started_at` of a queued run changes when its work begins, and `queued_at` is missing for
  /// runs that a person watches, although such a run can receive the events that come while it is queued.
  static let recordingTimes = TableGroup(
    sql: """
      ALTER TABLE runs ADD COLUMN recorded_at TEXT;  -- NULL for runs of versions before this column
      UPDATE runs SET recorded_at = coalesce(queued_at, started_at) WHERE status = 'queued';
      """)
}
