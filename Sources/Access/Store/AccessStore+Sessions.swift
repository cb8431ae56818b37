public import Expressions
internal import GRDB

extension AccessStore {
  /// The actor of a session. Notes that the session is used, at most once a minute.
  ///
  /// - Parameters:
  ///   - secret: The secret of the session, from the client's cookie.
  ///   - isUse: Whether the client uses the session now. `false` to read the rights again while an earlier request goes on: an
  ///     open stream keeps no session alive.
  /// - Throws: ``AccessError``: `unknown_session`, `expired`, `sign_in_refused` if the user is disabled, `io` after ``close()``.
  public func actor(session secret: String, isUse: Bool = true, now: Timestamp) throws(AccessError) -> (
    actor: Actor, session: AccessSession
  ) {
    guard let hash = SignInSecret.hash(secret) else { throw Self.unknownSession }
    let (actor, session) = try read { database -> (Actor, AccessSession) in
      guard let row = try Row.fetchOne(database, sql: "SELECT * FROM sessions WHERE hash = ?", arguments: [hash]) else {
        throw Self.unknownSession
      }
      let session = Self.session(row)
      guard !isOver(session, now) else {
        throw AccessError(
          .expired, "the session has ended; sign in again", de: "die Sitzung ist abgelaufen; bitte neu anmelden")
      }
      return (try self.actor(of: session.user, origin: .session, database), session)
    }
    if isUse, now.seconds(since: session.lastUsed) >= limits.useInterval {
      try write { database in
        try database.execute(
          sql: "UPDATE sessions SET last_used = ? WHERE id = ? AND last_used < ?",
          arguments: [now.stored, session.id, now.stored])
      }
    }
    return (actor, session)
  }

  /// The sessions that have not ended, the last used first.
  ///
  /// - Parameter user: Those of this user alone.
  public func sessions(user: String? = nil, now: Timestamp) throws(AccessError) -> [AccessSession] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM sessions WHERE ?1 IS NULL OR user = ?1 ORDER BY last_used DESC, id",
        arguments: [user]
      ).map(Self.session).filter { !isOver($0, now) }
    }
  }

  /// Signs out: ends the session of a secret. A session that does not exist is not an error.
  public func signOut(_ secret: String, address: String?, now: Timestamp) throws(AccessError) {
    guard let hash = SignInSecret.hash(secret) else { return }
    try write { database in
      guard let row = try Row.fetchOne(database, sql: "SELECT * FROM sessions WHERE hash = ?", arguments: [hash]) else {
        return
      }
      let session = Self.session(row)
      try database.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [session.id])
      try record(
        AuditEntry(
          at: now, AuditSource(actor: session.user, origin: "session", address: address), action: "session.delete",
          object: "sessions/\(session.id)"), database)
    }
  }

  /// Ends one session.
  ///
  /// - Throws: ``AccessError``: `unknown_session`.
  public func endSession(_ id: String, by source: AuditSource, now: Timestamp) throws(AccessError) {
    try write { database in
      try database.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [id])
      guard database.changesCount > 0 else { throw Self.unknownSession }
      try record(AuditEntry(at: now, source, action: "session.delete", object: "sessions/\(id)"), database)
    }
  }

  /// Ends the sessions of a user.
  ///
  /// - Parameter kept: The id of the session that goes on.
  /// - Returns: How many have ended.
  /// - Throws: ``AccessError``: `unknown_user`.
  @discardableResult
  public func endSessions(
    of name: String, keeping kept: String? = nil, by source: AuditSource, now: Timestamp
  ) throws(AccessError) -> Int {
    try write { database in
      _ = try require(user: name, database)
      let count = try endSessions(of: name, keeping: kept, database)
      try record(AuditEntry(at: now, source, action: "session.delete", object: "users/\(name)"), database)
      return count
    }
  }

  // MARK: - Inside a transaction

  @discardableResult
  func endSessions(of name: String, keeping kept: String?, _ database: Database) throws -> Int {
    try database.execute(
      sql: "DELETE FROM sessions WHERE user = ? AND id <> ?", arguments: [name, kept ?? ""])
    return database.changesCount
  }

  func removeOldSessions(_ now: Timestamp, _ database: Database) throws {
    try database.execute(
      sql: "DELETE FROM sessions WHERE created <= ? OR last_used <= ?",
      arguments: [
        now.adding(seconds: -limits.sessionAge).stored, now.adding(seconds: -limits.sessionIdle).stored,
      ])
  }

  private func isOver(_ session: AccessSession, _ now: Timestamp) -> Bool {
    now.seconds(since: session.created) >= limits.sessionAge
      || now.seconds(since: session.lastUsed) >= limits.sessionIdle
  }

  static func session(_ row: Row) -> AccessSession {
    AccessSession(
      id: row["id"] ?? "", user: row["user"] ?? "", address: row["address"],
      created: Timestamp(stored: row["created"] ?? 0), lastUsed: Timestamp(stored: row["last_used"] ?? 0))
  }

  private static var unknownSession: AccessError {
    AccessError(.unknownSession, "the session has ended; sign in", de: "die Sitzung ist beendet; bitte anmelden")
  }
}
