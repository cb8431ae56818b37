internal import Foundation
internal import GRDB
internal import Hashing
internal import Localization

extension RunStore {
  /// Looks for damage: SQLite's own checks, rows that speak of what is not there, large values that have changed, and what
  /// must hold of every journal.
  ///
  /// - Parameter isThorough: Whether indexes are compared with their tables and the contents of large values with their
  ///   hashes as well, which takes longer.
  /// The index of searches is looked at where the store may write.
  ///
  /// - Returns: What is wrong, at most some hundred findings; nothing where all is well.
  /// - Throws: ``RunStoreError`` where the file cannot be read at all.
  public func check(isThorough: Bool = false) async throws(RunStoreError) -> [CheckFinding] {
    var findings: [CheckFinding] = try await read { database in
      let problems = try String.fetchAll(
        database, sql: isThorough ? "PRAGMA integrity_check(100)" : "PRAGMA quick_check(100)")
      return problems.filter { $0 != "ok" }.map {
        CheckFinding(
          kind: .damage,
          message: LocalizedText("SQLite reports: \($0)", de: "SQLite meldet: \($0)"), remedy: Self.restoring)
      }
    }
    let path = path
    findings += try await read { database in
      try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").prefix(100).map { row in
        let columns = RowReader(row: row, path: path)
        let (table, other) = (columns.optionalText("table") ?? "", columns.optionalText("parent") ?? "")
        return CheckFinding(
          kind: .dangling,
          message: LocalizedText(
            "a row of \(table) refers to a row of \(other) that is not there",
            de: "eine Zeile von \(table) verweist auf eine Zeile von \(other), die es nicht gibt"),
          remedy: Self.restoring)
      }
    }
    findings += try await changedBlobs(isThorough)
    findings += try await read { try JournalInvariants.findings($0) }
    if isThorough, writer != nil, findings.isEmpty { findings += try await checkSearch() }
    return findings
  }

  private static let restoring = LocalizedText(
    "Copy the file away, then put a backup in its place; 'sqlite3 sous.db .recover' gets out what can still be read.",
    de:
      "Die Datei beiseitelegen und eine Sicherung an ihre Stelle setzen; 'sqlite3 sous.db .recover' holt heraus, was noch lesbar ist."
  )

  /// Large values whose content is not what was stored; a few at a time.
  private func changedBlobs(_ isThorough: Bool) async throws(RunStoreError) -> [CheckFinding] {
    var changed = try await read { database in
      try String.fetchAll(
        database, sql: "SELECT CAST(hash AS TEXT) FROM blobs WHERE length(content) <> bytes LIMIT 100")
    }
    var last: String? = isThorough ? "" : nil
    while let hash = last, changed.count < 100 {
      let page: [(hash: String, isSound: Bool)] = try await read { database in
        try Row.fetchAll(
          database,
          sql: "SELECT CAST(hash AS TEXT), CAST(content AS BLOB) FROM blobs WHERE hash > ? ORDER BY hash LIMIT 20",
          arguments: [hash]
        ).map { row in
          let (name, content): (String, Data) = (row[0] ?? "", row[1] ?? Data())
          return (name, ContentHash.hexadecimal(of: Array(content)) == name)
        }
      }
      changed += page.filter { !$0.isSound && !changed.contains($0.hash) }.map(\.hash)
      last = page.last?.hash
    }
    return changed.map {
      CheckFinding(
        kind: .blob,
        message: LocalizedText(
          "the stored value \($0) is not what was written",
          de: "der gespeicherte Wert \($0) ist nicht, was geschrieben wurde"),
        remedy: Self.restoring)
    }
  }

  /// Looks for damage in the index of searches; for a store that may write, as FTS5 wants that.
  public func checkSearch() async throws(RunStoreError) -> [CheckFinding] {
    do {
      try await change { writing in
        try writing.database.execute(sql: "INSERT INTO run_search (run_search) VALUES ('integrity-check')")
        try writing.database.execute(sql: "INSERT INTO log_search (log_search) VALUES ('integrity-check')")
      }
      return []
    } catch {
      let error = RunStoreError(error, path: path)
      guard error.code == .damaged else { throw error }
      return [
        CheckFinding(
          kind: .search,
          message: LocalizedText(
            "the index of searches does not fit the run log",
            de: "der Suchindex passt nicht zum Laufprotokoll"),
          remedy: LocalizedText(
            "Make it anew with 'sous db vacuum --reindex'.", de: "Mit 'sous db vacuum --reindex' neu anlegen."))
      ]
    }
  }

  /// Makes the index of searches anew from what is recorded.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func rebuildSearch() async throws {
    try await change { writing in
      try writing.database.execute(sql: "INSERT INTO run_search (run_search) VALUES ('rebuild')")
      // Lines are taken in step by step afterwards.
      try writing.database.execute(
        sql: "INSERT INTO log_search (log_search) VALUES ('delete-all'); UPDATE search_progress SET line = 0")
    }
    try await updateSearch()
  }
}
