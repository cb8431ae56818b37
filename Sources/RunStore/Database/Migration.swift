internal import GRDB

/// One step that brings the schema from the version before it to its own.
///
/// The version stands in the file as `PRAGMA user_version`. A published step is never edited: a change of the schema
/// is a new step at the end of ``Migration/all``.
struct Migration: Sendable {
  /// The version the step leads to; the first is 1, and each is one more than the one before.
  let version: Int
  /// The statements, with `$STRICT` where a table's options stand.
  let sql: String

  /// Every step, oldest first.
  static let all: [Migration] = [
    .version1, .version2, .version3, .version4, .version5, .version6, .version7, .version8,
    .version9, .version10,
  ]

  /// What marks a file as a run log of Sous, as `PRAGMA application_id`: the letters `SOUS`.
  static let applicationID = 0x534F_5553

  /// Carries the step out, inside a transaction.
  func apply(to database: Database) throws {
    // Strict tables check column types; SQLite knows them since 3.37.
    let version = try String.fetchOne(database, sql: "SELECT sqlite_version()") ?? ""
    let parts = version.split(separator: ".").compactMap { Int($0) }
    let isStrictKnown = parts.count > 1 && (parts[0], parts[1]) >= (3, 37)
    let statements = sql.replacing(
      " WITHOUT ROWID $STRICT", with: isStrictKnown ? " WITHOUT ROWID, STRICT" : " WITHOUT ROWID"
    )
    .replacing(" $STRICT", with: isStrictKnown ? " STRICT" : "")
    try database.execute(sql: statements)
    try database.execute(sql: "PRAGMA user_version = \(self.version)")
  }
}
