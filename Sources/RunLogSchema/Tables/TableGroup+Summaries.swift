extension TableGroup {
  /// Summaries of messages that were made in advance, and those that wait.
  static let summaries = TableGroup(
    sql: """
      CREATE TABLE summaries (
        account TEXT NOT NULL,               -- the provider of mail.store
        message TEXT NOT NULL,               -- its Message-ID; folder and uid where it has none
        folder TEXT NOT NULL,
        uid TEXT NOT NULL,
        state TEXT NOT NULL,                 -- waiting, done, failed
        rank INTEGER NOT NULL,               -- lower first: unread, with a star, not sent to many
        date TEXT NOT NULL,                  -- the message's; the newer first
        queued_at TEXT NOT NULL,
        ended_at TEXT,
        in_advance INTEGER NOT NULL,         -- whether it counts for the limit of an hour
        body TEXT NOT NULL,                  -- JSON: subject, from, text, model; sealed where texts are neutralised
        trouble TEXT,
        PRIMARY KEY (account, message)
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX summaries_waiting ON summaries (rank, date DESC) WHERE state = 'waiting';
      CREATE INDEX summaries_by_end ON summaries (ended_at) WHERE ended_at IS NOT NULL;
      """)
}
