internal import Engine
import Expressions
internal import GRDB

extension RunStore {
  /// Adds versions to the history of recipes, in one transaction. A text that the newest version of its file has is not added
  /// again.
  ///
  /// - Parameters:
  ///   - drafts: The texts.
  ///   - most: Versions of each file that are kept.
  /// - Returns: The number that the version of each draft has.
  /// - Throws: ``RunStoreError`` if the file cannot be written.
  @discardableResult
  public func keepRecipeVersions(_ drafts: [RecipeVersionDraft], most: Int) async throws -> [Int] {
    guard !drafts.isEmpty else { return [] }
    let now = time.now
    // The daemon finds out again what a file contains; it cannot find out who has written it.
    return try await change(isDurable: drafts.contains { $0.source != .file }) { writing in
      let writer = RecipeVersionWriter(writing: writing)
      return try drafts.map { try writer.keep($0, most: most, at: now) }
    }
  }

  /// The history of a file, the newest version first.
  ///
  /// - Parameters:
  ///   - below: Only versions with a smaller number: for the next page.
  ///   - limit: At most so many.
  public func recipeVersions(of file: String, below: Int? = nil, limit: Int) async throws -> [RecipeVersion] {
    let path = path
    return try await look(isSettled: false) { database in
      try Row.fetchAll(
        database,
        sql: "SELECT * FROM recipe_versions WHERE path = ? AND version < ? ORDER BY version DESC LIMIT ?",
        arguments: [file, below ?? Int.max, max(0, limit)]
      ).map { try RecipeVersion(RowReader(row: $0, path: path)) }
    }
  }

  /// A version of a file with its text; `nil` if it does not exist or is not kept any more. The text is `nil` if the file was
  /// deleted.
  public func recipeVersion(_ number: Int, of file: String) async throws -> (version: RecipeVersion, text: String?)? {
    let path = path
    return try await look(isSettled: false) { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT recipe_versions.*, NULL AS text, (SELECT content FROM blobs WHERE hash = blob) AS content
          FROM recipe_versions WHERE path = ? AND version = ?
          """, arguments: [file, number])
      guard let columns = row.map({ RowReader(row: $0, path: path) }) else { return nil }
      return (try RecipeVersion(columns), try columns.value("text", blob: "content")?.stringValue)
    }
  }

  /// Removes surplus versions of one file.
  ///
  /// - Returns: How many, and how many texts that nothing else holds; 0 if no file has more versions.
  func pruneRecipeVersions(most: Int) async throws -> (versions: Int, blobs: Int) {
    try await change { writing in
      let path = try String.fetchOne(
        writing.database, sql: "SELECT path FROM recipe_versions GROUP BY path HAVING count(*) > ? LIMIT 1",
        arguments: [most])
      return try path.map { try RecipeVersionWriter(writing: writing).prune($0, most: max(1, most)) } ?? (0, 0)
    }
  }

  /// Removes versions of a file, so that no page of the database has their texts, unless something else holds them.
  ///
  /// - Parameter numbers: The versions.
  /// - Returns: The number of texts that are still stored, because a run or another version has them.
  /// - Throws: ``RunStoreError`` if the file cannot be written.
  public func forgetRecipeVersions(_ numbers: [Int], of file: String) async throws -> Int {
    let held = try await change(isDurable: true) { writing in
      try RecipeVersionWriter(writing: writing).forget(numbers, of: file)
    }
    // Former pages of the file are in its log until then.
    try await foldWAL(beyond: 0)
    return held
  }

  /// Removes the history of a file that was deleted before a time and of whose recipe no run is kept.
  ///
  /// - Returns: The numbers of removed versions and of removed texts that nothing else holds; 0 if no file qualifies.
  func pruneDeletedRecipe(before time: Timestamp) async throws -> (versions: Int, blobs: Int) {
    try await change { writing in
      let path = try String.fetchOne(
        writing.database,
        sql: """
          SELECT path FROM recipe_versions AS v WHERE digest IS NULL AND at < ?
            AND version = (SELECT max(version) FROM recipe_versions WHERE path = v.path)
            AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.path = v.path)
            AND NOT EXISTS (
              SELECT 1 FROM runs WHERE recipe IN (SELECT recipe FROM recipe_versions WHERE path = v.path))
          LIMIT 1
          """, arguments: [time.rfc3339Milliseconds])
      return try path.map { try RecipeVersionWriter(writing: writing).prune($0, most: 0) } ?? (0, 0)
    }
  }

  /// The files that have a history and have contained a recipe of this name last, sorted.
  public func recipeFiles(named recipe: String) async throws -> [String] {
    try await look(isSettled: false) { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT path FROM recipe_versions AS v WHERE recipe = ?
            AND version = (SELECT max(version) FROM recipe_versions WHERE path = v.path) ORDER BY path
          """, arguments: [recipe])
    }
  }
}

extension RecipeVersion {
  init(_ row: RowReader) throws {
    path = try row.text("path")
    number = try row.integer("version")
    recipe = try row.text("recipe")
    digest = row.optionalText("digest")
    bytes = try row.integer("bytes")
    at = try row.time("at")
    source = Source(
      origin: try row.text("origin"), actor: row.optionalText("actor"), commit: row.optionalText("commit_hash"))
    restored = row.optionalInteger("restored")
  }
}
