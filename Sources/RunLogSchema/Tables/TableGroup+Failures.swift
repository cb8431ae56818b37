extension TableGroup {
  /// What is to be told of runs that failed, and of recipes that work again.
  static let failures = TableGroup(
    sql: """
      CREATE TABLE concluded_runs (
        -- Ends of runs from the queue that nobody has judged yet. The trigger below writes them in the transaction that
        -- ends the run, whichever process that is.
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        run TEXT NOT NULL,                   -- runs.id
        path TEXT NOT NULL,
        recipe TEXT NOT NULL,
        status TEXT NOT NULL,                -- failed, needs_attention, succeeded
        at TEXT NOT NULL,
        message TEXT,
        message_de TEXT,                     -- where the German text differs
        UNIQUE (run, status) ON CONFLICT IGNORE
      ) $STRICT;
      CREATE INDEX concluded_by_path ON concluded_runs (path);

      CREATE TABLE failure_streaks (
        -- Recipes whose last run failed.
        path TEXT NOT NULL PRIMARY KEY,
        failures INTEGER NOT NULL,           -- in a row
        since TEXT NOT NULL,                 -- the first of them
        told INTEGER NOT NULL                -- 1: somebody was told of one of them
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE failure_digests (
        -- What is told later, in one message for each target.
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        target TEXT NOT NULL,                -- JSON: who is told
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        at TEXT NOT NULL,
        due_at TEXT NOT NULL                 -- the same for all of a target
      ) $STRICT;
      CREATE INDEX failure_digests_due ON failure_digests (target, due_at);

      CREATE TRIGGER runs_concluded AFTER UPDATE OF status ON runs
      WHEN NEW.parent IS NULL AND NEW.queued_at IS NOT NULL AND NEW.trigger NOT IN ('notice', 'replay')
        AND NEW.status IN ('failed', 'needs_attention', 'succeeded') AND OLD.status <> NEW.status
        AND (NEW.status <> 'succeeded' OR EXISTS (SELECT 1 FROM failure_streaks WHERE path = NEW.path)
          OR EXISTS (SELECT 1 FROM concluded_runs WHERE path = NEW.path))
      BEGIN
        INSERT INTO concluded_runs (run, path, recipe, status, at, message, message_de)
        VALUES (NEW.id, NEW.path, NEW.recipe, NEW.status, coalesce(NEW.ended_at, NEW.started_at), NEW.failure_message,
          NEW.failure_message_de);
      END;
      """)
}
