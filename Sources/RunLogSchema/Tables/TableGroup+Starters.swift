extension TableGroup {
  /// The users of the server who start runs.
  static let starters = TableGroup(
    sql: """
      -- The user who started the run through the server; NULL: a schedule, a trigger or a command.
      ALTER TABLE runs ADD COLUMN started_by TEXT;
      CREATE INDEX runs_by_starter ON runs (started_by, started_at, id) WHERE started_by IS NOT NULL;
      """)
}
