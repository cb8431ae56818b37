extension TableGroup {
  /// Runs, their steps, attempts, outputs and log lines, and the blobs of large values.
  static let runs = TableGroup(
    sql: """
      CREATE TABLE blobs (
        -- Large values, each stored once.
        hash TEXT NOT NULL PRIMARY KEY,      -- SHA-256 of the content, hexadecimal
        bytes INTEGER NOT NULL,
        content BLOB NOT NULL                -- JSON text in UTF-8
      ) $STRICT;

      CREATE TABLE recipe_sets (
        -- The recipes that a recipe runs, directly or through others, as they were when a run of it began.
        name TEXT NOT NULL,                  -- SHA-256 of paths and texts, hexadecimal
        path TEXT NOT NULL,
        blob TEXT NOT NULL REFERENCES blobs (hash),
        PRIMARY KEY (name, path)
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX recipe_sets_by_blob ON recipe_sets (blob);

      CREATE TABLE runs (
        -- Times are ISO 8601 in UTC with milliseconds. Values are JSON, here when short, else in blobs.
        number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order in which they were recorded
        id TEXT NOT NULL UNIQUE,             -- ULID
        recipe TEXT NOT NULL,
        path TEXT NOT NULL,                  -- the recipe's file
        fingerprint TEXT NOT NULL,           -- of the recipe's text
        trigger TEXT NOT NULL,               -- manual, schedule, ...
        -- queued, running, waiting, succeeded, failed, skipped, cancelled, interrupted, needs_attention;
        -- removed: retention has removed a part of it
        status TEXT NOT NULL,
        queued_at TEXT,                      -- NULL for a run that a person started and watches
        started_at TEXT NOT NULL,
        ended_at TEXT,
        duration_ms INTEGER GENERATED ALWAYS AS
          (max(0, CAST(round((julianday(ended_at) - julianday(started_at)) * 86400000) AS INTEGER))) VIRTUAL,
        inputs TEXT,
        inputs_blob TEXT REFERENCES blobs (hash),
        keywords TEXT,
        keywords_blob TEXT REFERENCES blobs (hash),
        event TEXT,
        event_blob TEXT REFERENCES blobs (hash),
        outputs TEXT,
        outputs_blob TEXT REFERENCES blobs (hash),
        source_blob TEXT REFERENCES blobs (hash),
        recipe_set TEXT,                     -- recipe_sets.name; NULL where the recipe runs no other
        failure_kind TEXT,
        failure_message TEXT,
        failure_message_de TEXT,             -- where the German text differs
        failure_advice TEXT,
        failure_advice_de TEXT,
        owner INTEGER,                       -- processes.id; NULL while no process works on the run
        owner_host TEXT,                     -- the process that works, or worked, on the run
        owner_pid INTEGER,
        home TEXT,                           -- the file it began in, as home.file; '' or NULL: unknown
        priority INTEGER NOT NULL DEFAULT 0,
        concurrency_group TEXT,
        due_at TEXT,                         -- when a waiting run is resumed
        held INTEGER NOT NULL DEFAULT 0,     -- 1: it waits because nobody could resume it
        parent TEXT,                         -- the run whose step runs this one
        origin TEXT,                         -- the run that this one repeats
        cancel_requested INTEGER NOT NULL DEFAULT 0
      ) $STRICT;
      CREATE INDEX runs_by_time ON runs (started_at, id);
      CREATE INDEX runs_by_recipe ON runs (recipe, started_at, id);
      CREATE INDEX runs_by_status ON runs (status, started_at, id);
      CREATE INDEX runs_by_parent ON runs (parent) WHERE parent IS NOT NULL;
      CREATE INDEX runs_by_origin ON runs (origin) WHERE origin IS NOT NULL;
      CREATE INDEX runs_by_inputs_blob ON runs (inputs_blob) WHERE inputs_blob IS NOT NULL;
      CREATE INDEX runs_by_outputs_blob ON runs (outputs_blob) WHERE outputs_blob IS NOT NULL;
      CREATE INDEX runs_by_source_blob ON runs (source_blob) WHERE source_blob IS NOT NULL;
      CREATE INDEX runs_by_keywords_blob ON runs (keywords_blob) WHERE keywords_blob IS NOT NULL;
      CREATE INDEX runs_by_event_blob ON runs (event_blob) WHERE event_blob IS NOT NULL;
      CREATE INDEX runs_by_recipe_set ON runs (recipe_set) WHERE recipe_set IS NOT NULL;
      CREATE INDEX runs_ended ON runs (ended_at, id, recipe, parent, status) -- all that retention asks for
        WHERE parent IS NULL AND status IN ('succeeded', 'failed', 'skipped', 'cancelled');

      CREATE TABLE turns (
        -- Why a run left its main line, where something has happened since that depends on the reason.
        run TEXT NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
        reason TEXT NOT NULL,                -- succeeded, failed, cancelled
        step INTEGER,                        -- steps.position, of the failure
        outputs TEXT NOT NULL,               -- JSON, without what speaks of steps still to come
        failure_kind TEXT,
        failure_message TEXT,
        failure_message_de TEXT,
        failure_advice TEXT,
        failure_advice_de TEXT,
        at TEXT NOT NULL
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE steps (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,           -- in the recipe, from 0
        id TEXT NOT NULL,
        action TEXT NOT NULL,
        effect TEXT NOT NULL,                -- pure, read, idempotent, once
        phase TEXT NOT NULL DEFAULT 'main',  -- main, undo, on_failure, finally
        undo_of INTEGER,                     -- the step that an undo reverses
        status TEXT NOT NULL,                -- pending, running, succeeded, failed, skipped, cancelled
        started_at TEXT,
        ended_at TEXT,
        duration_ms INTEGER GENERATED ALWAYS AS
          (max(0, CAST(round((julianday(ended_at) - julianday(started_at)) * 86400000) AS INTEGER))) VIRTUAL,
        item_count INTEGER,                  -- of a for_each
        items_succeeded INTEGER,
        items_failed INTEGER,
        carried_from TEXT,                   -- the run that the result was taken from
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
        kind TEXT NOT NULL,                  -- provider, repair, builtin, recipe, cache, replay, carried
        provider TEXT NOT NULL,              -- its name; a word for people where no provider was asked
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
        retry_delay_ms REAL,                 -- the backoff before the next attempt
        -- 1: the outcome is unknown; 2: a person has said that it had no effect
        uncertain INTEGER NOT NULL DEFAULT 0,
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
