internal import Engine
internal import Expressions
internal import Foundation
internal import GRDB

extension RunStore {
  /// Takes what was recorded since into the index of searches, in transactions between which others write.
  ///
  /// - Parameters:
  ///   - pause: Seconds between two transactions, which are then small.
  ///   - seconds: How long it may take, about; what is left can be looked through with ``searchWithoutIndex(_:)``.
  /// - Returns: Whether the index is up to date.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  @discardableResult
  public func updateSearch(pause: Double = 0, within seconds: Double = .infinity) async throws -> Bool {
    let end = time.monotonic + seconds
    // Each transaction costs the index about as much as some hundred texts.
    let step = pause > 0 ? 64 : 1000
    func goesOn() async throws -> Bool {
      try Task.checkCancellation()
      if pause > 0 { try await time.sleep(seconds: pause) }
      return time.monotonic < end
    }
    while try await indexLines(10 * step) { guard try await goesOn() else { return false } }
    while try await indexNewRuns(step) { guard try await goesOn() else { return false } }
    while try await indexEndedRuns(step) { guard try await goesOn() else { return false } }
    return true
  }

  /// - Returns: Whether there are more.
  private func indexLines(_ count: Int) async throws -> Bool {
    let isNeeded = try await look { database in
      try Bool.fetchOne(database, sql: "SELECT max(id) > (SELECT line FROM search_progress WHERE id = 1) FROM logs")
    }
    guard isNeeded == true else { return false }
    return try await change { writing in
      let database = writing.database
      let line = try Int64.fetchOne(database, sql: "SELECT line FROM search_progress WHERE id = 1") ?? 0
      let last = try Int64.fetchOne(
        database,
        sql: "SELECT max(id) FROM (SELECT id FROM logs WHERE id > ? ORDER BY id LIMIT ?)", arguments: [line, count])
      guard let last else { return false }
      try database.execute(
        sql: "INSERT INTO log_search (rowid, message) SELECT id, message FROM logs WHERE id > ? AND id <= ?",
        arguments: [line, last])
      try database.execute(sql: "UPDATE search_progress SET line = ? WHERE id = 1", arguments: [last])
      return true
    }
  }

  private struct IndexedRun: Sendable {
    var number: Int64
    var run: String
    var isComplete: Bool
    var text: String
  }

  /// Takes runs into the index that it does not know, also those that have not ended.
  ///
  /// - Returns: Whether there may be more.
  private func indexNewRuns(_ count: Int) async throws -> Bool {
    let found = try await textsOfRuns(
      "runs WHERE number > (SELECT run FROM search_progress WHERE id = 1) ORDER BY number", limit: count)
    guard let last = found.last?.number else { return false }
    try await change { writing in
      try Self.write(found, writing.database)
      try writing.database.execute(sql: "UPDATE search_progress SET run = max(run, ?) WHERE id = 1", arguments: [last])
    }
    return found.count == count
  }

  /// Takes runs into the index anew that had not ended when it came to know them.
  ///
  /// - Returns: Whether there may be more.
  private func indexEndedRuns(_ count: Int) async throws -> Bool {
    let found = try await textsOfRuns(
      """
      run_texts AS t CROSS JOIN runs ON runs.id = t.run
      WHERE t.is_complete = 0 AND status IN (\(RunReading.finalStatuses))
      """, limit: count)
    guard !found.isEmpty else { return false }
    try await change { try Self.write(found, $0.database) }
    return found.count == count
  }

  private func textsOfRuns(_ source: String, limit: Int) async throws -> [IndexedRun] {
    try await look { database in
      try Row.fetchAll(
        database,
        sql: "SELECT runs.number, id, status IN (\(RunReading.finalStatuses)) FROM \(source) LIMIT ?",
        arguments: [limit]
      ).map { row in
        IndexedRun(
          number: row[0], run: row[1], isComplete: row[2] == 1, text: try Self.searchText(of: row[1], database))
      }
    }
  }

  private static func write(_ runs: [IndexedRun], _ database: Database) throws {
    let statement = try database.cachedStatement(
      // It may have been removed meanwhile.
      sql: """
        INSERT INTO run_texts (run, is_complete, text) SELECT id, ?, ? FROM runs WHERE id = ?
        ON CONFLICT (run) DO UPDATE SET is_complete = excluded.is_complete, text = excluded.text
        """)
    for run in runs { try statement.execute(arguments: [run.isComplete, run.text, run.run]) }
  }

  /// The texts in the row of a run.
  static let textsOfRun = """
    SELECT recipe, failure_message, failure_message_de,
      coalesce(inputs, (SELECT content FROM blobs WHERE hash = inputs_blob)) AS inputs,
      coalesce(keywords, (SELECT content FROM blobs WHERE hash = keywords_blob)) AS keywords,
      coalesce(outputs, (SELECT content FROM blobs WHERE hash = outputs_blob)) AS outputs
    FROM runs WHERE id = ?
    """

  /// The texts in what belongs to a run.
  static let textsOfParts = """
    SELECT message AS text, NULL AS json FROM waits WHERE run = ?1 AND message IS NOT NULL
    UNION ALL SELECT failure_message, NULL FROM steps WHERE run = ?1 AND failure_message IS NOT NULL
    UNION ALL SELECT NULL, coalesce(value, (SELECT content FROM blobs WHERE hash = blob)) FROM outputs WHERE run = ?1
    """

  /// The words of a run: its recipe, inputs, keywords, outputs, what its steps have given, and why it failed.
  static func searchText(of run: String, _ database: Database) throws -> String {
    var text = SearchText()
    let row = try Row.fetchOne(database.cachedStatement(sql: textsOfRun), arguments: [run])
    guard let row else { return "" }
    for column in ["recipe", "failure_message", "failure_message_de"] {
      if let part: String = row[column] { text.add(part) }
    }
    for column in ["inputs", "keywords", "outputs"] { text.add(stored: row[column]) }
    let parts = try Row.fetchCursor(database.cachedStatement(sql: textsOfParts), arguments: [run])
    while !text.isFull, let part = try parts.next() {
      if let message: String = part["text"] { text.add(message) } else { text.add(stored: part["json"]) }
    }
    return text.text
  }
}

extension SearchText {
  fileprivate mutating func add(stored value: DatabaseValue?) {
    switch value?.storage {
    case .string(let text): add(json: Array(text.utf8))
    case .blob(let data): add(json: Array(data))
    default: break
    }
  }
}
