extension TableGroup {
  /// Conversations of `sous chat`.
  static let chats = TableGroup(
    sql: """
      CREATE TABLE chats (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,                 -- the beginning of the first question
        system TEXT NOT NULL,                -- standing instructions; '' for none
        at TEXT NOT NULL,
        changed_at TEXT NOT NULL
      ) $STRICT;
      CREATE INDEX chats_by_change ON chats (changed_at);

      CREATE TABLE chat_turns (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        chat INTEGER NOT NULL REFERENCES chats (number) ON DELETE CASCADE,
        role TEXT NOT NULL,                  -- user, assistant
        text TEXT NOT NULL,
        files TEXT NOT NULL,                 -- JSON: the names of the files of the turn
        provider TEXT NOT NULL,              -- who answered; '' for questions
        model TEXT NOT NULL,
        is_cut INTEGER NOT NULL,             -- 1: the answer was broken off
        at TEXT NOT NULL
      ) $STRICT;
      CREATE INDEX chat_turns_by_chat ON chat_turns (chat, number);
      """)

  /// The settings of an answer that the next turn of the conversation uses too.
  static let chatSettings = TableGroup(
    sql: "ALTER TABLE chat_turns ADD COLUMN settings TEXT;  -- JSON: {local, model, task, temperature}, each optional")
}
