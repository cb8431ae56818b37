extension Migration {
  /// The first schema: runs, their steps, attempts, outputs and log lines, and the blobs of large values.
  ///
  /// The comments end up in the file, for whoever reads it with `sqlite3` and `.schema`.
  static let version1 = Migration(
    version: 1,
    sql: """
      CREATE TABLE blobs (
        -- Large values, each kept once.
        hash TEXT NOT NULL PRIMARY KEY,      -- SHA-256 of the content, hexadecimal
        bytes INTEGER NOT NULL,
        content BLOB NOT NULL                -- JSON text in UTF-8
      ) $STRICT;

      CREATE TABLE runs (
        -- Times are ISO 8601 in UTC with milliseconds. Values are JSON, here when short, else in blobs.
        id TEXT NOT NULL PRIMARY KEY,        -- ULID
        recipe TEXT NOT NULL,
        path TEXT NOT NULL,                  -- the recipe's file
        fingerprint TEXT NOT NULL,           -- of the recipe's text
        trigger TEXT NOT NULL,               -- manual, schedule, ...
        status TEXT NOT NULL,                -- running, succeeded, failed, cancelled, interrupted, needs_attention
        started_at TEXT NOT NULL,
        ended_at TEXT,
        duration_ms INTEGER GENERATED ALWAYS AS
          (max(0, CAST(round((julianday(ended_at) - julianday(started_at)) * 86400000) AS INTEGER))) VIRTUAL,
        inputs TEXT,
        inputs_blob TEXT REFERENCES blobs (hash),
        outputs TEXT,
        outputs_blob TEXT REFERENCES blobs (hash),
        failure_kind TEXT,
        failure_message TEXT,
        failure_message_de TEXT,             -- where the German text differs
        failure_advice TEXT,
        failure_advice_de TEXT,
        owner_host TEXT,                     -- the process that works on the run
        owner_boot TEXT,                     -- that machine's boot_id
        owner_pid INTEGER,
        owner_start_ticks INTEGER            -- when that process began, ticks since boot
      ) $STRICT;
      CREATE INDEX runs_by_time ON runs (started_at, id);
      CREATE INDEX runs_by_recipe ON runs (recipe, started_at, id);
      CREATE INDEX runs_by_status ON runs (status, started_at, id);
      CREATE INDEX runs_by_inputs_blob ON runs (inputs_blob) WHERE inputs_blob IS NOT NULL;
      CREATE INDEX runs_by_outputs_blob ON runs (outputs_blob) WHERE outputs_blob IS NOT NULL;

      CREATE TABLE steps (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,           -- in the recipe, from 0
        id TEXT NOT NULL,
        action TEXT NOT NULL,
        effect TEXT NOT NULL,                -- pure, read, idempotent, once
        status TEXT NOT NULL,                -- pending, running, succeeded, failed, skipped, cancelled
        started_at TEXT,
        ended_at TEXT,
        duration_ms INTEGER GENERATED ALWAYS AS
          (max(0, CAST(round((julianday(ended_at) - julianday(started_at)) * 86400000) AS INTEGER))) VIRTUAL,
        item_count INTEGER,                  -- of a for_each
        items_succeeded INTEGER,
        items_failed INTEGER,
        failure_kind TEXT,
        failure_message TEXT,
        failure_message_de TEXT,
        failure_advice TEXT,
        failure_advice_de TEXT,
        PRIMARY KEY (run, position)
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE attempts (
        run TEXT NOT NULL,
        step INTEGER NOT NULL,               -- steps.position
        item INTEGER NOT NULL DEFAULT -1,    -- of a for_each, from 0; -1 without one
        number INTEGER NOT NULL,             -- from 1
        provider TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        status TEXT NOT NULL,                -- running, succeeded, failed
        started_at TEXT NOT NULL,
        ended_at TEXT,
        duration_ms REAL,
        input_bytes INTEGER NOT NULL,
        output_bytes INTEGER,
        failure_kind TEXT,
        failure_message TEXT,
        failure_message_de TEXT,
        failure_advice TEXT,
        failure_advice_de TEXT,
        retry_after_ms REAL,                 -- what the other side asked for
        retry_delay_ms REAL,                 -- the pause before the next attempt
        PRIMARY KEY (run, step, item, number),
        FOREIGN KEY (run, step) REFERENCES steps (run, position) ON DELETE CASCADE
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE outputs (
        run TEXT NOT NULL,
        step INTEGER NOT NULL,               -- steps.position
        item INTEGER NOT NULL DEFAULT -1,    -- of a for_each, from 0; -1 for the step as a whole
        bytes INTEGER NOT NULL,
        value TEXT,                          -- JSON when short
        blob TEXT REFERENCES blobs (hash),   -- else
        PRIMARY KEY (run, step, item),
        FOREIGN KEY (run, step) REFERENCES steps (run, position) ON DELETE CASCADE
      ) $STRICT;
      CREATE INDEX outputs_by_blob ON outputs (blob) WHERE blob IS NOT NULL;

      CREATE TABLE logs (
        id INTEGER PRIMARY KEY,
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        step INTEGER,                        -- steps.position
        item INTEGER,
        attempt INTEGER,
        level TEXT NOT NULL,                 -- debug, info, warning, error
        message TEXT NOT NULL,
        at TEXT NOT NULL
      ) $STRICT;
      CREATE INDEX logs_by_run ON logs (run, id);

      CREATE VIEW run_summary AS
        SELECT id, recipe, status, trigger, started_at, ended_at, duration_ms,
          (SELECT count(*) FROM steps WHERE run = runs.id) AS steps,
          (SELECT count(*) FROM steps WHERE run = runs.id AND status = 'succeeded') AS succeeded,
          (SELECT count(*) FROM steps WHERE run = runs.id AND status = 'failed') AS failed,
          (SELECT count(*) FROM steps WHERE run = runs.id AND status = 'skipped') AS skipped,
          (SELECT count(*) FROM attempts WHERE run = runs.id) AS attempts,
          (SELECT count(*) FROM attempts WHERE run = runs.id AND number > 1) AS retries,
          failure_kind, failure_message
        FROM runs;

      CREATE VIEW step_summary AS
        SELECT run, position, id AS step, action, effect, status, started_at, duration_ms,
          (SELECT group_concat(DISTINCT provider) FROM attempts
            WHERE run = steps.run AND step = steps.position) AS providers,
          (SELECT count(*) FROM attempts WHERE run = steps.run AND step = steps.position) AS attempts,
          item_count, items_succeeded, items_failed, failure_kind, failure_message
        FROM steps;

      CREATE VIEW attempt_summary AS
        SELECT a.run, s.id AS step, nullif(a.item, -1) AS item, a.number, a.provider, a.status, a.started_at,
          a.duration_ms, a.input_bytes, a.output_bytes, a.failure_kind, a.failure_message, a.retry_delay_ms
        FROM attempts AS a JOIN steps AS s ON s.run = a.run AND s.position = a.step;

      CREATE VIEW output_summary AS
        SELECT o.run, s.id AS step, nullif(o.item, -1) AS item, o.bytes,
          coalesce(o.value, CAST((SELECT content FROM blobs WHERE hash = o.blob) AS TEXT)) AS value
        FROM outputs AS o JOIN steps AS s ON s.run = o.run AND s.position = o.step;

      CREATE VIEW log_summary AS
        SELECT l.id, l.at, l.level, l.run, s.id AS step, l.item, l.attempt, l.message
        FROM logs AS l LEFT JOIN steps AS s ON s.run = l.run AND s.position = l.step;
      """)
}
