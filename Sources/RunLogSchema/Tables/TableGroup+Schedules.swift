extension TableGroup {
  /// Schedules and their points, what of recipes is switched off, and who serves.
  static let schedules = TableGroup(
    sql: """
      CREATE TABLE schedules (
        -- How far each schedule has come. A point and the run that it begins are written in one transaction.
        source TEXT NOT NULL PRIMARY KEY,    -- the recipe's file, #, and the position of the trigger in 'on'
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
        failures INTEGER NOT NULL DEFAULT 0  -- runs failed one after another
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE occurrences (
        -- What has become of the points of schedules, for a while.
        source TEXT NOT NULL,
        at TEXT NOT NULL,                    -- the point; the first of several
        until TEXT NOT NULL,                 -- the last of several
        count INTEGER NOT NULL,
        outcome TEXT NOT NULL,               -- run, caught_up, skipped, missed
        run TEXT,                            -- runs.id
        open INTEGER NOT NULL,               -- 1: its run has not been seen to have ended
        PRIMARY KEY (source, at)
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX occurrences_by_time ON occurrences (at);
      CREATE INDEX occurrences_open ON occurrences (source, at) WHERE open = 1;

      CREATE TABLE disabled_recipes (
        -- Recipes whose triggers somebody has switched off.
        path TEXT NOT NULL PRIMARY KEY,
        since TEXT NOT NULL
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE servers (
        -- The processes of 'sous serve'.
        id TEXT NOT NULL PRIMARY KEY,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        began_at TEXT NOT NULL,
        beat_at TEXT NOT NULL,               -- one whose beat is old is gone
        recipes INTEGER NOT NULL,            -- how many it knows
        problems TEXT NOT NULL               -- JSON: what is wrong with which file
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE trigger_health (
        -- How subscriptions to triggers fare.
        subscription TEXT NOT NULL PRIMARY KEY,
        recipe TEXT NOT NULL,
        path TEXT NOT NULL,
        trigger TEXT NOT NULL,
        provider TEXT NOT NULL,
        alive_at TEXT,                       -- when it was last seen to listen
        event_at TEXT,                       -- when the last event came
        events INTEGER NOT NULL,
        reconnects INTEGER NOT NULL,         -- of a webhook: requests that it refused
        lag_ms REAL,                         -- from the event on disk to its run
        trouble TEXT,                        -- why it does not listen just now
        trouble_de TEXT                      -- where the German text differs
      ) WITHOUT ROWID $STRICT;
      """)
}
