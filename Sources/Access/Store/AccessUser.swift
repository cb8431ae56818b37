public import Expressions
public import Localization

/// A user as it is stored, without its password.
public struct AccessUser: Sendable, Hashable {
  /// An account of another service by which a user signs in (OpenID Connect).
  public struct Identity: Sendable, Hashable {
    /// The address of the service.
    public let issuer: String
    /// The id of the account there.
    public let subject: String

    /// Creates an identity.
    public init(issuer: String, subject: String) { (self.issuer, self.subject) = (issuer, subject) }
  }

  /// The name: lower case letters, digits, `.`, `-`, `_` and `@`.
  public let name: String
  /// The name for people; may be empty.
  public var fullName: String
  /// The language; `nil` if none was chosen.
  public var language: Language?
  /// When the user was added.
  public let created: Timestamp
  /// Since when the user is disabled; `nil` if it is not.
  public let disabled: Timestamp?
  /// The names of its groups, sorted.
  public var groups: [String]
  /// The names of its roles, sorted.
  public var roles: [String]
  /// Whether it can sign in with a password.
  public let hasPassword: Bool
  /// The account of another service.
  public let identity: Identity?

  /// The user for programs.
  public var json: Value {
    [
      "name": .string(name), "full_name": .string(fullName),
      "language": language.map { .string($0.rawValue) } ?? .null, "created": .string(created.rfc3339),
      "disabled": disabled.map { .string($0.rfc3339) } ?? .null, "groups": .list(groups.map { .string($0) }),
      "roles": .list(roles.map { .string($0) }), "password": .bool(hasPassword),
      "identity": identity.map { ["issuer": .string($0.issuer), "subject": .string($0.subject)] } ?? .null,
    ]
  }
}

/// A new user.
public struct UserDraft: Sendable {
  /// The name.
  public var name: String
  /// The name for people.
  public var fullName: String
  /// The password; `nil` for a user who signs in elsewhere.
  public var password: String?
  /// The language.
  public var language: Language?
  /// The names of its groups.
  public var groups: Set<String>
  /// The names of its roles; the first user gets `administrator` if this is empty.
  public var roles: Set<String>
  /// The account of another service.
  public var identity: AccessUser.Identity?

  /// Creates a draft.
  public init(
    name: String, fullName: String = "", password: String? = nil, language: Language? = nil, groups: Set<String> = [],
    roles: Set<String> = [], identity: AccessUser.Identity? = nil
  ) {
    (self.name, self.fullName, self.password, self.language) = (name, fullName, password, language)
    (self.groups, self.roles, self.identity) = (groups, roles, identity)
  }
}

/// Changes of a user; `nil` leaves a value as it is.
public struct UserChange: Sendable {
  /// The name for people.
  public var fullName: String?
  /// The language; `.some(nil)` removes it.
  public var language: Language??
  /// The names of its groups.
  public var groups: Set<String>?
  /// The names of its roles.
  public var roles: Set<String>?
  /// The account of another service; `.some(nil)` removes it.
  public var identity: AccessUser.Identity??

  /// Creates a change.
  public init(
    fullName: String? = nil, language: Language?? = nil, groups: Set<String>? = nil, roles: Set<String>? = nil,
    identity: AccessUser.Identity?? = nil
  ) {
    (self.fullName, self.language, self.groups) = (fullName, language, groups)
    (self.roles, self.identity) = (roles, identity)
  }
}
