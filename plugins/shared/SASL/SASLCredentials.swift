/// Who signs in, and with what.
public struct SASLCredentials: Sendable {
  /// The secret.
  public enum Secret: Sendable {
    /// A password, or an app password.
    case password(String)
    /// An OAuth 2 access token.
    case token(String)
  }

  /// The user name (authentication identity).
  public var user: String
  /// The secret.
  public var secret: Secret
  /// The authorisation identity; empty for the user itself.
  public var authorizationIdentity: String
  /// The host and port of the connection, which OAUTHBEARER sends.
  public var host: String
  /// The port of the connection.
  public var port: Int

  /// Creates credentials.
  public init(user: String, secret: Secret, authorizationIdentity: String = "", host: String = "", port: Int = 0) {
    self.user = user
    self.secret = secret
    self.authorizationIdentity = authorizationIdentity
    self.host = host
    self.port = port
  }

  var isToken: Bool {
    if case .token = secret { true } else { false }
  }
}
