public import Expressions
internal import GRDB

extension RunStore {
  /// Lets messages wait for their summaries. Those that have one stay as they are; of those that wait already the rank and
  /// the place become what they are now.
  ///
  /// - Returns: How many are new.
  public func queueSummaries(_ records: [SummaryRecord]) async throws -> Int {
    try await change(isDurable: false) { writing in
      var added = 0
      for record in records {
        let exists = try Bool.fetchOne(
          writing.database, sql: "SELECT EXISTS (SELECT 1 FROM summaries WHERE account = ? AND message = ?)",
          arguments: [record.account, record.message])
        if exists == true {
          try writing.database.execute(
            sql: """
              UPDATE summaries SET rank = ?3, folder = ?4, uid = ?5
              WHERE account = ?1 AND message = ?2 AND state = 'waiting'
              """, arguments: [record.account, record.message, record.rank, record.folder, record.uid])
        } else {
          try SummaryRow.insert(record, writing.database)
          added += 1
        }
      }
      return added
    }
  }

  /// Writes a summary down, or why there is none; on disk when it returns.
  public func keepSummary(_ record: SummaryRecord) async throws {
    try await change(isDurable: true) { writing in
      try writing.database.execute(
        sql: "DELETE FROM summaries WHERE account = ? AND message = ?", arguments: [record.account, record.message])
      try SummaryRow.insert(record, writing.database)
    }
  }

  /// Removes a message that waits for its summary and does not exist any more.
  public func removeSummary(of message: String, in account: String) async throws {
    try await change(isDurable: false) { writing in
      try writing.database.execute(
        sql: "DELETE FROM summaries WHERE account = ? AND message = ? AND state = 'waiting'",
        arguments: [account, message])
    }
  }

  /// The summary of a message, or how far it has come; `nil` where it was never seen.
  public func summary(of message: String, in account: String) async throws -> SummaryRecord? {
    try await summaries("account = ? AND message = ?", [account, message], limit: 1).first
  }

  /// The messages that wait, the next first; those that could not be summarised so far come last.
  public func waitingSummaries(limit: Int) async throws -> [SummaryRecord] {
    try await summaries("state = 'waiting'", [], order: "trouble IS NOT NULL, rank, date DESC", limit: limit)
  }

  /// The summaries that were made or failed, the latest first.
  public func endedSummaries(limit: Int) async throws -> [SummaryRecord] {
    try await summaries("ended_at IS NOT NULL", [], order: "ended_at DESC", limit: limit)
  }

  /// When summaries were tried in advance since a time, the oldest first: each counts for the limit.
  public func summariesInAdvance(since time: Timestamp) async throws -> [Timestamp] {
    try await summaries(
      "in_advance = 1 AND ended_at > ?", [time.rfc3339Milliseconds], order: "ended_at", limit: 10_000
    ).compactMap(\.endedAt)
  }

  /// The date of the oldest message of an account that was seen; `nil` where none was.
  public func oldestSummary(of account: String) async throws -> Timestamp? {
    try await summaries("account = ?", [account], order: "date", limit: 1).first?.date
  }

  /// How many messages are in each state.
  public func summaryCounts() async throws -> [SummaryRecord.State: Int] {
    try await look { database in
      let rows = try Row.fetchAll(database, sql: "SELECT state, count(*) AS number FROM summaries GROUP BY state")
      return Dictionary(
        rows.compactMap { row in
          SummaryRecord.State(rawValue: row["state"] ?? "").map { ($0, row["number"] ?? 0) }
        }, uniquingKeysWith: +)
    }
  }

  private func summaries(
    _ condition: String, _ arguments: [String], order: String = "account", limit: Int
  ) async throws -> [SummaryRecord] {
    let path = path
    return try await look { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM summaries WHERE \(condition) ORDER BY \(order) LIMIT \(max(0, limit))",
        arguments: StatementArguments(arguments)
      ).map { try SummaryRow.record(RowReader(row: $0, path: path)) }
    }
  }
}

/// Rows of the table.
private enum SummaryRow {
  static func insert(_ record: SummaryRecord, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        record.account, record.message, record.folder, record.uid, record.state.rawValue, record.rank,
        record.date.rfc3339Milliseconds, record.queuedAt.rfc3339Milliseconds, record.endedAt?.rfc3339Milliseconds,
        record.isInAdvance ? 1 : 0, record.body.jsonString, record.trouble,
      ])
  }

  static func record(_ reader: RowReader) throws -> SummaryRecord {
    var record = try SummaryRecord(
      account: reader.text("account"), message: reader.text("message"), folder: reader.text("folder"),
      uid: reader.text("uid"), rank: reader.integer("rank"), date: reader.time("date"),
      queuedAt: reader.time("queued_at"), body: Value(json: Array(reader.text("body").utf8)))
    record.state = try SummaryRecord.State(rawValue: reader.text("state")) ?? .failed
    record.endedAt = try reader.optionalTime("ended_at")
    record.isInAdvance = try reader.integer("in_advance") == 1
    record.trouble = reader.optionalText("trouble")
    return record
  }
}
