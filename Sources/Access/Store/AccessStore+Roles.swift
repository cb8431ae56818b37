public import Expressions
internal import GRDB
internal import Localization

extension AccessStore {
  /// All roles: those of Sous itself, the smallest first, then the own ones by name.
  public func roles() throws(AccessError) -> [AccessRole] { try read { try roles($0) } }

  /// The role of a name.
  ///
  /// - Throws: ``AccessError``: `unknown_role`.
  public func role(_ name: String) throws(AccessError) -> AccessRole {
    let known = try roles()
    guard let role = known.first(where: { $0.name == name }) else { throw Self.unknownRole(name, known) }
    return role
  }

  /// Stores a role of a user's own, in place of one of the same name if that is wanted.
  ///
  /// If the rules of a role change, the sessions of its users end.
  ///
  /// - Throws: ``AccessError``: `role_exists`.
  public func saveRole(
    _ role: AccessRole, replaces: Bool = false, by source: AuditSource, now: Timestamp
  ) throws(AccessError) {
    try write { database in
      let before = try roles(database).first { $0.name == role.name }
      guard before == nil || replaces && before?.isBuiltIn == false else {
        throw AccessError(
          .roleExists, "there is a role '\(role.name)'", de: "die Rolle '\(role.name)' gibt es schon")
      }
      try database.execute(
        sql: """
          INSERT INTO roles (name, english, german, rules) VALUES (?, ?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET english = excluded.english, german = excluded.german, rules = excluded.rules
          """,
        arguments: [
          role.name, role.title.english, role.title.german, role.rules.map(\.text).joined(separator: "\n"),
        ])
      if let before, before.rules != role.rules {
        for user in try String.fetchAll(
          database, sql: "SELECT user FROM user_roles WHERE role = ?", arguments: [role.name])
        {
          try endSessions(of: user, keeping: nil, database)
        }
      }
      try record(
        AuditEntry(
          at: now, source, action: before == nil ? "role.add" : "role.change", object: "roles/\(role.name)",
          before: before?.json, after: role.json), database)
    }
  }

  /// Removes an own role that no user and no token has.
  ///
  /// - Throws: ``AccessError``: `unknown_role`, `role_in_use`, `invalid_input` for a role of Sous itself.
  public func removeRole(_ name: String, by source: AuditSource, now: Timestamp) throws(AccessError) {
    try write { database in
      let known = try roles(database)
      guard let role = known.first(where: { $0.name == name }) else { throw Self.unknownRole(name, known) }
      guard !role.isBuiltIn else {
        throw AccessError(
          .invalidInput, "'\(name)' is a role of Sous itself and cannot be removed",
          de: "'\(name)' ist eine Rolle von Sous selbst und lässt sich nicht entfernen")
      }
      let users = try String.fetchAll(
        database, sql: "SELECT user FROM user_roles WHERE role = ? ORDER BY user", arguments: [name])
      let tokens = try Row.fetchAll(database, sql: "SELECT id, scopes FROM tokens").filter { row in
        (row["scopes"] as String? ?? "").split(separator: "\n").contains { $0 == name }
      }
      let holders = users + tokens.map { "token " + ($0["id"] as String? ?? "") }
      guard holders.isEmpty else {
        throw AccessError(
          .roleInUse, "the role '\(name)' is in use: \(holders.joined(separator: ", "))",
          de: "die Rolle '\(name)' ist vergeben: \(holders.joined(separator: ", "))")
      }
      try database.execute(sql: "DELETE FROM roles WHERE name = ?", arguments: [name])
      try record(
        AuditEntry(at: now, source, action: "role.remove", object: "roles/\(name)", before: role.json), database)
    }
  }

  // MARK: - Inside a transaction

  func roles(_ database: Database) throws -> [AccessRole] {
    try AccessRole.builtIn
      + Row.fetchAll(database, sql: "SELECT * FROM roles ORDER BY name").map { row in
        AccessRole(
          known: row["name"] ?? "", LocalizedText(row["english"] ?? "", de: row["german"] ?? ""),
          try (row["rules"] as String? ?? "").split(separator: "\n").map { try AccessRule(String($0)) })
      }
  }

  static func unknownRole(_ name: String, _ known: [AccessRole]) -> AccessError {
    let names = known.map(\.name).joined(separator: ", ")
    return AccessError(
      .unknownRole, "no role '\(name)'; these exist: \(names)", de: "keine Rolle '\(name)'; es gibt: \(names)")
  }
}

extension AccessRole {
  /// The role for programs.
  public var json: Value {
    [
      "name": .string(name), "title": ["en": .string(title.english), "de": .string(title.german)],
      "built_in": .bool(isBuiltIn), "rules": .list(rules.map(\.json)),
    ]
  }
}

extension AccessRule {
  /// The rule for programs.
  public var json: Value {
    [
      "object": .string(object.rawValue), "folder": folder.map { .string($0) } ?? .null, "read": .string(read.rawValue),
      "create": .string(create.rawValue), "update": .string(update.rawValue), "delete": .string(delete.rawValue),
    ]
  }
}
