extension TableGroup {
  /// What plugins store: state of providers, blobs, events of triggers.
  static let providers = TableGroup(
    sql: """
      CREATE TABLE provider_state (
        -- Keys and values that plugins keep, one space for each configured provider.
        provider TEXT NOT NULL,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        version INTEGER NOT NULL,            -- another one with every change
        PRIMARY KEY (provider, key)
      ) $STRICT;
      CREATE TABLE provider_state_versions (
        provider TEXT NOT NULL PRIMARY KEY,
        last INTEGER NOT NULL,               -- the last version that was given out
        bytes INTEGER NOT NULL               -- of all keys and values
      ) WITHOUT ROWID $STRICT;

      CREATE TABLE plugin_blobs (
        -- Large values that plugins made; in JSON "blob:sha256:<hash>".
        number INTEGER PRIMARY KEY,
        hash TEXT UNIQUE,                    -- SHA-256, hexadecimal; NULL while it is being written
        bytes INTEGER NOT NULL,
        created_at TEXT NOT NULL
      ) $STRICT;
      CREATE TABLE plugin_blob_pieces (
        blob INTEGER NOT NULL REFERENCES plugin_blobs (number) ON DELETE CASCADE,
        position INTEGER NOT NULL,           -- from 0; all pieces but the last have 262144 bytes
        content BLOB NOT NULL,
        PRIMARY KEY (blob, position)
      ) $STRICT;

      CREATE TABLE trigger_cursors (
        -- How far each subscription to a trigger has come.
        subscription TEXT NOT NULL PRIMARY KEY,
        cursor TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) WITHOUT ROWID $STRICT;
      CREATE TABLE trigger_events (
        number INTEGER PRIMARY KEY,
        subscription TEXT NOT NULL,
        id TEXT NOT NULL,                    -- what names it towards its trigger
        event TEXT,                          -- JSON; NULL once it has been dealt with
        cursor TEXT,
        received_at TEXT NOT NULL,
        settled_at TEXT,
        UNIQUE (subscription, id)
      ) $STRICT;
      CREATE INDEX trigger_events_pending ON trigger_events (subscription, number) WHERE settled_at IS NULL;
      """)
}
