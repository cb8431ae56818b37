extension Migration {
  /// The tenth schema: which file a run began in, as one that was put down has no process.
  static let version10 = Migration(
    version: 10,
    sql: """
      ALTER TABLE runs ADD COLUMN home TEXT; -- the file it began in, as home.file; '' or NULL: unknown
      UPDATE runs SET home = (SELECT home FROM processes WHERE id = runs.owner) WHERE owner IS NOT NULL;
      """)
}
