internal import GRDB

extension RunStore {
  /// Looks for damage: SQLite's own check, rows that speak of what is not there, blobs without content.
  ///
  /// - Parameter isThorough: Whether indexes are compared with their tables as well, which takes longer.
  /// - Returns: What is wrong, in English, at most a hundred lines; nothing where all is well.
  /// - Throws: ``RunStoreError`` where the file cannot be read at all.
  public func check(isThorough: Bool = false) async throws(RunStoreError) -> [String] {
    let path = path
    return try await read { database in
      var problems = try String.fetchAll(
        database, sql: isThorough ? "PRAGMA integrity_check(100)" : "PRAGMA quick_check(100)")
      problems.removeAll { $0 == "ok" }
      for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").prefix(100) {
        let columns = RowReader(row: row, path: path)
        problems.append(
          "a row of \(try columns.text("table")) refers to a row of \(try columns.text("parent")) that is not there")
      }
      let blobs = try String.fetchAll(
        database, sql: "SELECT CAST(coalesce(hash, '') AS TEXT) FROM blobs WHERE length(content) <> bytes LIMIT 100")
      problems += blobs.map { "the blob \($0) does not have the length that is recorded" }
      return Array(problems.prefix(100))
    }
  }
}
