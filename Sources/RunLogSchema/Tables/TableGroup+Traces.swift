extension TableGroup {
  /// The traces of runs that are pushed to a collector of OpenTelemetry.
  static let traces = TableGroup(
    sql: """
      -- The trace and the span that a request has named, which the trace of the run continues; NULL: a trace of its own.
      ALTER TABLE runs ADD COLUMN trace_parent TEXT;

      CREATE TABLE trace_target (
        -- One row if the configuration of the daemon names a collector: the trigger below has work only then.
        id INTEGER PRIMARY KEY CHECK (id = 1),
        since TEXT NOT NULL
      ) $STRICT;

      CREATE TABLE pending_traces (
        -- Runs that have ended, until the collector has accepted their traces. The trigger below adds them in the transaction
        -- that ends the run, whichever process that is.
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        run TEXT NOT NULL UNIQUE,            -- runs.id
        leased_until TEXT                    -- until then one process pushes it
      ) $STRICT;

      CREATE TRIGGER runs_traced AFTER UPDATE OF status ON runs
      WHEN NEW.parent IS NULL AND NEW.status IN ('succeeded', 'failed', 'skipped', 'cancelled') AND OLD.status <> NEW.status
        AND EXISTS (SELECT 1 FROM trace_target)
      BEGIN
        INSERT OR IGNORE INTO pending_traces (run) VALUES (NEW.id);
        -- If no collector takes them, the newest wait.
        DELETE FROM pending_traces WHERE number <= (SELECT max(number) FROM pending_traces) - 10000;
      END;
      """)
}
