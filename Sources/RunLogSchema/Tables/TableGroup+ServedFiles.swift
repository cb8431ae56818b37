extension TableGroup {
  /// What lets the daemon start without reading recipes that only the clock starts.
  static let servedFiles = TableGroup(
    sql: """
      CREATE TABLE served_files (
        -- Files of recipes whose schedules are all in 'schedules': they are read when one of them is due.
        path TEXT NOT NULL PRIMARY KEY,
        stamp INTEGER NOT NULL,              -- a hash of the file's identity, size and time, and of the configuration's
        name TEXT NOT NULL,                  -- the recipe's name
        schedules INTEGER NOT NULL           -- how many it has
      ) WITHOUT ROWID $STRICT;
      """)
}
