import Expressions

/// Tokens that a server has given (RFC 6749, section 5.1).
struct TokenGrant: Sendable {
  /// The access token: printable ASCII without blanks (RFC 6750, section 2.1).
  var accessToken: String
  /// The new refresh token; `nil` if the old one stays.
  var refreshToken: String?
  /// The seconds it lives.
  var lifetime: Int64
  /// The scopes that were granted; `nil` if they are those that were asked for.
  var scopes: [String]?
  /// The identity token, undecoded.
  var identityToken: String?

  /// The assumed lifetime of a token if the server sends none.
  static let usualLifetime: Int64 = 3600

  /// Reads the answer of a token endpoint.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - secrets: Texts that must not appear in an error.
  /// - Throws: ``OAuthError``: the error of the server, or ``OAuthError/Code/invalidResponse``.
  init(_ answer: HTTPAnswer, hiding secrets: [String]) throws(OAuthError) {
    if let failure = ServerFailure(answer) { throw failure.error(hiding: secrets) }
    guard let object = answer.object else {
      throw .invalidResponse("it is not a JSON object", de: "sie ist kein JSON-Objekt")
    }
    guard let token = object["access_token"]?.stringValue, Self.isToken(token) else {
      throw .invalidResponse("it has no usable access_token", de: "sie enthält kein brauchbares access_token")
    }
    if let type = object["token_type"]?.stringValue, type.lowercased() != "bearer" {
      throw .invalidResponse("its token_type is not Bearer", de: "ihr token_type ist nicht Bearer")
    }
    accessToken = token
    if let refresh = object["refresh_token"], !refresh.isNull {
      guard let text = refresh.stringValue, Self.isToken(text) else {
        throw .invalidResponse("its refresh_token is not usable", de: "ihr refresh_token ist nicht brauchbar")
      }
      refreshToken = text
    }
    // A number, though some send it as a text.
    let said = object["expires_in"]
    let seconds = said?.doubleValue ?? said?.stringValue.flatMap(Double.init) ?? Double(Self.usualLifetime)
    lifetime = seconds.isFinite ? Int64(min(max(seconds, 0), 315_360_000)) : Self.usualLifetime
    scopes = object["scope"]?.stringValue.map { $0.split(separator: " ").prefix(64).map(String.init) }
    identityToken = object["id_token"]?.stringValue
  }

  /// Whether a text can be a token: it goes into header fields and into the login of a mail server.
  static func isToken(_ text: String) -> Bool {
    (1...(16 << 10)).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}
