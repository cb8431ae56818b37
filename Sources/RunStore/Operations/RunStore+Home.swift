internal import Engine
internal import GRDB

extension RunStore {
  /// Makes sure that runs which somebody else may go on with elsewhere do not go on here: that this file is no copy of a
  /// run log with unfinished runs.
  ///
  /// To be called before runs are claimed that this process has not begun itself. A file that was moved, or that has
  /// come in the place of the original, is none; see ``adopt()``.
  ///
  /// - Throws: ``RunStoreError`` with code `database_copied`.
  public func requireOriginal() async throws(RunStoreError) {
    let path = path
    try await read { database in
      guard let found = DatabaseHome(of: path),
        let recorded = try DatabaseHome.original(database, ofCopy: found, path: path)
      else { return }
      let unfinished = try DatabaseHome.unfinished(database)
      guard unfinished == 0 else {
        throw RunStoreError.copied(
          path: path, from: recorded.path, isElsewhere: recorded.machine != found.machine, unfinished)
      }
    }
  }

  /// Makes sure that nobody waits in a copy for a run of the original, nor ends it in its place.
  ///
  /// - Parameter run: The run whose concurrency group somebody wants.
  /// - Throws: ``RunStoreError`` with code `database_copied`, unless the run began in the copy itself.
  func requireOwn(_ run: RunID) async throws {
    let path = path
    try await look(isSettled: false) { database in
      guard let found = DatabaseHome(of: path),
        let original = try DatabaseHome.original(database, ofCopy: found, path: path)
      else { return }
      let home = try String.fetchOne(
        database, sql: "SELECT home FROM runs WHERE id = ?", arguments: [run.rawValue])
      guard home == found.file else {
        throw RunStoreError.copied(
          path: path, from: original.path, isElsewhere: original.machine != found.machine,
          try DatabaseHome.unfinished(database))
      }
    }
  }

  /// Makes a copy the run log: it has come in the place of the original, in which nothing goes on any more.
  ///
  /// Runs that were under way in the original are free from now on. Nothing changes where the file is no copy.
  ///
  /// - Returns: Whether it was a copy, and how many runs have not ended.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func adopt() async throws -> (wasCopy: Bool, unfinished: Int) {
    let path = path
    return try await change(isDurable: true) { writing in
      let database = writing.database
      let unfinished = try DatabaseHome.unfinished(database)
      guard let found = DatabaseHome(of: path),
        try DatabaseHome.original(database, ofCopy: found, path: path) != nil
      else { return (false, unfinished) }
      try found.write(database)
      // Those of the original may still be seen to live; those that work with the copy keep what they are at.
      try database.execute(sql: "UPDATE processes SET lost = 1 WHERE home <> ?", arguments: [found.file])
      return (true, unfinished)
    }
  }
}
