extension TableGroup {
  /// The queue: processes and the runs they own, waits and events, circuit breakers, cached results.
  static let queue = TableGroup(
    sql: """
      CREATE TABLE processes (
        -- The processes that work on runs.
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        host TEXT NOT NULL,
        machine TEXT NOT NULL DEFAULT '',    -- tells machines of one name apart; '': unknown
        boot TEXT NOT NULL,                  -- that machine's boot_id
        pid INTEGER NOT NULL,
        start_ticks INTEGER NOT NULL,        -- when it began, ticks since boot
        namespace TEXT NOT NULL,             -- of process numbers; '' where not known
        token TEXT NOT NULL,                 -- tells stores of one process apart
        home TEXT NOT NULL DEFAULT '',       -- the file it works with, as home.file; '': unknown
        beat INTEGER NOT NULL DEFAULT 0,     -- grows while the process is alive
        lost INTEGER NOT NULL DEFAULT 0,     -- 1: others have claimed its runs, and it may write no more
        began_at TEXT NOT NULL
      ) $STRICT;

      CREATE TABLE home (
        -- Which file this run log was when runs last began in it: a copy has another one.
        id INTEGER PRIMARY KEY CHECK (id = 1),
        file TEXT NOT NULL,                  -- inode and device
        path TEXT NOT NULL,
        machine TEXT NOT NULL                -- the machine's mark, or its name where it has none
      ) $STRICT;

      CREATE INDEX runs_by_owner ON runs (owner, id) WHERE owner IS NOT NULL;
      CREATE INDEX runs_queued ON runs (priority DESC, id)
        WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NULL;
      CREATE INDEX runs_queued_in_groups ON runs (concurrency_group, priority DESC, id)
        WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL;
      CREATE INDEX runs_of_groups ON runs (concurrency_group)
        WHERE concurrency_group IS NOT NULL AND status IN ('running', 'waiting', 'interrupted');
      CREATE INDEX runs_due ON runs (due_at, priority, id)
        WHERE status = 'waiting' AND parent IS NULL AND due_at IS NOT NULL;
      CREATE INDEX runs_held ON runs (id) WHERE held = 1;
      CREATE INDEX runs_left ON runs (priority DESC, id) WHERE status = 'interrupted' AND parent IS NULL;
      CREATE INDEX runs_to_cancel ON runs (status, priority DESC, id) WHERE cancel_requested = 1;

      CREATE TABLE group_heads (
        -- The queued run that is next in each concurrency group in which none is at work; kept by the triggers below.
        concurrency_group TEXT NOT NULL PRIMARY KEY,
        priority INTEGER NOT NULL,
        run TEXT NOT NULL
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX group_heads_by_turn ON group_heads (priority DESC, run);

      \(keepingHeads(next))

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

  /// The triggers that look anew for the next run of a group when a run of the group changes.
  ///
  /// - Parameter next: The query that finds it, for the group of a row.
  static func keepingHeads(_ next: (String) -> String) -> String {
    [
      ("added", "AFTER INSERT", "new"), ("changed", "AFTER UPDATE OF status, priority", "new"),
      ("removed", "AFTER DELETE", "old"),
    ].map { name, event, row in
      """
      CREATE TRIGGER group_heads_\(name) \(event) ON runs WHEN \(row).concurrency_group IS NOT NULL BEGIN
        DELETE FROM group_heads WHERE concurrency_group = \(row).concurrency_group;
        INSERT INTO group_heads (concurrency_group, priority, run) \(next("\(row).concurrency_group"));
      END;
      """
    }.joined(separator: "\n")
  }

  /// The next run of a group in which none is at work.
  private static func next(of group: String) -> String {
    """
    SELECT concurrency_group, priority, id FROM runs INDEXED BY runs_queued_in_groups
      WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL AND concurrency_group = \(group)
        AND NOT EXISTS (
          SELECT 1 FROM runs AS holder INDEXED BY runs_of_groups WHERE holder.concurrency_group = \(group)
            AND holder.concurrency_group IS NOT NULL AND holder.status IN ('running', 'waiting', 'interrupted'))
      ORDER BY priority DESC, id LIMIT 1
    """
  }
}
