package import GRDB

/// One step that brings the schema to its version: the first makes the whole schema, each later one changes it.
///
/// The version stands in the file as `PRAGMA user_version`. A published step is never edited: a change of the schema
/// is a new step at the end of ``Migration/all``.
package struct Migration: Sendable {
  /// The version the step leads to; each is one more than the one before.
  package let version: Int
  /// The statements, with `$STRICT` where a table's options stand; put together when they are needed.
  private let sql: @Sendable () -> String

  /// Creates a step.
  package init(version: Int, sql: @autoclosure @escaping @Sendable () -> String) {
    self.version = version
    self.sql = sql
  }

  /// Every step, oldest first. Versions 1 to 10 were those of development and are not read any more.
  package static let all: [Migration] = [
    Migration(version: 11, sql: TableGroup.all.map(\.sql).joined(separator: "\n")),
    Migration(version: 12, sql: TableGroup.schedules.sql),
    Migration(version: 13, sql: TableGroup.notifications.sql),
    Migration(version: 14, sql: TableGroup.failures.sql),
    Migration(version: 15, sql: TableGroup.outbox.sql),
    Migration(version: 16, sql: TableGroup.serving.sql),
    Migration(version: 17, sql: TableGroup.servedFiles.sql),
    Migration(version: 18, sql: TableGroup.usage.sql + "\n" + TableGroup.chats.sql),
    Migration(version: 19, sql: TableGroup.summaries.sql),
    Migration(version: 20, sql: TableGroup.chatSettings.sql),
    Migration(version: 21, sql: TableGroup.recipeOrigins.sql),
    Migration(version: 22, sql: TableGroup.failureOutputs.sql),
    Migration(version: 23, sql: TableGroup.groupPlaces.sql),
    Migration(version: 24, sql: TableGroup.failureEnds.sql),
    Migration(version: 25, sql: TableGroup.recordingTimes.sql),
    Migration(version: 26, sql: TableGroup.starters.sql),
    Migration(version: 27, sql: TableGroup.recipeVersions.sql),
    Migration(version: 28, sql: TableGroup.traces.sql),
  ]

  /// The newest version.
  package static var newest: Int { all.last?.version ?? 0 }

  /// What marks a file as a run log of Sous, as `PRAGMA application_id`: the letters `SOUS`.
  package static let applicationID = 0x534F_5553

  /// Carries the step out, inside a transaction.
  package func apply(to database: Database) throws {
    // Strict tables check column types; SQLite knows them since 3.37.
    let version = try String.fetchOne(database, sql: "SELECT sqlite_version()") ?? ""
    let parts = version.split(separator: ".").compactMap { Int($0) }
    let isStrictKnown = parts.count > 1 && (parts[0], parts[1]) >= (3, 37)
    let statements = sql().replacing(
      " WITHOUT ROWID $STRICT", with: isStrictKnown ? " WITHOUT ROWID, STRICT" : " WITHOUT ROWID"
    )
    .replacing(" $STRICT", with: isStrictKnown ? " STRICT" : "")
    try database.execute(sql: statements)
    try database.execute(sql: "PRAGMA user_version = \(self.version)")
  }
}
