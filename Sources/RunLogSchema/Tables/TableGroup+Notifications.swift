extension TableGroup {
  /// The inbox of notifications.
  static let notifications = TableGroup(
    sql: """
      CREATE TABLE notifications (
        -- What recipes have told. What a person clears keeps its key for as long as that counts, without its texts.
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        call TEXT NOT NULL UNIQUE,           -- the idempotency key of the step: a repeated attempt adds nothing
        recipe TEXT NOT NULL,
        run TEXT NOT NULL,                   -- runs.id
        key TEXT,                            -- the same key of one recipe counts once within some days
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        priority TEXT NOT NULL,              -- min, low, normal, high, urgent
        tags TEXT NOT NULL,                  -- JSON: texts
        link TEXT,
        at TEXT NOT NULL,
        read_at TEXT,
        cleared_at TEXT,
        provider TEXT,                       -- who else is to deliver it; NULL: only the inbox
        delivered_at TEXT,                   -- when that provider took it
        trouble TEXT,                        -- why it has not
        trouble_de TEXT                      -- where the German text differs
      ) $STRICT;
      CREATE INDEX notifications_by_key ON notifications (recipe, key, at) WHERE key IS NOT NULL;
      CREATE INDEX notifications_unread ON notifications (number) WHERE read_at IS NULL AND cleared_at IS NULL;
      CREATE INDEX notifications_by_time ON notifications (at);
      """)
}
