internal import Hashing

/// The secret of a session, a token or a device: 32 random bytes. Only its SHA-256 is stored.
enum SignInSecret {
  /// The beginning of each API token.
  static let tokenPrefix = "sous_"

  /// A new secret of 43 characters.
  static func make() throws(AccessError) -> String { Base64.webText(try RandomBytes.make(32)) }

  /// The hash that is stored; `nil` if the text cannot be a secret.
  static func hash(_ secret: some StringProtocol) -> String? {
    Base64.isWebTextOf32(secret) ? ContentHash.hexadecimal(of: Array(secret.utf8)) : nil
  }

  /// The hash of an API token; `nil` if the text cannot be one.
  static func hash(token: String) -> String? {
    token.hasPrefix(tokenPrefix) ? hash(token.dropFirst(tokenPrefix.count)) : nil
  }
}

/// The token against requests from foreign pages (CSRF), which belongs to one session.
public enum RequestForgery {
  /// The token of a session, which its pages send back with each change.
  public static func token(session secret: String) -> String {
    Base64.webText(MessageAuthentication.code(of: Array("sous csrf".utf8), key: Array(secret.utf8)))
  }

  /// Whether a token belongs to a session. The time does not depend on the place of a difference.
  public static func isValid(_ token: String, session secret: String) -> Bool {
    MessageAuthentication.areEqual(Array(token.utf8), Array(self.token(session: secret).utf8))
  }
}
