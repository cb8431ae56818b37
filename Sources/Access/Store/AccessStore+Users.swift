public import Expressions
internal import GRDB
internal import Localization

extension AccessStore {
  /// The users, by name.
  public func users() throws(AccessError) -> [AccessUser] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM users ORDER BY name").map { try user($0, database) }
    }
  }

  /// The user of a name.
  ///
  /// - Throws: ``AccessError``: `unknown_user`.
  public func user(_ name: String) throws(AccessError) -> AccessUser { try read { try require(user: name, $0) } }

  /// The user of an account of another service; `nil` if no user has it.
  public func user(identity: AccessUser.Identity) throws(AccessError) -> AccessUser? {
    try read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM users WHERE issuer = ? AND subject = ?",
        arguments: [identity.issuer, identity.subject]
      ).map { try user($0, database) }
    }
  }

  /// Adds a user. The first one becomes an administrator if the draft has no role.
  ///
  /// - Throws: ``AccessError``: `invalid_input`, `user_exists`, `unknown_role`, `weak_password`.
  @discardableResult
  public func addUser(_ draft: UserDraft, by source: AuditSource, now: Timestamp) throws(AccessError) -> AccessUser {
    try Self.check(name: draft.name)
    try Self.check(fullName: draft.fullName, groups: draft.groups)
    var hash: String?
    if let password = draft.password {
      try PasswordRules.check(password, user: draft.name)
      hash = try PasswordHash(password, cost: limits.passwordCost).stored
    }
    return try write { [hash] database in
      guard try !exists(draft.name, database) else {
        throw AccessError(
          .userExists, "there is a user '\(draft.name)'", de: "den Benutzer '\(draft.name)' gibt es schon")
      }
      try checkFree(draft.identity, for: draft.name, database)
      let isFirst = try Int.fetchOne(database, sql: "SELECT count(*) FROM users") == 0
      let roles = isFirst && draft.roles.isEmpty ? [AccessRole.administrator.name] : draft.roles
      try check(roles: roles, database)
      try database.execute(
        sql: """
          INSERT INTO users (name, full_name, password, language, created, issuer, subject)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          draft.name, draft.fullName, hash, draft.language?.rawValue, now.stored, draft.identity?.issuer,
          draft.identity?.subject,
        ])
      try set(groups: draft.groups, of: draft.name, database)
      try set(roles: roles, of: draft.name, database)
      let added = try require(user: draft.name, database)
      try record(
        AuditEntry(at: now, source, action: "user.add", object: "users/\(draft.name)", after: added.json), database)
      return added
    }
  }

  /// Changes a user. Other roles end its sessions.
  ///
  /// - Parameter kept: The id of the session that goes on: the user's own, if it made the change itself.
  /// - Throws: ``AccessError``: `unknown_user`, `unknown_role`, `invalid_input`, `user_exists`, `last_administrator`.
  @discardableResult
  public func changeUser(
    _ name: String, _ change: UserChange, keeping kept: String? = nil, by source: AuditSource, now: Timestamp
  ) throws(AccessError) -> AccessUser {
    try Self.check(fullName: change.fullName ?? "", groups: change.groups ?? [])
    return try write { database in
      let before = try require(user: name, database)
      if let fullName = change.fullName {
        try database.execute(sql: "UPDATE users SET full_name = ? WHERE name = ?", arguments: [fullName, name])
      }
      if let language = change.language {
        try database.execute(
          sql: "UPDATE users SET language = ? WHERE name = ?", arguments: [language?.rawValue, name])
      }
      if let identity = change.identity {
        try checkFree(identity, for: name, database)
        try database.execute(
          sql: "UPDATE users SET issuer = ?, subject = ? WHERE name = ?",
          arguments: [identity?.issuer, identity?.subject, name])
      }
      if let groups = change.groups { try set(groups: groups, of: name, database) }
      if let roles = change.roles, roles != Set(before.roles) {
        try check(roles: roles, database)
        try keepingAdministrator(database) { try set(roles: roles, of: name, database) }
        try endSessions(of: name, keeping: kept, database)
      }
      let after = try require(user: name, database)
      try record(
        AuditEntry(
          at: now, source, action: "user.change", object: "users/\(name)", before: before.json, after: after.json),
        database)
      return after
    }
  }

  /// Sets a password, or removes it. Ends the other sessions of the user, and forgets its failures.
  ///
  /// - Parameters:
  ///   - password: The new one; `nil`: the user signs in elsewhere only.
  ///   - kept: The id of the session that goes on.
  /// - Throws: ``AccessError``: `unknown_user`, `weak_password`.
  public func setPassword(
    _ password: String?, of name: String, keeping kept: String? = nil, by source: AuditSource, now: Timestamp
  ) throws(AccessError) {
    var hash: String?
    if let password {
      try PasswordRules.check(password, user: name)
      hash = try PasswordHash(password, cost: limits.passwordCost).stored
    }
    try write { [hash] database in
      let before = try require(user: name, database)
      try database.execute(sql: "UPDATE users SET password = ? WHERE name = ?", arguments: [hash, name])
      try endSessions(of: name, keeping: kept, database)
      try clearFailures(of: name, database)
      try record(
        AuditEntry(
          at: now, source, action: "user.password", object: "users/\(name)", before: before.json,
          after: try require(user: name, database).json), database)
    }
  }

  /// Disables a user, whose sessions end and whose tokens are refused, or enables it again.
  ///
  /// - Throws: ``AccessError``: `unknown_user`, `last_administrator`.
  public func setDisabled(_ isDisabled: Bool, user name: String, by source: AuditSource, now: Timestamp)
    throws(AccessError)
  {
    try write { database in
      let before = try require(user: name, database)
      guard (before.disabled != nil) != isDisabled else { return }
      try keepingAdministrator(database) {
        try database.execute(
          sql: "UPDATE users SET disabled = ? WHERE name = ?", arguments: [isDisabled ? now.stored : nil, name])
      }
      if isDisabled { try endSessions(of: name, keeping: nil, database) }
      try record(
        AuditEntry(
          at: now, source, action: isDisabled ? "user.disable" : "user.enable", object: "users/\(name)",
          before: before.json, after: try require(user: name, database).json), database)
    }
  }

  /// Removes a user with its sessions and tokens. The audit log keeps the name; see ``erase(user:by:now:)``.
  ///
  /// - Throws: ``AccessError``: `unknown_user`, `last_administrator`.
  public func removeUser(_ name: String, by source: AuditSource, now: Timestamp) throws(AccessError) {
    try write { database in
      let before = try require(user: name, database)
      try remove(name, database)
      try record(
        AuditEntry(at: now, source, action: "user.remove", object: "users/\(name)", before: before.json), database)
    }
  }

  /// The groups of users, with how many members each has.
  public func groups() throws(AccessError) -> [(name: String, members: Int)] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT group_name, count(*) AS members FROM memberships GROUP BY group_name ORDER BY group_name"
      ).map { ($0["group_name"] ?? "", $0["members"] ?? 0) }
    }
  }

  /// The groups of each user who is in one, for the rights on objects that have an owner.
  public func memberships() throws(AccessError) -> [String: Set<String>] {
    try read { database in
      var groups: [String: Set<String>] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT user, group_name FROM memberships") {
        groups[row["user"] ?? "", default: []].insert(row["group_name"] ?? "")
      }
      return groups
    }
  }

  /// The groups of a user; none if the user does not exist.
  public func groups(of user: String) throws(AccessError) -> Set<String> {
    try read { database in
      Set(try String.fetchAll(database, sql: "SELECT group_name FROM memberships WHERE user = ?", arguments: [user]))
    }
  }

  /// The actor of a user, as it is now: for actors that another way of signing in has checked.
  ///
  /// - Throws: ``AccessError``: `unknown_user`, `sign_in_refused` if the user is disabled.
  public func actor(user name: String, origin: Actor.Origin) throws(AccessError) -> Actor {
    try read { try actor(of: name, origin: origin, $0) }
  }

  /// Who may do what; disabled users are left out.
  public func overview() throws(AccessError) -> [AccessOverview.Row] {
    let actors = try read { database in
      try String.fetchAll(database, sql: "SELECT name FROM users WHERE disabled IS NULL ORDER BY name")
        .map { try actor(of: $0, origin: .session, database) }
    }
    return AccessOverview.rows(actors)
  }

  // MARK: - Inside a transaction

  func exists(_ name: String, _ database: Database) throws -> Bool {
    try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM users WHERE name = ?)", arguments: [name]) == true
  }

  func require(user name: String, _ database: Database) throws -> AccessUser {
    guard let row = try Row.fetchOne(database, sql: "SELECT * FROM users WHERE name = ?", arguments: [name]) else {
      throw AccessError(
        .unknownUser, "no user '\(name)'; 'sous users' lists them",
        de: "kein Benutzer '\(name)'; 'sous users' zählt sie auf")
    }
    return try user(row, database)
  }

  func user(_ row: Row, _ database: Database) throws -> AccessUser {
    let name: String = row["name"] ?? ""
    var identity: AccessUser.Identity?
    if let issuer: String = row["issuer"], let subject: String = row["subject"] {
      identity = AccessUser.Identity(issuer: issuer, subject: subject)
    }
    return AccessUser(
      name: name, fullName: row["full_name"] ?? "",
      language: (row["language"] as String?).flatMap(Language.init(rawValue:)),
      created: Timestamp(stored: row["created"] ?? 0),
      disabled: (row["disabled"] as Int64?).map(Timestamp.init(stored:)),
      groups: try String.fetchAll(
        database, sql: "SELECT group_name FROM memberships WHERE user = ? ORDER BY group_name", arguments: [name]),
      roles: try String.fetchAll(
        database, sql: "SELECT role FROM user_roles WHERE user = ? ORDER BY role", arguments: [name]),
      hasPassword: (row["password"] as String?) != nil, identity: identity)
  }

  /// The actor of an enabled user.
  func actor(
    of name: String, origin: Actor.Origin, scopes: [String] = [], _ database: Database
  ) throws -> Actor {
    let user = try require(user: name, database)
    guard user.disabled == nil else { throw Self.refused }
    let roles = try roles(database)
    // A scope whose role was removed since grants nothing; it does not open the token.
    let limits = scopes.isEmpty ? nil : scopes.compactMap { try? TokenScope($0, roles: roles) }
    return Actor(
      user: name, fullName: user.fullName, groups: Set(user.groups),
      roles: roles.filter { user.roles.contains($0.name) }, language: user.language, origin: origin, limits: limits)
  }

  /// Removes a user and all rows that belong to it.
  func remove(_ name: String, _ database: Database) throws {
    try keepingAdministrator(database) {
      try database.execute(sql: "DELETE FROM users WHERE name = ?", arguments: [name])
    }
    try database.execute(sql: "DELETE FROM requests WHERE actor = ?", arguments: [name])
    try clearFailures(of: name, database)
  }

  /// Makes a change, and refuses it if no enabled administrator is left.
  private func keepingAdministrator(_ database: Database, _ change: () throws -> Void) throws {
    let hadOne = try hasAdministrator(database)
    try change()
    guard try !hadOne || hasAdministrator(database) else {
      throw AccessError(
        .lastAdministrator, "this is the last administrator; make another user one first",
        de: "das ist der letzte Benutzer mit der Rolle administrator; die Rolle erst einem anderen geben")
    }
  }

  private func hasAdministrator(_ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM users JOIN user_roles ON user_roles.user = users.name
          WHERE users.disabled IS NULL AND user_roles.role = ?)
        """, arguments: [AccessRole.administrator.name]) == true
  }

  private func set(groups: Set<String>, of name: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM memberships WHERE user = ?", arguments: [name])
    for group in groups.sorted() {
      try database.execute(sql: "INSERT INTO memberships (user, group_name) VALUES (?, ?)", arguments: [name, group])
    }
  }

  private func set(roles: Set<String>, of name: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM user_roles WHERE user = ?", arguments: [name])
    for role in roles.sorted() {
      try database.execute(sql: "INSERT INTO user_roles (user, role) VALUES (?, ?)", arguments: [name, role])
    }
  }

  private func check(roles names: Set<String>, _ database: Database) throws {
    let known = try roles(database)
    for name in names.sorted() where !known.contains(where: { $0.name == name }) { throw Self.unknownRole(name, known) }
  }

  private func checkFree(_ identity: AccessUser.Identity?, for name: String, _ database: Database) throws {
    guard let identity else { return }
    guard !identity.issuer.isEmpty, !identity.subject.isEmpty, identity.issuer.utf8.count <= 1024,
      identity.subject.utf8.count <= 1024
    else {
      throw AccessError(
        .invalidInput, "an external identity has an issuer and a subject of at most 1024 bytes",
        de: "eine externe Identität hat Aussteller und Kennung von höchstens 1024 Bytes")
    }
    let other = try String.fetchOne(
      database, sql: "SELECT name FROM users WHERE issuer = ? AND subject = ? AND name <> ?",
      arguments: [identity.issuer, identity.subject, name])
    if let other {
      throw AccessError(
        .userExists, "the user '\(other)' has this external identity",
        de: "der Benutzer '\(other)' hat diese externe Identität")
    }
  }

  static func check(name: String) throws(AccessError) {
    guard AccessName.isValid(name) else {
      throw AccessError(
        .invalidInput,
        "'\(name)' is not a user name: 1 to 64 lower case letters, digits, '.', '-', '_' or '@', the first a letter or digit",
        de: "'\(name)' ist kein Benutzername: 1 bis 64 Kleinbuchstaben, Ziffern, '.', '-', '_' oder '@', am Anfang ein "
          + "Buchstabe oder eine Ziffer")
    }
    guard !name.hasPrefix("erased-") else {
      throw AccessError(
        .invalidInput, "names that begin with 'erased-' are those of erased users in the audit log",
        de: "Namen, die mit 'erased-' beginnen, haben gelöschte Benutzer im Audit-Protokoll")
    }
  }

  private static func check(fullName: String, groups: Set<String>) throws(AccessError) {
    let isPlain = !fullName.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    guard fullName.utf8.count <= 400, isPlain else {
      throw AccessError(
        .invalidInput, "a full name is one line of at most 400 bytes",
        de: "ein voller Name ist eine Zeile von höchstens 400 Bytes")
    }
    for group in groups.sorted() where !AccessName.isValid(group) {
      throw AccessError(
        .invalidInput,
        "'\(group)' is not a name of a group: 1 to 64 lower case letters, digits, '.', '-', '_' or '@'",
        de: "'\(group)' ist kein Name einer Gruppe: 1 bis 64 Kleinbuchstaben, Ziffern, '.', '-', '_' oder '@'")
    }
  }
}
