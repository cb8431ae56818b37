extension Migration {
  /// The fifth schema: machines beyond their names, and where the file lives.
  static let version5 = Migration(
    version: 5,
    sql: """
      ALTER TABLE processes ADD COLUMN machine TEXT NOT NULL DEFAULT ''; -- tells machines of one name apart; '': unknown

      CREATE TABLE home (
        -- Which file this run log was when runs last began in it: a copy has another one.
        id INTEGER PRIMARY KEY CHECK (id = 1),
        file TEXT NOT NULL,                  -- inode and device
        path TEXT NOT NULL,
        machine TEXT NOT NULL                -- the machine's mark, or its name where it has none
      ) $STRICT;
      """)
}
