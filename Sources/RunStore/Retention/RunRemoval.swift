internal import GRDB

/// Removes what runs have left, inside transactions that change a bounded number of rows each.
struct RunRemoval {
  let database: Database
  /// Rows that may still be removed in this transaction.
  private(set) var rest: Int
  /// Runs that are gone.
  private(set) var runs = 0
  /// Blobs removed so far.
  private(set) var blobs = 0
  /// Blobs and sets of recipes that runs which are gone have held: many hold the same.
  private var released: (blobs: Set<String>, recipes: Set<String>) = ([], [])

  /// Rows that one transaction may remove: some ten milliseconds of work. The index of searches makes small ones dear.
  static let rowsOfStep = 1000
  /// Bytes of a blob that count as one row.
  private static let bytesOfRow = 10 << 10

  init(_ database: Database, rows: Int = RunRemoval.rowsOfStep) {
    self.database = database
    rest = rows
  }

  /// Whether the transaction has done enough.
  var isExhausted: Bool { rest <= 0 }

  /// Removes runs with all that belongs to them, as many as may be; what is left of one is hidden.
  ///
  /// - Parameter roots: Runs that no other one has as a part. Those to which something unfinished belongs by now stay.
  /// - Returns: How many of them are done with.
  mutating func remove(roots: some Sequence<String>) throws -> Int {
    var done = 0
    for root in roots {
      if isExhausted { break }
      if try RetentionReading.isFree(root, database) {
        guard try remove(tree: RetentionReading.tree(of: root, database)) else { break }
      }
      done += 1
    }
    for set in released.recipes { try removeRecipes(set) }
    for hash in released.blobs { try removeBlob(hash) }
    released = ([], [])
    return done
  }

  /// - Returns: Whether all of them are gone.
  private mutating func remove(tree: [String]) throws -> Bool {
    for (index, run) in tree.enumerated() {
      guard try !remove(run) else { continue }
      for other in tree[index...] { try RunTransitions(database: database).hide(other) }
      return false
    }
    return true
  }

  /// Removes as much of a run as may be; the run itself last, so that the next transaction goes on where this one ended.
  ///
  /// - Returns: Whether the run is gone.
  private mutating func remove(_ run: String) throws -> Bool {
    for sql in [
      "DELETE FROM logs WHERE id IN (SELECT id FROM logs WHERE run = ? LIMIT ?)",
      """
      DELETE FROM attempts WHERE (run, step, item, number) IN (
        SELECT run, step, item, number FROM attempts WHERE run = ? LIMIT ?)
      """,
      """
      DELETE FROM waits WHERE (run, step, item) IN (SELECT run, step, item FROM waits WHERE run = ? LIMIT ?)
      """,
      """
      DELETE FROM failure_outputs WHERE (run, step, item) IN (
        SELECT run, step, item FROM failure_outputs WHERE run = ? LIMIT ?)
      """,
    ] {
      guard try removeRows(sql, run) else { return false }
    }
    guard try removeOutputs(of: run) else { return false }
    guard
      try removeRows(
        "DELETE FROM steps WHERE run = ? AND position IN (SELECT position FROM steps WHERE run = ?1 LIMIT ?)", run)
    else { return false }
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql:
          "SELECT inputs_blob, outputs_blob, source_blob, keywords_blob, event_blob, recipe_set FROM runs WHERE id = ?"),
      arguments: [run])
    if let row {
      for index in 0..<5 { if let hash: String = row[index] { released.blobs.insert(hash) } }
      if let set: String = row[5] { released.recipes.insert(set) }
    }
    try database.cachedStatement(sql: "DELETE FROM run_texts WHERE run = ?").execute(arguments: [run])
    try database.cachedStatement(sql: "DELETE FROM runs WHERE id = ?").execute(arguments: [run])
    rest -= 4
    runs += 1
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

  /// - Returns: Whether none is left.
  private mutating func removeOutputs(of run: String) throws -> Bool {
    let blobs = try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT rowid, blob, bytes FROM outputs WHERE run = ? AND blob IS NOT NULL ORDER BY step, item LIMIT ?"),
      arguments: [run, max(0, rest)])
    for row in blobs {
      guard rest > 0 else { return false }
      try database.cachedStatement(sql: "DELETE FROM outputs WHERE rowid = ?").execute(arguments: [row[0] as Int64])
      if let hash: String = row[1] { released.blobs.insert(hash) }
      rest -= 1 + (row[2] as Int? ?? 0) / RunRemoval.bytesOfRow
    }
    return try removeRows(
      "DELETE FROM outputs WHERE rowid IN (SELECT rowid FROM outputs WHERE run = ? AND blob IS NULL LIMIT ?)", run)
  }

  /// Whether nobody holds the content of a large value any more.
  private static let isHeldByNobody = """
    NOT EXISTS (SELECT 1 FROM runs WHERE inputs_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE outputs_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE source_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE keywords_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE event_blob = hash)
      AND NOT EXISTS (SELECT 1 FROM recipe_sets WHERE blob = hash)
      AND NOT EXISTS (SELECT 1 FROM recipe_versions WHERE blob = hash)
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
