internal import Engine
import Expressions
internal import GRDB

extension RunStore {
  /// The state after the last sync of recipes; `nil` before the first one.
  public func recipeSync() async throws -> RecipeSyncState? {
    let path = path
    return try await look(isSettled: false) { database in
      guard let row = try Row.fetchOne(database, sql: "SELECT * FROM recipe_sync") else { return nil }
      let columns = RowReader(row: row, path: path)
      var files: [String: String] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT path, digest FROM recipe_sync_files") {
        let columns = RowReader(row: row, path: path)
        files[try columns.text("path")] = try columns.text("digest")
      }
      return RecipeSyncState(
        source: try columns.text("source"), commit: try columns.text("commit_hash"), at: try columns.time("at"),
        files: files)
    }
  }

  /// Keeps the state after a sync, and the versions that it has made, in one transaction; on disk when it returns.
  ///
  /// - Parameter most: Versions of each file that are kept.
  public func keep(_ state: RecipeSyncState, _ drafts: [RecipeVersionDraft], most: Int) async throws {
    let now = time.now
    try await change(isDurable: true) { writing in
      let database = writing.database
      let writer = RecipeVersionWriter(writing: writing)
      for draft in drafts { _ = try writer.keep(draft, most: most, at: now) }
      try database.execute(
        sql: "INSERT OR REPLACE INTO recipe_sync (id, source, commit_hash, at) VALUES (1, ?, ?, ?)",
        arguments: [state.source, state.commit, state.at.rfc3339Milliseconds])
      try database.execute(sql: "DELETE FROM recipe_sync_files")
      for (path, digest) in state.files {
        try database.cachedStatement(sql: "INSERT INTO recipe_sync_files (path, digest) VALUES (?, ?)")
          .execute(arguments: [path, digest])
      }
    }
  }
}
