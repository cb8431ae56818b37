public import Engine
public import Expressions
internal import GRDB

/// A run that a user of the server has started.
public struct StartedRun: Sendable, Hashable {
  /// The run.
  public let run: RunID
  /// The name of its recipe.
  public let recipe: String
  /// Its status as recorded.
  public let status: RunStatus
  /// When it began.
  public let startedAt: Timestamp

  /// The run for programs: `{id, recipe, status, started_at}`.
  public var json: Value {
    [
      "id": .string(run.rawValue), "recipe": .string(recipe), "status": .string(status.rawValue),
      "started_at": .string(startedAt.rfc3339Milliseconds),
    ]
  }
}

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

  /// Removes a user as the owner of runs, so that the name is in no page of the file and no later user of this name owns them.
  ///
  /// - Returns: The number of runs, their parts included.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  @discardableResult
  public func removeStarter(_ user: String) async throws -> Int {
    let count = try await change(isDurable: true) { writing in
      let database = writing.database
      let before = try Int.fetchOne(database, sql: "PRAGMA secure_delete") ?? 0
      _ = try Row.fetchAll(database, sql: "PRAGMA secure_delete = ON")
      defer { _ = try? Row.fetchAll(database, sql: "PRAGMA secure_delete = \(before)") }
      try database.execute(sql: "UPDATE runs SET started_by = NULL WHERE started_by = ?", arguments: [user])
      return database.changesCount
    }
    // Former pages of the file are in its log until then.
    if count > 0 { try await foldWAL(beyond: 0) }
    return count
  }
}
