extension Migration {
  /// The seventh schema: the texts of the recipes that a run's recipe runs.
  static let version7 = Migration(
    version: 7,
    sql: """
      CREATE TABLE recipe_sets (
        -- The recipes that a recipe runs, directly or through others, as they were when a run of it began.
        name TEXT NOT NULL,                  -- SHA-256 of paths and texts, hexadecimal
        path TEXT NOT NULL,
        blob TEXT NOT NULL REFERENCES blobs (hash),
        PRIMARY KEY (name, path)
      ) WITHOUT ROWID $STRICT;
      CREATE INDEX recipe_sets_by_blob ON recipe_sets (blob);

      ALTER TABLE runs ADD COLUMN recipe_set TEXT;           -- recipe_sets.name; NULL where the recipe runs no other
      CREATE INDEX runs_by_recipe_set ON runs (recipe_set) WHERE recipe_set IS NOT NULL;
      """)
}
