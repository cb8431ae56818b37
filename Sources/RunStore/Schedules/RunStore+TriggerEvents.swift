public import Engine
public import Expressions
internal import GRDB

extension RunStore {
  /// Runs of a recipe that have ended, the one that ended first comes first.
  ///
  /// - Parameters:
  ///   - recipe: Its name. Runs that a step of another recipe has started do not count.
  ///   - statuses: How they have ended.
  ///   - moment: What ended before it does not count.
  ///   - subscription: What is known as dealt with there does not count.
  ///   - limit: At most so many.
  /// - Returns: The runs, with the moment at which each ended.
  public func endedRuns(
    of recipe: String, _ statuses: Set<RunStatus>, since moment: Timestamp, notSettledIn subscription: String,
    limit: Int
  ) async throws -> [(run: RunID, status: RunStatus, endedAt: Timestamp)] {
    let path = path
    let words = statuses.filter(\.isFinal).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return try await look(isSettled: false) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT id, status, ended_at FROM runs INDEXED BY runs_ended
          WHERE ended_at >= ?1 AND recipe = ?2 AND parent IS NULL AND status IN (\(RunReading.finalStatuses))
            AND status IN (\(words)) AND NOT EXISTS (SELECT 1 FROM trigger_events
              WHERE subscription = ?3 AND trigger_events.id = runs.id AND settled_at IS NOT NULL)
          ORDER BY ended_at, id LIMIT ?4
          """, arguments: [moment.rfc3339Milliseconds, recipe, subscription, max(0, limit)]
      ).map { row in
        let columns = RowReader(row: row, path: path)
        return (RunID(rawValue: try columns.text("id")), try columns.choice("status"), try columns.time("ended_at"))
      }
    }
  }

  /// The names of the events of a subscription that have been dealt with and are not yet forgotten.
  public func settledEvents(of subscription: String) async throws -> [String] {
    try await look(isSettled: false) { database in
      // As a list: a set of strings would take names for one that differ in their bytes only.
      try String.fetchAll(
        database, sql: "SELECT id FROM trigger_events WHERE subscription = ? AND settled_at IS NOT NULL",
        arguments: [subscription])
    }
  }

  /// Notes that events have been dealt with without a run, in one transaction.
  public func settle(events: some Collection<String> & Sendable, of subscription: String) async throws {
    guard !events.isEmpty else { return }
    let now = time.now.rfc3339Milliseconds
    try await change(isDurable: true) { writing in
      let statement = try writing.database.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO trigger_events (subscription, id, received_at, settled_at) VALUES (?1, ?2, ?3, ?3)
          """)
      for event in events { try statement.execute(arguments: [subscription, event, now]) }
    }
  }

  /// Forgets names of events, as they cannot come again.
  public func forget(events: some Collection<String> & Sendable, of subscription: String) async throws {
    guard !events.isEmpty else { return }
    try await change { writing in
      let statement = try writing.database.cachedStatement(
        sql: "DELETE FROM trigger_events WHERE subscription = ? AND id = ? AND settled_at IS NOT NULL")
      for event in events { try statement.execute(arguments: [subscription, event]) }
    }
  }

  /// Forgets the names of events that have been dealt with before a moment. Files are told from new ones by such names as
  /// long as they are there, so those of subscriptions that begin with `file ` stay. Those of `end ` stay until a day before
  /// the second time of the position: from there on runs are looked for again.
  public func forgetEvents(before moment: Timestamp) async throws {
    let text = moment.rfc3339Milliseconds
    let condition = """
      settled_at < ? AND subscription NOT LIKE 'file %' AND (subscription NOT LIKE 'end %' OR settled_at < (
        SELECT strftime('%Y-%m-%dT%H:%M:%fZ', substr(cursor, instr(cursor, ' ') + 1), '-1 day') FROM trigger_cursors
        WHERE trigger_cursors.subscription = trigger_events.subscription))
      """
    let isWorthwhile = try await look(isSettled: false) { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM trigger_events WHERE \(condition))", arguments: [text]) == true
    }
    guard isWorthwhile else { return }
    try await change { writing in
      try writing.database.execute(sql: "DELETE FROM trigger_events WHERE \(condition)", arguments: [text])
    }
  }

  /// Forgets subscriptions of recipes, with the names of their events, that no recipe has had since a moment.
  ///
  /// - Parameter current: The subscriptions that recipes have now.
  public func forgetSubscriptions(except current: Set<String>, unusedSince moment: Timestamp) async throws {
    let text = moment.rfc3339Milliseconds
    let now = time.now
    let yesterday = now.adding(seconds: -86_400).rfc3339Milliseconds
    let known = try await look(isSettled: false) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT subscription, updated_at < ?2 AND NOT EXISTS (SELECT 1 FROM trigger_events
            WHERE trigger_events.subscription = trigger_cursors.subscription AND settled_at IS NULL) AS old
          FROM trigger_cursors WHERE updated_at < ?1 AND (subscription LIKE 'file %' OR subscription LIKE 'end %'
            OR subscription LIKE 'recipe/%')
          """, arguments: [yesterday, text]
      ).map { row -> (name: String, isOld: Bool) in (row["subscription"], row["old"]) }
    }
    let used = known.filter { current.contains($0.name) }.map(\.name)
    let gone = known.filter { $0.isOld && !current.contains($0.name) }.map(\.name)
    guard !used.isEmpty || !gone.isEmpty else { return }
    try await change { writing in
      let database = writing.database
      for name in used {
        try database.execute(
          sql: "UPDATE trigger_cursors SET updated_at = ? WHERE subscription = ?",
          arguments: [now.rfc3339Milliseconds, name])
      }
      for name in gone {
        try database.execute(sql: "DELETE FROM trigger_events WHERE subscription = ?", arguments: [name])
        try database.execute(sql: "DELETE FROM trigger_cursors WHERE subscription = ?", arguments: [name])
      }
    }
  }

  /// Where a subscription goes on, where it has begun; see ``cursor(of:)``.
  public func position(of subscription: String) async throws -> String? {
    try await look(isSettled: false) { database in
      try String.fetchOne(
        database, sql: "SELECT cursor FROM trigger_cursors WHERE subscription = ?", arguments: [subscription])
    }
  }

  /// Notes where a subscription goes on.
  public func move(_ subscription: String, to cursor: String) async throws {
    let now = time.now.rfc3339Milliseconds
    try await change { writing in
      try writing.database.execute(
        sql: "INSERT OR REPLACE INTO trigger_cursors (subscription, cursor, updated_at) VALUES (?, ?, ?)",
        arguments: [subscription, cursor, now])
    }
  }
}
