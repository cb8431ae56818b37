internal import GRDB

/// A row of `processes`: somebody whom runs belong to.
struct OwnerRecord: Sendable {
  /// The row's number.
  let id: Int64
  let identity: ProcessIdentity
  /// Tells stores of one process apart; empty where it is not known.
  let token: String
  /// Grows while the process is alive.
  let beat: Int64
  /// Whether its runs have gone to others, so that it may write no more.
  let isLost: Bool

  /// What people know it by.
  var name: String {
    identity.isVisible() ? "process \(identity.pid)" : "process \(identity.pid) of '\(identity.host)'"
  }

  /// Reads a row with all columns.
  ///
  /// - Throws: ``RunStoreError`` with code `database_damaged`.
  init(_ columns: RowReader) throws {
    id = Int64(try columns.integer("id"))
    identity = ProcessIdentity(
      host: try columns.text("host"), machine: try columns.text("machine"), boot: try columns.text("boot"),
      namespace: try columns.text("namespace"), pid: try columns.integer("pid"),
      startTicks: Int64(try columns.integer("start_ticks")))
    token = try columns.text("token")
    beat = Int64(try columns.integer("beat"))
    isLost = try columns.integer("lost") != 0
  }

  /// The row of a number; `nil` where there is none.
  static func find(_ id: Int, _ database: Database, path: String) throws -> OwnerRecord? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM processes WHERE id = ?"), arguments: [id])
    return try row.map { try OwnerRecord(RowReader(row: $0, path: path)) }
  }
}
