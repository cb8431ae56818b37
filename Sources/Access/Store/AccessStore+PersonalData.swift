public import Expressions
internal import GRDB

extension AccessStore {
  /// All that is stored about a user, for the user (GDPR, articles 15 and 20). Passwords and tokens are stored as hashes, which
  /// are left out.
  ///
  /// - Throws: ``AccessError``: `unknown_user`.
  public func export(user name: String) throws(AccessError) -> Value {
    try read { database in
      let user = try require(user: name, database)
      func rows(_ sql: String) throws -> [Row] { try Row.fetchAll(database, sql: sql, arguments: [name]) }
      let failures = try rows("SELECT count, last FROM failures WHERE kind = 'user' AND subject = ?")
      let requests = try rows("SELECT key, run, status, created FROM requests WHERE actor = ? ORDER BY created")
      let devices = try rows("SELECT client, state, created FROM device_codes WHERE user = ? ORDER BY created")
      let entries = try rows("SELECT * FROM audit WHERE actor = ?1 OR object = 'users/' || ?1 ORDER BY id")
      func time(_ row: Row, _ column: String) -> Value {
        .string(Timestamp(stored: row[column] ?? 0).rfc3339)
      }
      return [
        "user": user.json,
        "tokens": .list(try rows("SELECT * FROM tokens WHERE user = ? ORDER BY created").map { Self.token($0).json }),
        "sessions": .list(
          try rows("SELECT * FROM sessions WHERE user = ? ORDER BY created").map { Self.session($0).json }),
        "failures": .list(failures.map { ["count": .int($0["count"] ?? 0), "last": time($0, "last")] }),
        "devices": .list(
          devices.map {
            [
              "client": .string($0["client"] ?? ""), "state": .string($0["state"] ?? ""),
              "created": time($0, "created"),
            ]
          }),
        "requests": .list(
          requests.map {
            [
              "key": .string($0["key"] ?? ""), "run": .string($0["run"] ?? ""),
              "status": ($0["status"] as Int64?).map { .int($0) } ?? .null, "created": time($0, "created"),
            ]
          }),
        "saved_filters": .list(
          try rows("SELECT * FROM saved_filters WHERE user = ? ORDER BY name").map { Self.savedFilter($0).json }),
        "audit": .list(entries.map { Self.entry($0).json }),
      ]
    }
  }

  /// Erases a user (GDPR, article 17): the user, its tokens, sessions, memberships and keys of requests. The audit log keeps
  /// what was done; the name in it becomes `erased-N`.
  ///
  /// A user that was removed before can be erased from the audit log too.
  ///
  /// - Returns: The name that replaces the user's.
  /// - Throws: ``AccessError``: `unknown_user` if neither a user nor the audit log has the name, `last_administrator`.
  @discardableResult
  public func erase(user name: String, by source: AuditSource, now: Timestamp) throws(AccessError) -> String {
    let replacement = try write { database in
      let object = "users/" + name
      let isLogged = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM audit WHERE actor = ? OR object = ?)", arguments: [name, object])
      if try exists(name, database) {
        try remove(name, database)
      } else if isLogged != true {
        _ = try require(user: name, database)
      }
      try database.execute(sql: "INSERT INTO erased (at) VALUES (?)", arguments: [now.stored])
      let replacement = "erased-\(database.lastInsertedRowID)"
      try database.execute(
        sql: "UPDATE audit SET object = ?, before = NULL, after = NULL, address = NULL WHERE object = ?",
        arguments: ["users/" + replacement, object])
      try database.execute(
        sql: "UPDATE audit SET actor = ?, address = NULL WHERE actor = ?", arguments: [replacement, name])
      try replaceInAudit(name, by: replacement, database)
      var source = source
      if source.actor == name { source.actor = replacement }
      try record(AuditEntry(at: now, source, action: "user.erase", object: "users/" + replacement), database)
      return replacement
    }
    // Former pages of the file are in its log until then.
    try withoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    return replacement
  }

  /// Replaces a name within the objects that entries describe, such as tokens.
  private func replaceInAudit(_ name: String, by replacement: String, _ database: Database) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, before, after FROM audit WHERE instr(before, ?1) > 0 OR instr(after, ?1) > 0",
      arguments: [name])
    for row in rows {
      func replaced(_ column: String) -> String? {
        guard let text: String = row[column], let value = try? Value(json: text) else { return nil }
        return Self.replacing(name, by: replacement, in: value).jsonString
      }
      try database.execute(
        sql: "UPDATE audit SET before = ?, after = ? WHERE id = ?",
        arguments: [replaced("before"), replaced("after"), row["id"] as Int64?])
    }
  }

  private static func replacing(_ name: String, by replacement: String, in value: Value) -> Value {
    switch value {
    case .string(let text) where text == name: .string(replacement)
    case .list(let items): .list(items.map { replacing(name, by: replacement, in: $0) })
    case .map(let map): .map(ValueMap(map.entries.map { ($0.key, replacing(name, by: replacement, in: $0.value)) }))
    default: value
    }
  }
}
