public import Engine
internal import GRDB

extension RunStore {
  /// The runs that a user of the server has started, oldest first, without their parts.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func runs(startedBy user: String) async throws(RunStoreError) -> [StartedRun] {
    let path = path
    return try await read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT id, recipe, status, started_at FROM runs
          WHERE started_by = ? AND parent IS NULL AND status <> \(RunReading.removed) ORDER BY started_at, id
          """, arguments: [user]
      ).map { row in
        let columns = RowReader(row: row, path: path)
        return StartedRun(
          run: RunID(rawValue: try columns.text("id")), recipe: try columns.text("recipe"),
          status: try columns.choice("status"), startedAt: try columns.time("started_at"))
      }
    }
  }

  /// Whether runs belong to a user of the server, or versions of recipes have the user as their writer.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func names(user: String) async throws(RunStoreError) -> Bool {
    try await read { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM runs WHERE started_by = ?1)
            OR EXISTS (SELECT 1 FROM recipe_versions WHERE actor = ?1 AND origin IN (\(Self.serverOrigins)))
          """, arguments: [user]) ?? false
    }
  }

  /// The origins of versions whose actor is a user of the server.
  private static let serverOrigins = "'session', 'token', 'socket'"

  /// Removes a user as the owner of runs, so that the name is in no page of the file and no later user of this name owns them.
  ///
  /// - Parameter erasesHistory: Whether the user is also removed as the writer of versions of recipes.
  /// - Returns: The number of runs, their parts included, and of versions.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  @discardableResult
  public func removeStarter(_ user: String, erasesHistory: Bool = false) async throws -> Int {
    let count = try await change(isDurable: true) { writing in
      let database = writing.database
      let before = try Int.fetchOne(database, sql: "PRAGMA secure_delete") ?? 0
      _ = try Row.fetchAll(database, sql: "PRAGMA secure_delete = ON")
      defer { _ = try? Row.fetchAll(database, sql: "PRAGMA secure_delete = \(before)") }
      try database.execute(sql: "UPDATE runs SET started_by = NULL WHERE started_by = ?", arguments: [user])
      let runs = database.changesCount
      guard erasesHistory else { return runs }
      try database.execute(
        sql: "UPDATE recipe_versions SET actor = NULL WHERE actor = ? AND origin IN (\(Self.serverOrigins))",
        arguments: [user])
      return runs + database.changesCount
    }
    // Former pages of the file are in its log until then.
    if count > 0 { try await foldWAL(beyond: 0) }
    return count
  }
}
