public import Expressions

/// A session of a signed-in user, as it is stored.
public struct AccessSession: Sendable, Hashable {
  /// The id, which is not the secret.
  public let id: String
  /// The user name.
  public let user: String
  /// The address of the client at sign-in; `nil` if it is not known.
  public let address: String?
  /// When the user signed in.
  public let created: Timestamp
  /// The last use, to the minute.
  public let lastUsed: Timestamp

  /// The session for programs.
  public var json: Value {
    [
      "id": .string(id), "user": .string(user), "address": address.map { .string($0) } ?? .null,
      "created": .string(created.rfc3339), "last_used": .string(lastUsed.rfc3339),
    ]
  }
}

/// The result of signing in.
public struct SignedIn: Sendable {
  /// The secret of the session, for a cookie of the client; it is not stored and not shown again.
  public let secret: String
  /// The session.
  public let session: AccessSession
  /// The user.
  public let actor: Actor

  /// The token that changes have to carry; see ``RequestForgery``.
  public var forgeryToken: String { RequestForgery.token(session: secret) }
}
