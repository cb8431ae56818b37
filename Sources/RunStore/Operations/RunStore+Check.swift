internal import GRDB

extension RunStore {
  /// Looks for damage: SQLite's own check, rows that speak of what is not there, blobs without content.
  ///
  /// - Parameter isThorough: Whether indexes are compared with their tables as well, which takes longer.
  /// - Returns: What is wrong, in English, at most a hundred lines; nothing where all is well.
  /// - Throws: ``RunStoreError`` where the file cannot be read at all.
  public func check(isThorough: Bool = false) async throws(RunStoreError) -> [String] {
    try await read { database in
      var problems = try String.fetchAll(
        database, sql: isThorough ? "PRAGMA integrity_check(100)" : "PRAGMA quick_check(100)")
      problems.removeAll { $0 == "ok" }
      for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").prefix(100) {
        problems.append("a row of \(row[0] as String) refers to a row of \(row[2] as String) that is not there")
      }
      let blobs = try String.fetchAll(
        database, sql: "SELECT hash FROM blobs WHERE length(content) <> bytes LIMIT 100")
      problems += blobs.map { "the blob \($0) does not have the length that is recorded" }
      return Array(problems.prefix(100))
    }
  }
}
