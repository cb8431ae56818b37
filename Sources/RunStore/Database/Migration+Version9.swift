extension Migration {
  /// The ninth schema: which file processes belong to, as a copy of the run log holds those of the original too.
  static let version9 = Migration(
    version: 9,
    sql: """
      ALTER TABLE processes ADD COLUMN home TEXT NOT NULL DEFAULT ''; -- the file it works with, as home.file; '': unknown
      """)
}
