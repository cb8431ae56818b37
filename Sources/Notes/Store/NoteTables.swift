internal import GRDB

/// The tables of notes. The comments end up in the file, for readers with `sqlite3` and `.schema`.
enum NoteTables {
  static let first = """
    CREATE TABLE categories (
      name TEXT PRIMARY KEY NOT NULL,
      folded TEXT NOT NULL UNIQUE,         -- the name in lower case
      color TEXT,                          -- #rrggbb
      position INTEGER NOT NULL,
      is_default INTEGER NOT NULL          -- 1: notes without a category belong to it
    );
    CREATE TABLE notes (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,             -- a UUID in upper case
      kind TEXT NOT NULL,                  -- text, audio
      title TEXT,
      text TEXT NOT NULL,                  -- as it was written or transcribed
      corrected TEXT,
      summary TEXT,
      category TEXT REFERENCES categories (name) ON UPDATE CASCADE ON DELETE SET NULL,
      tags TEXT NOT NULL,                  -- one a line
      source TEXT,
      uses_model INTEGER,
      reminder INTEGER,                    -- nanoseconds since 1970, as all times here
      reminder_run TEXT,                   -- the run in the run log that reminds of it
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL
    );
    CREATE INDEX notes_by_time ON notes (created, number);
    CREATE INDEX notes_by_category ON notes (category);
    CREATE INDEX notes_by_reminder ON notes (reminder) WHERE reminder IS NOT NULL;
    CREATE TABLE note_tags (
      note INTEGER NOT NULL REFERENCES notes (number) ON DELETE CASCADE,
      folded TEXT NOT NULL,                -- the tag in lower case
      tag TEXT NOT NULL,
      PRIMARY KEY (note, folded)
    ) WITHOUT ROWID;
    CREATE INDEX note_tags_by_tag ON note_tags (folded, note);
    CREATE TABLE note_files (
      note INTEGER NOT NULL REFERENCES notes (number) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      role TEXT NOT NULL,                  -- audio, attachment
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      size INTEGER,                        -- NULL: the content is missing
      hash TEXT,                           -- SHA-256 of the content
      PRIMARY KEY (note, position)
    );
    CREATE INDEX note_files_by_hash ON note_files (hash);
    CREATE TABLE contents (
      hash TEXT NOT NULL,
      position INTEGER NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (hash, position)
    ) WITHOUT ROWID;
    CREATE TRIGGER note_files_removed AFTER DELETE ON note_files
    WHEN old.hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM note_files WHERE hash = old.hash) BEGIN
      DELETE FROM contents WHERE hash = old.hash;
    END;
    CREATE TABLE saves (
      call TEXT PRIMARY KEY NOT NULL,      -- the idempotency key of a step: a repeated attempt makes no second note
      note TEXT NOT NULL                   -- notes.id; the note may be deleted since
    );
    CREATE VIRTUAL TABLE note_search USING fts5(
      title, text, corrected, summary, tags, content='notes', content_rowid='number',
      tokenize='unicode61 remove_diacritics 2', prefix='2 3');
    CREATE TRIGGER notes_added AFTER INSERT ON notes BEGIN
      INSERT INTO note_search (rowid, title, text, corrected, summary, tags)
        VALUES (new.number, new.title, new.text, new.corrected, new.summary, new.tags);
    END;
    CREATE TRIGGER notes_removed AFTER DELETE ON notes BEGIN
      INSERT INTO note_search (note_search, rowid, title, text, corrected, summary, tags)
        VALUES ('delete', old.number, old.title, old.text, old.corrected, old.summary, old.tags);
    END;
    CREATE TRIGGER notes_changed AFTER UPDATE OF title, text, corrected, summary, tags ON notes BEGIN
      INSERT INTO note_search (note_search, rowid, title, text, corrected, summary, tags)
        VALUES ('delete', old.number, old.title, old.text, old.corrected, old.summary, old.tags);
      INSERT INTO note_search (rowid, title, text, corrected, summary, tags)
        VALUES (new.number, new.title, new.text, new.corrected, new.summary, new.tags);
    END;
    """

  static func add(_ categories: [NoteCategory], to database: Database) throws {
    for (position, category) in categories.enumerated() {
      try database.execute(
        sql: "INSERT INTO categories (name, folded, color, position, is_default) VALUES (?, ?, ?, ?, ?)",
        arguments: [
          category.name, category.name.lowercased(), category.color, position, category.isDefault ? 1 : 0,
        ])
    }
  }
}
