public import Expressions

/// An API token as it is stored, without its text.
public struct AccessToken: Sendable, Hashable {
  /// The id.
  public let id: String
  /// The purpose, for people.
  public let name: String
  /// The user whose rights it has.
  public let user: String
  /// Names of roles and words such as `runs:create`; empty: all rights of the user.
  public let scopes: [String]
  /// When it was made.
  public let created: Timestamp
  /// When it expires; `nil`: never.
  public let expires: Timestamp?
  /// The last use, to the minute; `nil` if it was never used.
  public let lastUsed: Timestamp?

  /// Whether it has expired.
  public func isExpired(_ now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

  /// The token for programs.
  public var json: Value {
    [
      "id": .string(id), "name": .string(name), "user": .string(user), "scopes": .list(scopes.map { .string($0) }),
      "created": .string(created.rfc3339), "expires": expires.map { .string($0.rfc3339) } ?? .null,
      "last_used": lastUsed.map { .string($0.rfc3339) } ?? .null,
    ]
  }
}
