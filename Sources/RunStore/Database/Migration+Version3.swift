extension Migration {
  /// The third schema: processes and the runs they own, the queue, waits and events, breakers, kept results.
  static let version3 = Migration(
    version: 3,
    sql: """
      CREATE TABLE processes (
        -- Who works on runs.
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        host TEXT NOT NULL,
        boot TEXT NOT NULL,                  -- that machine's boot_id
        pid INTEGER NOT NULL,
        start_ticks INTEGER NOT NULL,        -- when it began, ticks since boot
        namespace TEXT NOT NULL,             -- of process numbers; '' where not known
        token TEXT NOT NULL,                 -- tells stores of one process apart
        beat INTEGER NOT NULL DEFAULT 0,     -- grows while the process is alive
        lost INTEGER NOT NULL DEFAULT 0,     -- 1: its runs have gone to others, and it may write no more
        began_at TEXT NOT NULL
      ) $STRICT;

      ALTER TABLE runs ADD COLUMN owner INTEGER;             -- processes.id; NULL while nobody works on the run
      ALTER TABLE runs ADD COLUMN due_at TEXT;               -- when a waiting run goes on
      ALTER TABLE runs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE runs ADD COLUMN concurrency_group TEXT;
      ALTER TABLE runs ADD COLUMN parent TEXT;               -- the run whose step runs this one
      ALTER TABLE runs ADD COLUMN origin TEXT;               -- the run that this one repeats
      ALTER TABLE runs ADD COLUMN source_blob TEXT REFERENCES blobs (hash);
      ALTER TABLE runs ADD COLUMN keywords TEXT;
      ALTER TABLE runs ADD COLUMN keywords_blob TEXT REFERENCES blobs (hash);
      ALTER TABLE runs ADD COLUMN event TEXT;
      ALTER TABLE runs ADD COLUMN event_blob TEXT REFERENCES blobs (hash);
      ALTER TABLE runs ADD COLUMN cancel_requested INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE steps ADD COLUMN carried_from TEXT;        -- the run that the result was taken from
      -- 1: nobody knows if it took effect; 2: a person has said that it did not.
      ALTER TABLE attempts ADD COLUMN uncertain INTEGER NOT NULL DEFAULT 0;

      INSERT INTO processes (host, boot, pid, start_ticks, namespace, token, began_at)
        SELECT owner_host, owner_boot, owner_pid, owner_start_ticks, '', '', min(started_at) FROM runs
        WHERE status = 'running' AND owner_host IS NOT NULL AND owner_boot IS NOT NULL AND owner_pid IS NOT NULL
          AND owner_start_ticks IS NOT NULL
        GROUP BY owner_host, owner_boot, owner_pid, owner_start_ticks;
      UPDATE runs SET owner = (SELECT id FROM processes AS p WHERE p.host = owner_host AND p.boot = owner_boot
        AND p.pid = owner_pid AND p.start_ticks = owner_start_ticks)
      WHERE status = 'running';

      CREATE INDEX runs_by_owner ON runs (owner, id) WHERE owner IS NOT NULL;
      CREATE INDEX runs_queued ON runs (priority DESC, id)
        WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NULL;
      CREATE INDEX runs_queued_in_groups ON runs (concurrency_group, priority DESC, id)
        WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL;
      CREATE INDEX runs_of_groups ON runs (concurrency_group)
        WHERE concurrency_group IS NOT NULL AND status IN ('running', 'waiting', 'interrupted');
      CREATE INDEX runs_due ON runs (due_at, priority, id)
        WHERE status = 'waiting' AND parent IS NULL AND due_at IS NOT NULL;
      CREATE INDEX runs_left ON runs (priority DESC, id) WHERE status = 'interrupted' AND parent IS NULL;
      CREATE INDEX runs_to_cancel ON runs (status, priority DESC, id) WHERE cancel_requested = 1;
      CREATE INDEX runs_by_parent ON runs (parent) WHERE parent IS NOT NULL;
      CREATE INDEX runs_by_source_blob ON runs (source_blob) WHERE source_blob IS NOT NULL;
      CREATE INDEX runs_by_keywords_blob ON runs (keywords_blob) WHERE keywords_blob IS NOT NULL;
      CREATE INDEX runs_by_event_blob ON runs (event_blob) WHERE event_blob IS NOT NULL;

      CREATE TABLE waits (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        step INTEGER NOT NULL,               -- steps.position
        item INTEGER NOT NULL DEFAULT -1,
        kind TEXT NOT NULL,                  -- time, event, approval, retry, recipe
        until TEXT,                          -- when it ends by itself
        event TEXT,
        key TEXT NOT NULL,
        message TEXT,                        -- what a person is asked
        form TEXT,                           -- JSON Schema of the answer
        at TEXT NOT NULL,
        ended_at TEXT,
        answer TEXT,                         -- event, approved, rejected
        answer_value TEXT,                   -- JSON: the payload or the fields
        answer_reason TEXT,
        answered_by TEXT,
        answered_at TEXT,
        PRIMARY KEY (run, step, item)
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX waits_for_events ON waits (event, key, at)
        WHERE kind = 'event' AND ended_at IS NULL AND answer IS NULL;
      CREATE INDEX waits_for_people ON waits (at, run, step, item)
        WHERE kind = 'approval' AND ended_at IS NULL AND answer IS NULL;

      CREATE TABLE events (
        -- What was delivered from outside; kept for a while for waits that begin later.
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        key TEXT NOT NULL,
        payload TEXT NOT NULL,               -- JSON
        received_at TEXT NOT NULL,
        taken_run TEXT,                      -- the wait that took it
        taken_step INTEGER,
        taken_item INTEGER
      ) $STRICT;
      CREATE INDEX events_free ON events (name, key, number) WHERE taken_run IS NULL;
      CREATE INDEX events_by_time ON events (received_at);

      CREATE TABLE breakers (
        provider TEXT NOT NULL PRIMARY KEY,
        failures INTEGER NOT NULL,
        probes INTEGER NOT NULL,
        open_until TEXT,
        open_seconds REAL NOT NULL,
        last_failure TEXT,
        at TEXT NOT NULL
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE cache (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT,                          -- JSON when short
        blob TEXT REFERENCES blobs (hash),   -- else
        expires_at TEXT NOT NULL
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX cache_by_expiry ON cache (expires_at);
      CREATE INDEX cache_by_blob ON cache (blob) WHERE blob IS NOT NULL;
      """)
}
