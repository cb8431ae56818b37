/// A way to sign in that both sides know, by its registered name.
public enum SASLMechanism: String, Sendable, CaseIterable {
  /// RFC 7677: the password never crosses the line, and the server proves that it knows it.
  case scramSHA256 = "SCRAM-SHA-256"
  /// RFC 5802, as above with the older digest.
  case scramSHA1 = "SCRAM-SHA-1"
  /// RFC 4616: the password as it is.
  case plain = "PLAIN"
  /// draft-murchison-sasl-login: the password as it is, in two questions.
  case login = "LOGIN"
  /// RFC 7628: a bearer token.
  case oauthBearer = "OAUTHBEARER"
  /// Google's and Microsoft's older form of a bearer token.
  case xoauth2 = "XOAUTH2"

  /// Finds a mechanism by its name, in any case.
  ///
  /// - Returns: `nil` for a name that is not known.
  public init?(name: some StringProtocol) { self.init(rawValue: name.uppercased()) }

  /// Whether an eavesdropper learns something that allows a sign-in.
  public var revealsSecret: Bool {
    switch self {
    case .scramSHA256, .scramSHA1: false
    case .plain, .login, .oauthBearer, .xoauth2: true
    }
  }

  /// Whether it works with a token instead of a password.
  public var takesToken: Bool { self == .oauthBearer || self == .xoauth2 }
}
