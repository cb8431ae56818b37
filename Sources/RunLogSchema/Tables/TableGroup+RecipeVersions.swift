extension TableGroup {
  /// The history of recipes, and the state of their sync. A text is a blob, as that of a run: both together store it once.
  static let recipeVersions = TableGroup(
    sql: """
      CREATE TABLE recipe_versions (
        -- The texts that the files of recipes have had, as far as Sous has served or written them.
        path TEXT NOT NULL,                  -- the recipe's file
        version INTEGER NOT NULL,            -- from 1, for each file
        recipe TEXT NOT NULL,                -- the recipe's name
        blob TEXT REFERENCES blobs (hash),   -- the text, as JSON; NULL: the file was deleted
        digest TEXT,                         -- SHA-256 of the text itself, hexadecimal
        bytes INTEGER NOT NULL,              -- of the text
        at TEXT NOT NULL,
        origin TEXT NOT NULL,                -- file, sync, command, session, token, socket
        actor TEXT,                          -- the user, or the author of the commit; NULL: unknown
        commit_hash TEXT,                    -- the commit that a sync has read
        restored INTEGER,                    -- the version whose text came back
        PRIMARY KEY (path, version)
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX recipe_versions_by_blob ON recipe_versions (blob) WHERE blob IS NOT NULL;
      CREATE INDEX recipe_versions_by_recipe ON recipe_versions (recipe);

      CREATE TABLE recipe_sync (
        -- The last sync of recipes from a Git repository.
        id INTEGER PRIMARY KEY CHECK (id = 1),
        source TEXT NOT NULL,                -- where they come from: repository, branch and folder
        commit_hash TEXT NOT NULL,
        at TEXT NOT NULL
      ) $STRICT;

      CREATE TABLE recipe_sync_files (
        -- The files that the last sync has written, or has found as they should be.
        path TEXT NOT NULL PRIMARY KEY,
        digest TEXT NOT NULL                 -- SHA-256 of the text
      ) WITHOUT ROWID $STRICT;
      """)
}
