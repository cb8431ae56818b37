public import Localization

/// Why something about users, roles or sign-in was refused. Nothing was changed.
///
/// No text contains a password, a token or a code.
public struct AccessError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No user has this name.
    public static let unknownUser = Code(rawValue: "unknown_user")
    /// Another user has this name or this external identity.
    public static let userExists = Code(rawValue: "user_exists")
    /// No role has this name.
    public static let unknownRole = Code(rawValue: "unknown_role")
    /// Another role has this name.
    public static let roleExists = Code(rawValue: "role_exists")
    /// Users or tokens have the role.
    public static let roleInUse = Code(rawValue: "role_in_use")
    /// A name, a key or another value has a form that cannot be stored.
    public static let invalidInput = Code(rawValue: "invalid_input")
    /// A rule or the scope of a token is malformed, or grants something that no role may grant.
    public static let invalidRule = Code(rawValue: "invalid_rule")
    /// The password is too short, too long or equal to the user name.
    public static let weakPassword = Code(rawValue: "weak_password")
    /// The user name or the password is wrong, or the user is disabled; the error does not say which.
    public static let signInRefused = Code(rawValue: "sign_in_refused")
    /// Too many failures; ``AccessError/retryAfter`` says when the next attempt is possible.
    public static let lockedOut = Code(rawValue: "locked_out")
    /// No session belongs to the secret, or it has ended.
    public static let unknownSession = Code(rawValue: "unknown_session")
    /// No token has this text or id.
    public static let unknownToken = Code(rawValue: "unknown_token")
    /// The token, the session or the code is too old.
    public static let expired = Code(rawValue: "expired")
    /// No request of a device has this code.
    public static let unknownCode = Code(rawValue: "unknown_code")
    /// The actor has no right to do this.
    public static let notAllowed = Code(rawValue: "not_allowed")
    /// The last enabled administrator would be removed, disabled or demoted.
    public static let lastAdministrator = Code(rawValue: "last_administrator")
    /// The file belongs to another program or a newer Sous.
    public static let foreignFile = Code(rawValue: "foreign_file")
    /// The file is damaged.
    public static let damagedFile = Code(rawValue: "damaged_file")
    /// The disk, the database or libcrypto failed.
    public static let failed = Code(rawValue: "io")
  }

  /// The kind of error.
  public var code: Code
  /// The problem and the remedy.
  public var message: LocalizedText
  /// Seconds until the next attempt is possible; only for ``Code/lockedOut``.
  public var retryAfter: Double?

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, retryAfter: Double? = nil) {
    (self.code, self.message, self.retryAfter) = (code, message, retryAfter)
  }

  init(_ code: Code, _ english: String, de german: String) { self.init(code, LocalizedText(english, de: german)) }
}
