public import Expressions
internal import GRDB

extension AccessStore {
  /// Makes a token.
  ///
  /// - Parameters:
  ///   - name: The purpose, for people: one line.
  ///   - user: The user whose rights it has.
  ///   - scopes: Names of roles and words such as `runs:create`; empty: all rights of the user.
  ///   - expires: When it expires; `nil`: never.
  /// - Returns: The text of the token, which is not stored and not shown again.
  /// - Throws: ``AccessError``: `unknown_user`, `unknown_role`, `invalid_rule`, `invalid_input`.
  public func addToken(
    name: String, user: String, scopes: [String] = [], expires: Timestamp? = nil, by source: AuditSource, now: Timestamp
  ) throws(AccessError) -> (text: String, token: AccessToken) {
    try Self.check(tokenName: name)
    guard expires.map({ $0 > now }) ?? true else {
      throw AccessError(.invalidInput, "the token would expire at once", de: "das Token wäre sofort abgelaufen")
    }
    return try write { try addToken(name: name, user: user, scopes: scopes, expires: expires, source, now, $0) }
  }

  /// The tokens, the newest first.
  ///
  /// - Parameter user: Those of this user alone.
  public func tokens(user: String? = nil) throws(AccessError) -> [AccessToken] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM tokens WHERE ?1 IS NULL OR user = ?1 ORDER BY created DESC, id", arguments: [user]
      ).map(Self.token)
    }
  }

  /// The actor of a token. Notes that the token is used, at most once a minute.
  ///
  /// - Parameter isUse: Whether the client uses the token now. `false` to read the rights again while an earlier request goes
  ///   on.
  /// - Throws: ``AccessError``: `unknown_token`, `expired`, `sign_in_refused` if the user is disabled, `io` after ``close()``.
  public func actor(token text: String, isUse: Bool = true, now: Timestamp) throws(AccessError) -> Actor {
    guard let hash = SignInSecret.hash(token: text) else { throw Self.unknownToken }
    let (actor, token) = try read { database -> (Actor, AccessToken) in
      guard let row = try Row.fetchOne(database, sql: "SELECT * FROM tokens WHERE hash = ?", arguments: [hash]) else {
        throw Self.unknownToken
      }
      let token = Self.token(row)
      guard !token.isExpired(now) else {
        throw AccessError(
          .expired, "the token '\(token.name)' has expired; make a new one: sous tokens add",
          de: "das Token '\(token.name)' ist abgelaufen; ein neues anlegen: sous tokens add")
      }
      return (try self.actor(of: token.user, origin: .token(token.id), scopes: token.scopes, database), token)
    }
    if isUse, token.lastUsed.map({ now.seconds(since: $0) >= limits.useInterval }) ?? true {
      try write { database in
        try database.execute(
          sql: "UPDATE tokens SET last_used = ?1 WHERE id = ?2 AND (last_used IS NULL OR last_used < ?1)",
          arguments: [now.stored, token.id])
      }
    }
    return actor
  }

  /// Removes a token, which is refused from then on.
  ///
  /// - Parameter reference: Its id, or its name if no other token has it.
  /// - Returns: The removed token.
  /// - Throws: ``AccessError``: `unknown_token`, `invalid_input` if several tokens have the name.
  @discardableResult
  public func removeToken(_ reference: String, by source: AuditSource, now: Timestamp) throws(AccessError)
    -> AccessToken
  {
    try write { database in
      let found = try Row.fetchAll(
        database, sql: "SELECT * FROM tokens WHERE id = ?1 OR name = ?1 ORDER BY id <> ?1, created",
        arguments: [reference]
      ).map(Self.token)
      guard let token = found.first else {
        throw AccessError(
          .unknownToken, "no token '\(reference)'; 'sous tokens' lists them",
          de: "kein Token '\(reference)'; 'sous tokens' zählt sie auf")
      }
      guard found.count == 1 || token.id == reference else {
        let ids = found.map(\.id).joined(separator: ", ")
        throw AccessError(
          .invalidInput, "several tokens have the name '\(reference)'; remove one by its id: \(ids)",
          de: "mehrere Tokens heißen '\(reference)'; eines mit seiner ID entfernen: \(ids)")
      }
      try database.execute(sql: "DELETE FROM tokens WHERE id = ?", arguments: [token.id])
      try record(
        AuditEntry(at: now, source, action: "token.remove", object: "tokens/\(token.id)", before: token.json), database)
      return token
    }
  }

  // MARK: - Inside a transaction

  func addToken(
    name: String, user: String, scopes: [String], expires: Timestamp?, _ source: AuditSource, _ now: Timestamp,
    _ database: Database
  ) throws -> (text: String, token: AccessToken) {
    _ = try require(user: user, database)
    var distinct: [String] = []
    for scope in scopes where !distinct.contains(scope) { distinct.append(scope) }
    let roles = try roles(database)
    for scope in distinct { _ = try TokenScope(scope, roles: roles) }
    let secret = try SignInSecret.make()
    let token = AccessToken(
      id: try RandomBytes.name(), name: name, user: user, scopes: distinct, created: now, expires: expires,
      lastUsed: nil)
    try database.execute(
      sql: "INSERT INTO tokens (id, name, user, hash, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        token.id, name, user, SignInSecret.hash(secret), distinct.joined(separator: "\n"), now.stored, expires?.stored,
      ])
    try record(
      AuditEntry(at: now, source, action: "token.add", object: "tokens/\(token.id)", after: token.json), database)
    return (SignInSecret.tokenPrefix + secret, token)
  }

  static func token(_ row: Row) -> AccessToken {
    AccessToken(
      id: row["id"] ?? "", name: row["name"] ?? "", user: row["user"] ?? "",
      scopes: (row["scopes"] as String? ?? "").split(separator: "\n").map(String.init),
      created: Timestamp(stored: row["created"] ?? 0), expires: (row["expires"] as Int64?).map(Timestamp.init(stored:)),
      lastUsed: (row["last_used"] as Int64?).map(Timestamp.init(stored:)))
  }

  static func check(tokenName name: String) throws(AccessError) {
    let isPlain = !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    guard !name.isEmpty, name.utf8.count <= 200, isPlain else {
      throw AccessError(
        .invalidInput, "a token has a name of one line, at most 200 bytes",
        de: "ein Token hat einen Namen von einer Zeile, höchstens 200 Bytes")
    }
  }

  private static var unknownToken: AccessError {
    AccessError(
      .unknownToken, "the token is wrong, or it was removed", de: "das Token ist falsch, oder es wurde entfernt")
  }
}
