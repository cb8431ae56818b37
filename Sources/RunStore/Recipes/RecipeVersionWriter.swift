internal import Expressions
internal import GRDB
internal import Hashing

/// Writes the history of recipes, inside a transaction.
struct RecipeVersionWriter {
  let writing: EntryWriter

  private var database: Database { writing.database }

  /// Adds a version, unless the newest one has its text. If Sous has written the text and noticed the file before, the version
  /// gets its writer. A newest version that comes back, because its file was deleted, is a version of its own.
  ///
  /// - Parameter most: Versions of the file that are kept.
  /// - Returns: The number of the version that the file has now; 0 for a deleted file without a history.
  func keep(_ draft: RecipeVersionDraft, most: Int, at now: Timestamp) throws -> Int {
    let digest = draft.text.map { ContentHash.hexadecimal(of: Array($0.utf8)) }
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT version, digest, origin FROM recipe_versions WHERE path = ? ORDER BY version DESC LIMIT 1"),
      arguments: [draft.path])
    let (number, newest, origin): (Int, String?, String?) = (row?[0] ?? 0, row?[1], row?[2])
    // Of a file without a history, no deletion is kept.
    if newest == digest, number > 0 || digest == nil, draft.restored != number || number == 0 {
      if origin == RecipeVersion.Source.file.origin, draft.source != .file { try claim(number, draft) }
      return number
    }
    try insert(draft, digest, number + 1, at: now)
    _ = try prune(draft.path, most: max(1, most))
    return number + 1
  }

  /// Gives a version its writer.
  private func claim(_ number: Int, _ draft: RecipeVersionDraft) throws {
    try database.cachedStatement(
      sql: """
        UPDATE recipe_versions SET origin = ?, actor = ?, commit_hash = ?, restored = ? WHERE path = ? AND version = ?
        """
    ).execute(arguments: [
      draft.source.origin, draft.source.actor, draft.source.commit, draft.restored, draft.path, number,
    ])
  }

  private func insert(_ draft: RecipeVersionDraft, _ digest: String?, _ number: Int, at now: Timestamp) throws {
    let stored = draft.text.map { StoredValue(.string($0), isAlwaysBlob: true) }
    try stored.map(writing.insertBlob)
    try database.cachedStatement(
      sql: """
        INSERT INTO recipe_versions (path, version, recipe, blob, digest, bytes, at, origin, actor, commit_hash, restored)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      draft.path, number, draft.recipe, stored?.hash, digest, draft.text?.utf8.count ?? 0, now.rfc3339Milliseconds,
      draft.source.origin, draft.source.actor, draft.source.commit, draft.restored,
    ])
  }

  /// Removes versions of a file, and overwrites their bytes.
  ///
  /// - Returns: The number of their texts that something else holds.
  func forget(_ numbers: [Int], of path: String) throws -> Int {
    let before = try Int.fetchOne(database, sql: "PRAGMA secure_delete") ?? 0
    _ = try Row.fetchAll(database, sql: "PRAGMA secure_delete = ON")
    defer { _ = try? Row.fetchAll(database, sql: "PRAGMA secure_delete = \(before)") }
    var hashes: Set<String> = []
    for number in numbers {
      let hash = try String.fetchOne(
        database.cachedStatement(sql: "SELECT blob FROM recipe_versions WHERE path = ? AND version = ?"),
        arguments: [path, number])
      if let hash { hashes.insert(hash) }
      try database.cachedStatement(sql: "DELETE FROM recipe_versions WHERE path = ? AND version = ?")
        .execute(arguments: [path, number])
    }
    var removal = RunRemoval(database)
    for hash in hashes { try removal.removeBlob(hash) }
    return hashes.count - removal.blobs
  }

  /// Removes the oldest versions of a file.
  ///
  /// - Returns: How many, and how many texts that nothing else holds.
  func prune(_ path: String, most: Int) throws -> (versions: Int, blobs: Int) {
    let surplus = try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT version, blob FROM recipe_versions WHERE path = ? ORDER BY version DESC LIMIT -1 OFFSET ?"),
      arguments: [path, most])
    guard !surplus.isEmpty else { return (0, 0) }
    var removal = RunRemoval(database)
    for row in surplus {
      try database.cachedStatement(sql: "DELETE FROM recipe_versions WHERE path = ? AND version = ?")
        .execute(arguments: [path, row[0] as Int?])
    }
    for hash in Set(surplus.compactMap { $0[1] as String? }) { try removal.removeBlob(hash) }
    return (surplus.count, removal.blobs)
  }
}
