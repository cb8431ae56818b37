public import Engine
public import Expressions
internal import GRDB
internal import Plans

extension RunStore {
  /// Runs that have ended, the one that ended first comes first.
  ///
  /// Runs that a step of another recipe has started do not count. A pattern means recipes in files only: messages of the outbox,
  /// notices and single reminders have alerts of their own.
  ///
  /// - Parameters:
  ///   - recipe: The recipe's name, or a pattern with `*` and `?`.
  ///   - own: The recipe whose runs a pattern does not mean.
  ///   - statuses: How they have ended; `needsAttention` may be one of them.
  ///   - moment: What ended before it does not count.
  ///   - subscription: Events that are known as dealt with there do not count.
  ///   - limit: At most so many.
  public func endedRuns(
    of recipe: String, except own: String, _ statuses: Set<RunStatus>, since moment: Timestamp,
    notSettledIn subscription: String, limit: Int
  ) async throws -> [EndedRun] {
    let path = path
    let isPattern = NamePattern.isPattern(recipe)
    let name =
      isPattern ? "recipe GLOB ?2 AND recipe <> ?5 AND recipe_origin = 'file' AND trigger <> 'replay'" : "recipe = ?2"
    let pattern = isPattern ? recipe.replacing("[", with: "[[]") : recipe
    func query(_ index: String, _ condition: String, event: String) -> String {
      """
      SELECT id, recipe, status, ended_at, \(event) AS event_id, failure_kind, failure_message, failure_message_de,
        failure_advice, failure_advice_de, event, (SELECT content FROM blobs WHERE hash = event_blob) AS event_content,
        coalesce(
          (SELECT s.id FROM steps AS s WHERE s.run = runs.id AND s.status = 'failed'
            AND s.failure_message = runs.failure_message ORDER BY s.position LIMIT 1),
          (SELECT s.id FROM steps AS s WHERE s.run = runs.id AND s.status = 'failed' AND runs.failure_kind IS NOT NULL
            ORDER BY s.position DESC LIMIT 1),
          (SELECT s.id FROM attempts AS a JOIN steps AS s ON s.run = a.run AND s.position = a.step
            WHERE a.run = runs.id AND a.uncertain = 1 LIMIT 1)) AS step
      FROM runs INDEXED BY \(index)
      WHERE ended_at >= ?1 AND \(name) AND parent IS NULL AND \(condition) AND NOT EXISTS (SELECT 1 FROM trigger_events
        WHERE subscription = ?3 AND trigger_events.id = \(event) AND settled_at IS NOT NULL)
      """
    }
    var queries: [String] = []
    let final = statuses.filter(\.isFinal).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    if !final.isEmpty {
      queries.append(
        query("runs_ended", "status IN (\(RunReading.finalStatuses)) AND status IN (\(final))", event: "runs.id"))
    }
    if statuses.contains(.needsAttention) {
      queries.append(
        query("runs_by_status", "status = 'needs_attention'", event: "runs.id || ' needs_attention'"))
    }
    guard !queries.isEmpty else { return [] }
    let sql = queries.joined(separator: " UNION ALL ") + " ORDER BY ended_at, id LIMIT ?4"
    return try await look(isSettled: false) { database in
      try Row.fetchAll(
        database, sql: sql,
        arguments: [moment.rfc3339Milliseconds, pattern, subscription, max(0, limit)] + (isPattern ? [own] : [])
      ).map { try Self.endedRun(RowReader(row: $0, path: path)) }
    }
  }

  private static func endedRun(_ row: RowReader) throws -> EndedRun {
    var cause = try row.value("event", blob: "event_content")
    // Events from outside may have a field of this name too.
    if cause?["type"]?.stringValue != "recipe" { cause = nil }
    return EndedRun(
      event: try row.text("event_id"), run: RunID(rawValue: try row.text("id")), recipe: try row.text("recipe"),
      status: try row.choice("status"), endedAt: try row.time("ended_at"), failure: try row.failure(),
      step: row.optionalText("step"), chain: cause?["chain"]?.listValue?.compactMap(\.stringValue) ?? [])
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
