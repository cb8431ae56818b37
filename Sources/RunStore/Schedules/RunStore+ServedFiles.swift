public import Engine
public import Expressions
internal import GRDB

extension RunStore {
  // MARK: - Schedules of files

  /// Makes the schedules of recipes' files what they are now, in one transaction: new ones begin, and those that a file has
  /// no more rest: they are listed no longer, and begin anew should they come back. Where the whole file was away for no
  /// longer than ``absence``, they go on where they were. A schedule in the place of schedules that all are paused is paused
  /// too. A file that was renamed keeps all that was known of it: schedules, their points, triggers, whether it is switched
  /// off.
  ///
  /// - Returns: The schedules as they are kept, in the order given.
  /// - Throws: ``RunStoreError``.
  public func adopt(_ adoptions: [ScheduleAdoption]) async throws -> [ScheduleRecord] {
    guard !adoptions.isEmpty else { return [] }
    let (path, now) = (path, time.now)
    return try await change(isDurable: true) { writing in
      let writer = FiringWriter(writing: writing, path: path)
      for adoption in adoptions {
        guard let former = adoption.former else { continue }
        try writer.move(former, to: adoption.path)
      }
      return try adoptions.flatMap { try writer.adopt($0, at: now) }
    }
  }

  /// Seconds for which a file may be away while its schedules go on: a branch is changed, a file is written anew.
  public static let absence = 300.0

  /// The names of the recipes that files had, as far as their schedules or triggers are known.
  public func recipeNames(of paths: [String]) async throws -> [String: String] {
    guard !paths.isEmpty else { return [:] }
    return try await look(isSettled: false) { database in
      var names: [String: String] = [:]
      for path in paths {
        names[path] =
          try String.fetchOne(
            database,
            sql: """
              SELECT recipe FROM schedules WHERE source >= ?1 AND source < ?2
                AND instr(substr(source, length(?1) + 1), '#') = 0 LIMIT 1
              """, arguments: [path + "#", path + "$"])
          ?? String.fetchOne(
            database, sql: "SELECT recipe FROM trigger_health WHERE path = ? LIMIT 1", arguments: [path])
      }
      return names
    }
  }

  /// When each schedule is to be decided next.
  ///
  /// - Parameter now: The time of day: one whose cursor lies ahead of it is decided at once.
  public func scheduleWakes(at now: Timestamp) async throws -> [ScheduleWake] {
    let text = now.rfc3339Milliseconds
    return try await look(isSettled: false) { database in
      var wakes: [ScheduleWake] = []
      let rows = try Row.fetchCursor(
        database, sql: "SELECT source, next_due, cursor <= ?1 FROM schedules WHERE retired_at IS NULL",
        arguments: [text])
      while let row = try rows.next() {
        let due: String? = row[1]
        wakes.append(ScheduleWake(source: row[0], at: due.map { row[2] ? Timestamp(rfc3339: $0) ?? now : now }))
      }
      return wakes
    }
  }

  /// Some schedules as they are kept, by source; those that are not known or rest are left out.
  public func schedules(named sources: [String]) async throws -> [String: ScheduleRecord] {
    let path = path
    return try await look(isSettled: false) { database in
      var found: [String: ScheduleRecord] = [:]
      let statement = try database.cachedStatement(
        sql: "SELECT \(ScheduleRecord.columns) FROM schedules WHERE source = ? AND retired_at IS NULL")
      for source in sources {
        guard let row = try Row.fetchOne(statement, arguments: [source]) else { continue }
        found[source] = try ScheduleRecord(inOrder: row, path: path)
      }
      return found
    }
  }

  // MARK: - Files

  /// The files that need not be read as long as they stay as they are.
  public func servedFiles() async throws -> [ServedFile] {
    try await look(isSettled: false) { database in
      var files: [ServedFile] = []
      let rows = try Row.fetchCursor(database, sql: "SELECT path, stamp, name, schedules FROM served_files")
      while let row = try rows.next() {
        files.append(ServedFile(path: row[0], stamp: row[1], name: row[2], schedules: row[3]))
      }
      return files
    }
  }

  /// Notes files that need not be read as long as they stay as they are. Their schedules must have been written before.
  ///
  /// - Parameter others: Files that have to be read.
  public func keep(_ files: [ServedFile], others: [String]) async throws {
    guard !files.isEmpty || !others.isEmpty else { return }
    try await change { writing in
      let statement = try writing.database.cachedStatement(
        sql: "INSERT OR REPLACE INTO served_files (path, stamp, name, schedules) VALUES (?, ?, ?, ?)")
      for file in files { try statement.execute(arguments: [file.path, file.stamp, file.name, file.schedules]) }
      for path in others {
        try writing.database.cachedStatement(sql: "DELETE FROM served_files WHERE path = ?").execute(arguments: [path])
      }
    }
  }

  /// The files of which a good version is kept and that ``servedFiles()`` does not have.
  public func restlessFiles() async throws -> [String] {
    try await look(isSettled: false) { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT path FROM served_recipes
          WHERE NOT EXISTS (SELECT 1 FROM served_files WHERE served_files.path = served_recipes.path)
          """)
    }
  }

  /// Forgets what is known of files that are gone.
  public func forgetServed(_ paths: [String]) async throws {
    guard !paths.isEmpty else { return }
    try await change { writing in
      for path in paths {
        for table in ["served_recipes", "served_files"] {
          try writing.database.cachedStatement(sql: "DELETE FROM \(table) WHERE path = ?").execute(arguments: [path])
        }
      }
    }
  }
}
