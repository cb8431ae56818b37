extension TableGroup {
  /// The full-text index over runs and log lines.
  static let search = TableGroup(
    sql: """
      CREATE TABLE run_texts (
        -- The words of a run's inputs, outputs and failures, for searches. Written after the run, not with it.
        number INTEGER PRIMARY KEY,
        run TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
        is_complete INTEGER NOT NULL,        -- 0: taken before the run had ended
        text TEXT NOT NULL
      ) $STRICT;
      CREATE INDEX run_texts_incomplete ON run_texts (run) WHERE is_complete = 0;
      CREATE VIRTUAL TABLE run_search USING fts5(
        text, content='run_texts', content_rowid='number', tokenize='unicode61 remove_diacritics 2');
      CREATE TRIGGER run_texts_added AFTER INSERT ON run_texts BEGIN
        INSERT INTO run_search (rowid, text) VALUES (new.number, new.text);
      END;
      CREATE TRIGGER run_texts_removed AFTER DELETE ON run_texts BEGIN
        INSERT INTO run_search (run_search, rowid, text) VALUES ('delete', old.number, old.text);
      END;
      CREATE TRIGGER run_texts_changed AFTER UPDATE ON run_texts BEGIN
        INSERT INTO run_search (run_search, rowid, text) VALUES ('delete', old.number, old.text);
        INSERT INTO run_search (rowid, text) VALUES (new.number, new.text);
      END;

      CREATE TABLE search_progress (
        -- How far the indexes know the log; they are brought up to date from time to time.
        id INTEGER PRIMARY KEY CHECK (id = 1),
        line INTEGER NOT NULL,               -- logs.id
        run INTEGER NOT NULL                 -- runs.number; each up to it has a row in run_texts
      ) $STRICT;
      INSERT INTO search_progress (id, line, run) VALUES (1, 0, 0);
      CREATE VIRTUAL TABLE log_search USING fts5(
        message, content='logs', content_rowid='id', tokenize='unicode61 remove_diacritics 2');
      CREATE TRIGGER logs_removed AFTER DELETE ON logs
      WHEN old.id <= (SELECT line FROM search_progress WHERE id = 1) BEGIN
        INSERT INTO log_search (log_search, rowid, message) VALUES ('delete', old.id, old.message);
        -- The numbers of the newest lines are given out again once those lines are gone.
        UPDATE search_progress SET line = coalesce((SELECT max(id) FROM logs), 0)
          WHERE id = 1 AND line > coalesce((SELECT max(id) FROM logs), 0);
      END;
      """)
}
