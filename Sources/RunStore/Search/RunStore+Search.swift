internal import Engine
internal import Expressions
internal import Foundation
internal import GRDB

extension RunStore {
  /// Lines of the log that are taken into the index in one transaction.
  private static let lineStep = 400
  /// Runs that are taken into the index in one transaction.
  private static let runStep = 16

  /// Takes what was recorded since into the index of searches, in small transactions between which others write.
  ///
  /// - Parameters:
  ///   - includesOpen: Whether runs that have not ended are taken in as well; for a search that follows at once.
  ///   - pause: Seconds between two transactions.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func updateSearch(includesOpen: Bool = true, pause: Double = 0) async throws {
    while try await indexLines() {
      try Task.checkCancellation()
      if pause > 0 { try await time.sleep(seconds: pause) }
    }
    var last = ""
    while let next = try await indexRuns(after: last, includesOpen: includesOpen) {
      last = next
      try Task.checkCancellation()
      if pause > 0 { try await time.sleep(seconds: pause) }
    }
  }

  /// - Returns: Whether there are more.
  private func indexLines() async throws -> Bool {
    let isNeeded = try await look { database in
      try Bool.fetchOne(database, sql: "SELECT max(id) > (SELECT line FROM log_progress WHERE id = 1) FROM logs")
    }
    guard isNeeded == true else { return false }
    return try await change { writing in
      let database = writing.database
      let line = try Int64.fetchOne(database, sql: "SELECT line FROM log_progress WHERE id = 1") ?? 0
      let last = try Int64.fetchOne(
        database,
        sql: "SELECT max(id) FROM (SELECT id FROM logs WHERE id > ? ORDER BY id LIMIT ?)",
        arguments: [line, RunStore.lineStep])
      guard let last else { return false }
      try database.execute(
        sql: "INSERT INTO log_search (rowid, message) SELECT id, message FROM logs WHERE id > ? AND id <= ?",
        arguments: [line, last])
      try database.execute(sql: "UPDATE log_progress SET line = ? WHERE id = 1", arguments: [last])
      return true
    }
  }

  private struct IndexedRun: Sendable {
    var run: String
    var isComplete: Bool
    var text: String
  }

  /// - Returns: The last run that was looked at; `nil` where there are no more.
  private func indexRuns(after last: String, includesOpen: Bool) async throws -> String? {
    let found = try await look { database in
      let isOpen = includesOpen ? "1" : "0"
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, status IN (\(RunReading.finalStatuses)) AS is_complete FROM runs
          WHERE id > ? AND (status IN (\(RunReading.finalStatuses)) OR \(isOpen)) AND NOT EXISTS (
            SELECT 1 FROM run_texts WHERE run = runs.id
              AND (is_complete = 1 OR status NOT IN (\(RunReading.finalStatuses))))
          ORDER BY id LIMIT ?
          """, arguments: [last, RunStore.runStep])
      return try rows.map { row in
        IndexedRun(run: row[0], isComplete: row[1] == 1, text: try RunStore.searchText(of: row[0], database))
      }
    }
    guard let last = found.last?.run else { return nil }
    try await change { writing in
      for run in found {
        // It may have been removed meanwhile.
        try writing.database.execute(
          sql: """
            INSERT INTO run_texts (run, is_complete, text) SELECT id, ?, ? FROM runs WHERE id = ?
            ON CONFLICT (run) DO UPDATE SET is_complete = excluded.is_complete, text = excluded.text
            """, arguments: [run.isComplete, run.text, run.run])
      }
    }
    return last
  }

  /// The words of a run: its recipe, inputs, keywords, outputs, what its steps have given, and why it failed.
  static func searchText(of run: String, _ database: Database) throws -> String {
    var text = SearchText()
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT recipe, failure_message, failure_message_de,
          coalesce(inputs, (SELECT content FROM blobs WHERE hash = inputs_blob)) AS inputs,
          coalesce(keywords, (SELECT content FROM blobs WHERE hash = keywords_blob)) AS keywords,
          coalesce(outputs, (SELECT content FROM blobs WHERE hash = outputs_blob)) AS outputs
        FROM runs WHERE id = ?
        """, arguments: [run])
    guard let row else { return "" }
    for column in ["recipe", "failure_message", "failure_message_de"] {
      if let part: String = row[column] { text.add(part) }
    }
    for column in ["inputs", "keywords", "outputs"] { text.add(stored: row[column]) }
    let parts = try Row.fetchCursor(
      database,
      sql: """
        SELECT message AS text, NULL AS json FROM waits WHERE run = ?1 AND message IS NOT NULL
        UNION ALL SELECT failure_message, NULL FROM steps WHERE run = ?1 AND failure_message IS NOT NULL
        UNION ALL SELECT NULL, coalesce(value, (SELECT content FROM blobs WHERE hash = blob)) FROM outputs WHERE run = ?1
        """, arguments: [run])
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
