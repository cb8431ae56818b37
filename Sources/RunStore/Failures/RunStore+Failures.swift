internal import Engine
public import Expressions
internal import GRDB
internal import Localization

extension RunStore {
  /// Parts of one message at most; what is more comes with the next.
  private static let partsOfDigest = 200

  /// Ends of runs that nobody has judged yet, in the order in which they came.
  public func concludedRuns(limit: Int) async throws -> [ConcludedRun] {
    let path = path
    return try await look(isSettled: false) { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT c.*, coalesce(r.recipe_origin, 'file') AS recipe_origin,
              r.id IS NOT NULL AND r.queued_at IS NULL AS is_by_hand
            FROM concluded_runs AS c LEFT JOIN runs AS r ON r.id = c.run ORDER BY c.number LIMIT ?
            """), arguments: [limit]
      ).map { try ConcludedRun(RowReader(row: $0, path: path)) }
    }
  }

  /// The failures of a recipe one after the other up to now; `nil` where its last run did not fail.
  ///
  /// - Parameter recipe: Its file.
  public func failureStreak(of recipe: String) async throws -> FailureStreak? {
    let path = path
    return try await look(isSettled: false) { try Self.streak(of: recipe, $0, path) }
  }

  /// The last notice about the failures of a recipe; `nil` if none is stored.
  ///
  /// - Parameter recipe: The path of the recipe's file.
  public func lastFailureNotice(about recipe: String) async throws -> FailureNoticeState? {
    let path = path
    return try await look(isSettled: false) { database in
      // The call of a notice is the ID of the run that delivers it, and the name of the step: `<run>.tell`.
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT n.at, n.provider, n.delivered_at, r.id AS carrier, r.status,
            EXISTS (SELECT 1 FROM steps WHERE run = r.id AND status = 'succeeded') AS has_succeeded
          FROM notifications n LEFT JOIN runs r ON r.id || '.tell' = n.call
          WHERE n.run IN (SELECT id FROM runs WHERE path = ?1) AND n.tags = '["sous"]' AND n.call LIKE '%.tell'
          ORDER BY n.number DESC LIMIT 1
          """, arguments: [recipe])
      guard let columns = row.map({ RowReader(row: $0, path: path) }) else { return nil }
      let isInboxAll = columns.optionalText("provider") == nil && columns.optionalText("carrier") == nil
      let hasSucceeded = try columns.integer("has_succeeded") != 0
      let status = columns.optionalText("status").flatMap(RunStatus.init)
      return FailureNoticeState(
        at: try columns.time("at"),
        isDelivered: isInboxAll || hasSucceeded || columns.optionalText("delivered_at") != nil,
        isUnderWay: status.map { !$0.isFinal } ?? false)
    }
  }

  /// Takes an end as judged, with what follows from it: all of it or nothing. On disk when it returns.
  ///
  /// - Parameters:
  ///   - run: The end.
  ///   - before: The streak that the judgement began with.
  ///   - after: The streak from now on.
  ///   - telling: What is told; `nil` for nothing.
  /// - Returns: Whether it was written; `false` where another process was first, or the streak has changed meanwhile.
  public func settle(
    _ run: ConcludedRun, from before: FailureStreak?, to after: FailureStreak?, telling: FailureTelling?
  ) async throws -> Bool {
    let path = path
    return try await change(isDurable: true) { writing in
      let database = writing.database
      guard try Self.streak(of: run.path, database, path) == before else { return false }
      try database.execute(sql: "DELETE FROM concluded_runs WHERE number = ?", arguments: [run.number])
      guard database.changesCount == 1 else { return false }
      if let after {
        try database.execute(
          sql: "INSERT OR REPLACE INTO failure_streaks (path, failures, since, told) VALUES (?, ?, ?, ?)",
          arguments: [run.path, after.failures, after.since.rfc3339Milliseconds, after.isTold ? 1 : 0])
      } else {
        try database.execute(sql: "DELETE FROM failure_streaks WHERE path = ?", arguments: [run.path])
      }
      if let telling { try Self.write(telling, writing, path) }
      return true
    }
  }

  /// The messages that are due.
  public func dueFailureDigests(at now: Timestamp) async throws -> [FailureDigest] {
    let path = path
    return try await look(isSettled: false) { database in
      let targets = try String.fetchAll(
        database.cachedStatement(sql: "SELECT DISTINCT target FROM failure_digests WHERE due_at <= ?"),
        arguments: [now.rfc3339Milliseconds])
      return try targets.map { target in
        let rows = try Row.fetchAll(
          database, sql: "SELECT * FROM failure_digests WHERE target = ? AND due_at <= ? ORDER BY number LIMIT ?",
          arguments: [target, now.rfc3339Milliseconds, Self.partsOfDigest])
        return FailureDigest(target: target, parts: try rows.map { try .init(RowReader(row: $0, path: path)) })
      }
    }
  }

  /// Takes a message as sent, with the notification that it becomes. On disk when it returns.
  ///
  /// - Returns: Whether it was written; `false` where another process was first.
  public func settle(_ digest: FailureDigest, telling: FailureTelling) async throws -> Bool {
    guard !digest.parts.isEmpty else { return false }
    // By their numbers: a part that is due later may lie between them.
    let numbers = digest.parts.map { String($0.number) }.joined(separator: ", ")
    let path = path
    return try await change(isDurable: true) { writing in
      try writing.database.execute(
        sql: "DELETE FROM failure_digests WHERE target = ? AND number IN (\(numbers))", arguments: [digest.target])
      guard writing.database.changesCount == digest.parts.count else {
        if writing.database.changesCount > 0 {
          throw RunStoreError.unexpected(path: path, cause: "parts of a digest have changed")
        }
        return false
      }
      try Self.write(telling, writing, path)
      return true
    }
  }

  private static func streak(of recipe: String, _ database: Database, _ path: String) throws -> FailureStreak? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM failure_streaks WHERE path = ?"), arguments: [recipe])
    guard let columns = row.map({ RowReader(row: $0, path: path) }) else { return nil }
    return FailureStreak(
      failures: try columns.integer("failures"), since: try columns.time("since"),
      isTold: try columns.integer("told") != 0)
  }

  private static func write(_ telling: FailureTelling, _ writing: EntryWriter, _ path: String) throws {
    let database = writing.database
    switch telling {
    case .now(let notification, let start):
      _ = try NotificationWriter(database: database, path: path).post(notification)
      guard let start, try !FiringWriter.hasRun(start.run, database) else { return }
      try writing.write([PreparedEntry(.runStarted(start))])
    case .later(let target, let title, let text, let at, let due):
      try database.execute(
        sql: """
          INSERT INTO failure_digests (target, title, text, at, due_at) VALUES (?1, ?2, ?3, ?4,
            coalesce((SELECT min(due_at) FROM failure_digests WHERE target = ?1 AND due_at > ?4), ?5))
          """,
        arguments: [target, title, text, at.rfc3339Milliseconds, due.rfc3339Milliseconds])
    }
  }
}

extension ConcludedRun {
  fileprivate init(_ row: RowReader) throws {
    self.init(
      number: try row.integer("number"), run: RunID(rawValue: try row.text("run")), path: try row.text("path"),
      recipe: try row.text("recipe"), status: try row.choice("status"), at: try row.time("at"))
    recipeOrigin = try row.choice("recipe_origin")
    isByHand = try row.integer("is_by_hand") != 0
    message = row.optionalText("message").map { LocalizedText($0, de: row.optionalText("message_de") ?? $0) }
  }
}

extension FailureDigest.Part {
  fileprivate init(_ row: RowReader) throws {
    number = try row.integer("number")
    title = try row.text("title")
    text = try row.text("text")
    at = try row.time("at")
  }
}
