extension TableGroup {
  /// What calls of models have used. Rows outlive the runs that they belong to.
  static let usage = TableGroup(
    sql: """
      CREATE TABLE usage (
        -- One row for each call of a model. It is written before the call and holds what the call may use at most; the end
        -- of the attempt, or of the command, replaces that by what it has used.
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        owner INTEGER,                       -- processes.id, while the call is open
        at TEXT NOT NULL,
        day TEXT NOT NULL,                   -- of the local time zone: 2026-11-23
        run TEXT,                            -- runs.id; NULL outside of runs
        recipe TEXT NOT NULL,                -- '' outside of runs
        step TEXT,
        item INTEGER,
        attempt INTEGER,
        action TEXT NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,                 -- that was asked, then that answered; '' where nobody said
        state TEXT NOT NULL,                 -- open, answered, failed, unknown
        failure TEXT,
        prompt_tokens INTEGER NOT NULL DEFAULT 0,
        cached_tokens INTEGER NOT NULL DEFAULT 0,
        completion_tokens INTEGER NOT NULL DEFAULT 0,
        reasoning_tokens INTEGER NOT NULL DEFAULT 0,
        cost REAL,                           -- NULL: no price was known
        reserved_tokens INTEGER NOT NULL DEFAULT 0, -- counts for budgets until the end is known
        reserved_cost REAL NOT NULL DEFAULT 0,
        duration_ms REAL,
        first_ms REAL                        -- until the first piece of the answer
      ) $STRICT;
      CREATE INDEX usage_by_day ON usage (day, provider);
      CREATE INDEX usage_by_recipe ON usage (recipe, day);
      CREATE INDEX usage_by_run ON usage (run) WHERE run IS NOT NULL;
      CREATE INDEX usage_open ON usage (owner) WHERE state = 'open';

      -- A process that is gone, or whose runs others have claimed, has no call under way any more.
      CREATE TRIGGER usage_of_gone AFTER DELETE ON processes BEGIN
        UPDATE usage SET state = 'unknown', owner = NULL, reserved_tokens = 0, reserved_cost = 0
        WHERE owner = OLD.id AND state = 'open';
      END;
      CREATE TRIGGER usage_of_lost AFTER UPDATE OF lost ON processes WHEN NEW.lost = 1 BEGIN
        UPDATE usage SET state = 'unknown', owner = NULL, reserved_tokens = 0, reserved_cost = 0
        WHERE owner = NEW.id AND state = 'open';
      END;
      """)
}
