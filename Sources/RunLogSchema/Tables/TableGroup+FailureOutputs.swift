extension TableGroup {
  /// Outputs of failed steps and items: exit status and output of a program, status and body of a response.
  static let failureOutputs = TableGroup(
    sql: """
      CREATE TABLE failure_outputs (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        step INTEGER NOT NULL,               -- steps.position; -1: the run as a whole
        item INTEGER NOT NULL DEFAULT -1,    -- -1: the step as a whole
        value TEXT NOT NULL,                 -- JSON
        PRIMARY KEY (run, step, item)
      ) WITHOUT ROWID $STRICT;
      """)
}
