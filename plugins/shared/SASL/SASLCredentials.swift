/// Who signs in, and with what.
public struct SASLCredentials: Sendable {
  /// What proves who it is.
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
  /// Whom to act as, if that is somebody else; empty for the user.
  public var authorizationIdentity: String
  /// Where the connection goes to: OAUTHBEARER tells the server.
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
