public import Expressions
internal import GRDB
internal import Localization

extension AccessStore {
  /// Signs in with a password, and opens a new session.
  ///
  /// Each attempt counts as a failure until it has succeeded, so that attempts at the same time cannot pass the limit
  /// together. A wrong user name takes as long as a wrong password. A hash with a lower cost is renewed.
  ///
  /// - Parameters:
  ///   - address: The address of the client, for its failures and the audit log.
  ///   - former: The secret of the session that the client had before; it ends.
  /// - Throws: ``AccessError``: `locked_out` with ``AccessError/retryAfter``, `sign_in_refused`.
  public func signIn(
    user name: String, password: String, address: String?, former: String? = nil, now: Timestamp
  ) throws(AccessError) -> SignedIn {
    let source = AuditSource(actor: "", origin: "sign-in", address: address)
    let (stored, formerFailures) = try attempt(name, source, now)
    let hash = stored.flatMap { PasswordHash(stored: $0) }
    // A longer password cannot be the right one, and must not cost more time than others.
    let isPossible = password.utf8.count <= PasswordRules.mostBytes
    var isRight = false
    if let hash, isPossible {
      isRight = try hash.matches(password)
    } else {
      try PasswordHash.spendTime(isPossible ? password : "", cost: limits.passwordCost)
    }
    guard isRight, let hash else {
      try write { database in
        // People type passwords into the field of the name: only names of users are written down.
        let isKnown = try exists(name, database)
        try record(
          AuditEntry(
            at: now, source, action: "session.create", object: isKnown ? "users/\(name)" : "users",
            outcome: AccessError.Code.signInRefused.rawValue), database)
      }
      throw Self.refused
    }
    let renewed = hash.isOutdated(limits.passwordCost) ? try PasswordHash(password, cost: limits.passwordCost) : nil
    return try write { database in
      let current = try String.fetchOne(
        database, sql: "SELECT password FROM users WHERE name = ? AND disabled IS NULL", arguments: [name])
      if current != stored {
        // While the hash was computed, the user was disabled, or its password changed or hashed anew.
        guard let hash = current.flatMap({ PasswordHash(stored: $0) }), try hash.matches(password) else {
          throw Self.refused
        }
      } else if let renewed {
        try database.execute(sql: "UPDATE users SET password = ? WHERE name = ?", arguments: [renewed.stored, name])
      }
      try clearFailures(of: name, database)
      if let address { try takeBack(address, now, formerFailures, database) }
      return try open(name, source, former: former, now, database)
    }
  }

  /// Opens a new session for a user whom another service has signed in.
  ///
  /// - Parameter former: The secret of the session that the client had before; it ends.
  /// - Throws: ``AccessError``: `unknown_user`, `sign_in_refused` if the user is disabled.
  public func openSession(
    user name: String, address: String?, former: String? = nil, now: Timestamp
  ) throws(AccessError) -> SignedIn {
    let source = AuditSource(actor: "", origin: "sign-in", address: address)
    return try write { try open(name, source, former: former, now, $0) }
  }

  /// The failures of a user name or an address; `nil` if there are none.
  public func failures(user name: String) throws(AccessError) -> LockOut.Failures? {
    try read { try failures("user", name, $0) }
  }

  /// Forgets the failures of a user name, so that it can sign in at once.
  public func clearFailures(of name: String) throws(AccessError) { try write { try clearFailures(of: name, $0) } }

  // MARK: - Inside a transaction

  static var refused: AccessError {
    AccessError(
      .signInRefused, "the user name or the password is wrong", de: "der Benutzername oder das Passwort ist falsch")
  }

  /// Counts an attempt, unless sign-in is closed.
  ///
  /// - Returns: The stored hash of the password, `nil` if no enabled user with a password has the name; and the failures of
  ///   the address before.
  private func attempt(
    _ name: String, _ source: AuditSource, _ now: Timestamp
  ) throws(AccessError) -> (stored: String?, failures: LockOut.Failures?) {
    // A name that no user can have is not stored.
    let subjects = [AccessName.isValid(name) ? ("user", name) : nil, source.address.map { ("address", $0) }]
      .compactMap(\.self)
    return try write { database in
      try database.execute(
        sql: "DELETE FROM failures WHERE last < ?", arguments: [now.adding(seconds: -LockOut.memory).stored])
      var found: [(kind: String, subject: String, failures: LockOut.Failures?)] = []
      for (kind, subject) in subjects { found.append((kind, subject, try failures(kind, subject, database))) }
      if let wait = found.compactMap({ LockOut.wait($0.failures, now: now) }).max() {
        let seconds = Int(wait.rounded(.up))
        throw AccessError(
          .lockedOut,
          LocalizedText(
            "too many failures; sign-in is possible again in \(seconds) s",
            de: "zu viele Fehlversuche; die Anmeldung ist in \(seconds) s wieder möglich"), retryAfter: wait)
      }
      for (kind, subject, failures) in found {
        let more = LockOut.adding(failures, now: now)
        try database.execute(
          sql: """
            INSERT INTO failures (kind, subject, count, last) VALUES (?, ?, ?, ?)
            ON CONFLICT (kind, subject) DO UPDATE SET count = excluded.count, last = excluded.last
            """, arguments: [kind, subject, more.count, more.last.stored])
      }
      let stored = try String.fetchOne(
        database, sql: "SELECT password FROM users WHERE name = ? AND disabled IS NULL", arguments: [name])
      return (stored, found.first { $0.kind == "address" }?.failures)
    }
  }

  /// Takes back that an attempt of an address was counted. Its pause goes on from the failure before.
  private func takeBack(
    _ address: String, _ now: Timestamp, _ former: LockOut.Failures?, _ database: Database
  ) throws {
    try database.execute(
      sql: """
        UPDATE failures SET count = count - 1, last = CASE WHEN last = ? THEN ? ELSE last END
        WHERE kind = 'address' AND subject = ?
        """, arguments: [now.stored, (former?.last ?? now).stored, address])
    try database.execute(sql: "DELETE FROM failures WHERE count < 1")
  }

  private func failures(_ kind: String, _ subject: String, _ database: Database) throws -> LockOut.Failures? {
    try Row.fetchOne(
      database, sql: "SELECT count, last FROM failures WHERE kind = ? AND subject = ?", arguments: [kind, subject]
    ).map { LockOut.Failures(count: $0["count"] ?? 0, last: Timestamp(stored: $0["last"] ?? 0)) }
  }

  func clearFailures(of name: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM failures WHERE kind = 'user' AND subject = ?", arguments: [name])
  }

  private func open(
    _ name: String, _ source: AuditSource, former: String?, _ now: Timestamp, _ database: Database
  ) throws -> SignedIn {
    let actor = try actor(of: name, origin: .session, database)
    if let hash = former.flatMap({ SignInSecret.hash($0) }) {
      try database.execute(sql: "DELETE FROM sessions WHERE hash = ?", arguments: [hash])
    }
    try removeOldSessions(now, database)
    let secret = try SignInSecret.make()
    let session = AccessSession(
      id: try RandomBytes.name(), user: name, address: source.address, created: now, lastUsed: now)
    try database.execute(
      sql: "INSERT INTO sessions (id, user, hash, address, created, last_used) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [session.id, name, SignInSecret.hash(secret), source.address, now.stored, now.stored])
    var source = source
    source.actor = name
    try record(AuditEntry(at: now, source, action: "session.create", object: "users/\(name)"), database)
    return SignedIn(secret: secret, session: session, actor: actor)
  }
}
