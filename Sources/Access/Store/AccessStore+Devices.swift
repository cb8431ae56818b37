public import Expressions
internal import GRDB

/// A device that asks to be let in (RFC 8628), as the person who decides sees it.
public struct DeviceRequest: Sendable, Hashable {
  /// The code that the person compares with the one on the device: `WDJB-MJHT`.
  public let userCode: String
  /// How the device calls itself.
  public let client: String
  /// The scopes that it asks for; empty: all rights of the user.
  public let scopes: [String]
  /// When the code expires.
  public let expires: Timestamp
}

/// The codes for a device that asks to be let in.
public struct DeviceCodes: Sendable, Hashable {
  /// The secret of the device; it is not stored and not shown again.
  public let deviceCode: String
  /// The code that a person types.
  public let userCode: String
  /// Seconds until both expire.
  public let expiresIn: Double
  /// Seconds between two questions of the device.
  public let interval: Double
}

/// The answer to a device that asks whether it was let in.
public enum DeviceAnswer: Sendable, Hashable {
  /// No person has decided yet; the device asks again after so many seconds (`authorization_pending`).
  case pending(interval: Double)
  /// The device asks too often; it waits so many seconds from now on (`slow_down`).
  case slowDown(interval: Double)
  /// A person has denied it (`access_denied`).
  case denied
  /// The code has expired, or it has given its token (`expired_token`).
  case expired
  /// The token; it is given once.
  case token(String, AccessToken)
}

