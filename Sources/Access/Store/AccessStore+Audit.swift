internal import Expressions
internal import GRDB

extension AccessStore {
  /// Adds an entry to the audit log. The store adds those of its own changes itself.
  public func record(_ entry: AuditEntry) throws(AccessError) { try write { try record(entry, $0) } }

  /// Entries of the audit log, the newest first.
  public func audit(_ filter: AuditFilter = AuditFilter(), limit: Int) throws(AccessError) -> [AuditEntry] {
    try read { database in
      var conditions: [String] = []
      var arguments: [(any DatabaseValueConvertible)?] = []
      if let user = filter.user {
        conditions.append("(actor = ? OR object = ?)")
        arguments += [user, "users/" + user]
      }
      if let since = filter.since {
        conditions.append("at >= ?")
        arguments.append(since.stored)
      }
      if let before = filter.before {
        conditions.append("at < ?")
        arguments.append(before.stored)
      }
      if let below = filter.below {
        conditions.append("id < ?")
        arguments.append(below)
      }
      let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
      arguments.append(max(1, limit))
      return try Row.fetchAll(
        database, sql: "SELECT * FROM audit\(condition) ORDER BY id DESC LIMIT ?",
        arguments: StatementArguments(arguments)
      ).map(Self.entry)
    }
  }

  // MARK: - Inside a transaction

  func record(_ entry: AuditEntry, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO audit (at, actor, origin, address, action, object, before, after, outcome)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        entry.at.stored, entry.source.actor, entry.source.origin, entry.source.address, entry.action, entry.object,
        entry.before?.jsonString, entry.after?.jsonString, entry.outcome,
      ])
  }

  static func entry(_ row: Row) -> AuditEntry {
    AuditEntry(
      id: row["id"] ?? 0, at: Timestamp(stored: row["at"] ?? 0),
      AuditSource(actor: row["actor"] ?? "", origin: row["origin"] ?? "", address: row["address"]),
      action: row["action"] ?? "", object: row["object"] ?? "", before: json(row["before"]), after: json(row["after"]),
      outcome: row["outcome"] ?? "")
  }

  private static func json(_ text: String?) -> Value? { text.flatMap { try? Value(json: $0) } }
}
