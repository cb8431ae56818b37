extension Migration {
  /// The eighth schema: which file processes belong to, as a copy of the run log holds those of the original too.
  static let version8 = Migration(
    version: 8,
    sql: """
      ALTER TABLE processes ADD COLUMN home TEXT NOT NULL DEFAULT ''; -- the file it works with, as home.file; '': unknown
      """)
}