extension AccessStore {
  /// Begins to let a device in.
  ///
  /// - Parameters:
  ///   - client: How the device calls itself: one line.
  ///   - scopes: The scopes that it asks for; see ``addToken(name:user:scopes:expires:by:now:)``.
  /// - Throws: ``AccessError``: `invalid_input`, `unknown_role`, `invalid_rule`.
  public func beginDevice(client: String, scopes: [String] = [], now: Timestamp) throws(AccessError) -> DeviceCodes {
    try Self.check(tokenName: client)
    return try write { database in
      let roles = try roles(database)
      for scope in scopes { _ = try TokenScope(scope, roles: roles) }
      // A code may be asked for a little longer than it is valid, so that the device learns that it has expired.
      try database.execute(
        sql: "DELETE FROM device_codes WHERE created < ?",
        arguments: [now.adding(seconds: -2 * limits.deviceAge).stored])
      guard try Int.fetchOne(database, sql: "SELECT count(*) FROM device_codes") ?? 0 < 1000 else {
        throw AccessError(
          .lockedOut, "too many devices ask to be let in; try again later",
          de: "zu viele Geräte bitten um Zugang; später noch einmal versuchen")
      }
      let code = try SignInSecret.make()
      var userCode = try UserCode.make()
      while try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM device_codes WHERE user_code = ?)", arguments: [userCode]) == true
      { userCode = try UserCode.make() }
      try database.execute(
        sql: """
          INSERT INTO device_codes (hash, user_code, client, scopes, created, interval, state)
          VALUES (?, ?, ?, ?, ?, ?, 'waiting')
          """,
        arguments: [
          SignInSecret.hash(code), userCode, client, scopes.joined(separator: "\n"), now.stored, limits.deviceInterval,
        ])
      return DeviceCodes(
        deviceCode: code, userCode: userCode, expiresIn: limits.deviceAge, interval: limits.deviceInterval)
    }
  }

  /// The device that waits with a code, for the person who decides.
  ///
  /// - Throws: ``AccessError``: `unknown_code`, `expired`.
  public func device(userCode: String, now: Timestamp) throws(AccessError) -> DeviceRequest {
    try read { try waiting(userCode, now, $0).request }
  }

  /// Lets a device in, or denies it, for the user of a session.
  ///
  /// - Throws: ``AccessError``: `not_allowed` if the actor is not signed in by a session, `unknown_code`, `expired`.
  public func decideDevice(
    userCode: String, approves: Bool, by actor: Actor, address: String? = nil, now: Timestamp
  ) throws(AccessError) {
    guard actor.origin == .session else {
      throw AccessError(
        .notAllowed, "only a person who is signed in can let a device in",
        de: "nur wer angemeldet ist, kann ein Gerät zulassen")
    }
    try write { database in
      let (hash, request) = try waiting(userCode, now, database)
      _ = try self.actor(of: actor.user, origin: .session, database)
      try database.execute(
        sql: "UPDATE device_codes SET state = ?, user = ? WHERE hash = ?",
        arguments: [approves ? "approved" : "denied", actor.user, hash])
      try record(
        AuditEntry(
          at: now, AuditSource(actor, address: address), action: approves ? "device.approve" : "device.deny",
          object: "users/\(actor.user)",
          after: ["client": .string(request.client), "scopes": .list(request.scopes.map { .string($0) })]), database)
    }
  }

  /// Answers a device that asks whether it was let in. The token is made and given once.
  ///
  /// - Throws: ``AccessError``: `io`.
  public func askDevice(_ deviceCode: String, address: String? = nil, now: Timestamp) throws(AccessError)
    -> DeviceAnswer
  {
    guard let hash = SignInSecret.hash(deviceCode) else { return .expired }
    return try write { database in
      guard let row = try Row.fetchOne(database, sql: "SELECT * FROM device_codes WHERE hash = ?", arguments: [hash])
      else { return .expired }
      let request = request(row)
      let interval: Double = row["interval"] ?? limits.deviceInterval
      if request.expires <= now {
        try remove(device: hash, database)
        return .expired
      }
      switch (row["state"] as String? ?? "", row["user"] as String?) {
      case ("approved", let user?):
        try remove(device: hash, database)
        guard (try? self.actor(of: user, origin: .session, database)) != nil else { return .denied }
        let made = try addToken(
          name: request.client, user: user, scopes: request.scopes,
          expires: now.adding(seconds: limits.deviceTokenAge),
          AuditSource(actor: user, origin: "device", address: address), now, database)
        return .token(made.text, made.token)
      case ("denied", _):
        try remove(device: hash, database)
        return .denied
      default:
        let asked = (row["asked"] as Int64?).map(Timestamp.init(stored:))
        let isTooEarly = asked.map { now.seconds(since: $0) < interval } ?? false
        // RFC 8628, section 3.5: five seconds more for each question that came too early.
        let next = isTooEarly ? interval + 5 : interval
        try database.execute(
          sql: "UPDATE device_codes SET asked = ?, interval = ? WHERE hash = ?", arguments: [now.stored, next, hash])
        return isTooEarly ? .slowDown(interval: next) : .pending(interval: next)
      }
    }
  }

  // MARK: - Inside a transaction

  private func waiting(
    _ userCode: String, _ now: Timestamp, _ database: Database
  ) throws -> (hash: String, request: DeviceRequest) {
    let row = try UserCode.normalized(userCode).flatMap {
      try Row.fetchOne(
        database, sql: "SELECT * FROM device_codes WHERE user_code = ? AND state = 'waiting'", arguments: [$0])
    }
    guard let row else {
      throw AccessError(
        .unknownCode, "no device waits with this code; compare it with the one on the device",
        de: "kein Gerät wartet mit diesem Code; mit dem auf dem Gerät vergleichen")
    }
    let request = request(row)
    guard request.expires > now else {
      throw AccessError(
        .expired, "the code has expired; let the device ask again",
        de: "der Code ist abgelaufen; das Gerät noch einmal fragen lassen")
    }
    return (row["hash"] ?? "", request)
  }

  private func request(_ row: Row) -> DeviceRequest {
    DeviceRequest(
      userCode: row["user_code"] ?? "", client: row["client"] ?? "",
      scopes: (row["scopes"] as String? ?? "").split(separator: "\n").map(String.init),
      expires: Timestamp(stored: row["created"] ?? 0).adding(seconds: limits.deviceAge))
  }

  private func remove(device hash: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM device_codes WHERE hash = ?", arguments: [hash])
  }
}
