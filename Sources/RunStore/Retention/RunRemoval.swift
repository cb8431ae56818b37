internal import GRDB

/// Removes what a run has left, inside transactions that change a bounded number of rows each.
struct RunRemoval {
  let database: Database
  /// Rows that may still be removed in this transaction.
  private(set) var rest: Int
  /// Blobs removed so far.
  private(set) var blobs = 0

  /// Rows that one transaction may remove: some milliseconds of work.
  static let rowsOfStep = 300
  /// Bytes of a blob that count as one row.
  private static let bytesOfRow = 32 << 10

  init(_ database: Database, rows: Int = RunRemoval.rowsOfStep) {
    self.database = database
    rest = rows
  }

  /// Whether the transaction has done enough.
  var isExhausted: Bool { rest <= 0 }

  /// Removes as much of a run as may be; the run itself last, so that the next transaction goes on where this one ended.
  ///
  /// - Returns: Whether the run is gone.
  mutating func remove(_ run: String) throws -> Bool {
    for sql in [
      "DELETE FROM logs WHERE id IN (SELECT id FROM logs WHERE run = ? LIMIT ?)",
      """
      DELETE FROM attempts WHERE (run, step, item, number) IN (
        SELECT run, step, item, number FROM attempts WHERE run = ? LIMIT ?)
      """,
      """
      DELETE FROM waits WHERE (run, step, item) IN (SELECT run, step, item FROM waits WHERE run = ? LIMIT ?)
      """,
    ] {
      guard try removeRows(sql, run) else { return false }
    }
    guard try removeOutputs(run) else { return false }
    guard
      try removeRows(
        "DELETE FROM steps WHERE run = ? AND position IN (SELECT position FROM steps WHERE run = ?1 LIMIT ?)", run)
    else { return false }
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql:
          "SELECT inputs_blob, outputs_blob, source_blob, keywords_blob, event_blob, recipe_set FROM runs WHERE id = ?"),
      arguments: [run])
    try database.cachedStatement(sql: "DELETE FROM run_texts WHERE run = ?").execute(arguments: [run])
    try database.cachedStatement(sql: "DELETE FROM runs WHERE id = ?").execute(arguments: [run])
    rest -= 4
    if let row {
      for index in 0..<5 { if let hash: String = row[index] { try removeBlob(hash) } }
      if let set: String = row[5] { try removeRecipes(set) }
    }
    return true
  }

  /// Removes the recipes that runs' recipes have run, where no run holds them any more.
  private mutating func removeRecipes(_ set: String) throws {
    let blobs = try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT blob FROM recipe_sets WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE recipe_set = ?1)
          """), arguments: [set])
    guard !blobs.isEmpty else { return }
    try database.cachedStatement(sql: "DELETE FROM recipe_sets WHERE name = ?").execute(arguments: [set])
    rest -= blobs.count
    for blob in Set(blobs) { try removeBlob(blob) }
  }

  /// - Returns: Whether none is left.
  private mutating func removeRows(_ sql: String, _ run: String) throws -> Bool {
    guard rest > 0 else { return false }
    try database.cachedStatement(sql: sql).execute(arguments: [run, rest])
    rest -= database.changesCount
    return rest > 0
  }

  private mutating func removeOutputs(_ run: String) throws -> Bool {
    while rest > 0 {
      let rows = try Row.fetchAll(
        database.cachedStatement(sql: "SELECT rowid, blob FROM outputs WHERE run = ? LIMIT ?"),
        arguments: [run, min(rest, 50)])
      if rows.isEmpty { return true }
      for row in rows where rest > 0 {
        try database.cachedStatement(sql: "DELETE FROM outputs WHERE rowid = ?").execute(arguments: [row[0] as Int64])
        rest -= 1
        if let hash: String = row[1] { try removeBlob(hash) }
      }
    }
    return false
  }

  /// Whether nobody holds the content of a large value any more.
  private static let isHeldByNobody = """
    NOT EXISTS (SELECT 1 FROM runs WHERE inputs_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE outputs_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE source_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE keywords_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE event_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM recipe_sets WHERE blob = hash)
      AND NOT EXISTS (SELECT 1 FROM outputs WHERE blob = hash)
      AND NOT EXISTS (SELECT 1 FROM cache WHERE blob = hash)
    """

  /// Looks for contents that nobody holds, as what held them was written anew.
  ///
  /// - Parameters:
  ///   - last: The hash after which to begin.
  ///   - limit: How many are looked at.
  /// - Returns: Those that nobody holds, and the last one that was looked at; `nil` at the end.
  static func unheldBlobs(
    after last: String, limit: Int, _ database: Database
  ) throws -> (unheld: [String], last: String?) {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT hash, \(isHeldByNobody) AS is_unheld
          FROM (SELECT CAST(hash AS TEXT) AS hash FROM blobs WHERE hash > ? ORDER BY blobs.hash LIMIT ?)
          """), arguments: [last, limit])
    let unheld = rows.filter { $0[1] == true }.map { $0[0] as String }
    return (unheld, rows.count < limit ? nil : rows.last.map { $0[0] as String })
  }

  /// Removes the content of a large value where nobody holds it any more.
  mutating func removeBlob(_ hash: String) throws {
    let found = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT bytes FROM blobs WHERE hash = ? AND \(Self.isHeldByNobody)
          """), arguments: [hash])
    guard let bytes = found else { return }
    try database.cachedStatement(sql: "DELETE FROM blobs WHERE hash = ?").execute(arguments: [hash])
    blobs += 1
    rest -= 1 + bytes / RunRemoval.bytesOfRow
  }
}
