extension TableGroup {
  /// What the daemon keeps since version 16.
  ///
  /// Logs of versions 12 to 15 were made with and without these columns and this table, so tables are made anew.
  static let serving = TableGroup(
    sql: """
      CREATE TABLE schedules_anew (
        -- How far each schedule has come. A point and the run that it begins are written in one transaction.
        source TEXT NOT NULL PRIMARY KEY,    -- the recipe's file, #, and a name made from the points
        recipe TEXT NOT NULL,
        digest TEXT NOT NULL,                -- tells whether the definition has changed
        revision INTEGER NOT NULL,           -- grows with every change of the row
        cursor TEXT NOT NULL,                -- the last point that is accounted for, or when the schedule began
        next_due TEXT,
        paused INTEGER NOT NULL DEFAULT 0,
        runs INTEGER NOT NULL DEFAULT 0,     -- points that have begun a run at their time
        caught_up INTEGER NOT NULL DEFAULT 0,
        skipped INTEGER NOT NULL DEFAULT 0,
        missed INTEGER NOT NULL DEFAULT 0,
        late INTEGER NOT NULL DEFAULT 0,     -- of runs: some seconds late
        failures INTEGER NOT NULL DEFAULT 0, -- runs failed one after another
        retired_at TEXT                      -- since when no recipe has it
      ) WITHOUT ROWID $STRICT;
      INSERT INTO schedules_anew (source, recipe, digest, revision, cursor, next_due, paused, runs, caught_up, skipped,
          missed, late, failures)
        SELECT source, recipe, digest, revision, cursor, next_due, paused, runs, caught_up, skipped, missed, late, failures
        FROM schedules;
      DROP TABLE schedules;
      ALTER TABLE schedules_anew RENAME TO schedules;

      CREATE TABLE IF NOT EXISTS served_recipes (
        -- The last good version of each recipe that something starts, in case its file becomes wrong.
        path TEXT NOT NULL PRIMARY KEY,
        source TEXT NOT NULL,                -- the recipe's text
        recipes TEXT NOT NULL,               -- JSON: the texts of the recipes that it runs, by path
        kept_at TEXT NOT NULL
      ) WITHOUT ROWID $STRICT;

      -- Processes write themselves down again and again.
      DROP TABLE servers;
      CREATE TABLE servers (
        -- The processes of 'sous serve'.
        id TEXT NOT NULL PRIMARY KEY,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        began_at TEXT NOT NULL,
        beat_at TEXT NOT NULL,               -- one whose beat is old is gone
        machine TEXT NOT NULL,               -- these four tell the process apart from a later one of its number
        boot TEXT NOT NULL,
        namespace TEXT NOT NULL,
        start_ticks INTEGER NOT NULL,
        recipes INTEGER NOT NULL,            -- how many it knows
        problems TEXT NOT NULL               -- JSON: what is wrong with which file
      ) WITHOUT ROWID $STRICT;
      """)
}
