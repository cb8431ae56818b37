import Expressions
import Localization

/// The endpoints of an authorization server, and how it wants to be spoken to.
public struct AuthorizationServer: Sendable, Hashable {
  /// How a client with a secret names itself (RFC 6749, section 2.3.1).
  public enum ClientAuthentication: String, Sendable {
    /// In the header `Authorization`.
    case basic
    /// In the body.
    case post
  }

  /// Who issues the tokens; `nil` if that is not known, or differs from account to account.
  public var issuer: String?
  /// Where the browser is sent.
  public var authorization: String?
  /// Where codes and refresh tokens are exchanged.
  public var token: String?
  /// Where a sign-in on another device begins (RFC 8628).
  public var deviceAuthorization: String?
  /// The endpoint that says whose token it is (OpenID Connect Core 1.0, section 5.3).
  public var userInfo: String?
  /// Where tokens are revoked (RFC 7009).
  public var revocation: String?
  /// The keys that sign identity tokens (OpenID Connect Discovery 1.0, section 3).
  public var keys: String?
  /// How a client with a secret names itself.
  public var clientAuthentication = ClientAuthentication.basic
  /// The scopes that the server says it has; `nil` if it does not say.
  public var scopesSupported: [String]?
  /// Whether the server announces that each of its answers contains `iss` (RFC 9207). An answer without it is then refused.
  public var namesItself = false
  /// Further parameters of the URL for the browser.
  public var parameters: [String: String] = [:]
  /// The host of the loopback redirect: an address, but for a server that takes only the name.
  public var redirectHost = "127.0.0.1"
  /// URLs from the configuration; their hosts may have private addresses.
  public var configuredURLs: [String] = []

  /// Creates a server without endpoints.
  public init() {}

  /// Google's.
  public static let google: AuthorizationServer = {
    var server = AuthorizationServer()
    server.issuer = "https://accounts.google.com"
    server.authorization = "https://accounts.google.com/o/oauth2/v2/auth"
    server.token = "https://oauth2.googleapis.com/token"
    server.deviceAuthorization = "https://oauth2.googleapis.com/device/code"
    server.userInfo = "https://openidconnect.googleapis.com/v1/userinfo"
    server.revocation = "https://oauth2.googleapis.com/revoke"
    server.clientAuthentication = .post
    // Without these Google gives a refresh token only the first time.
    server.parameters = ["access_type": "offline", "prompt": "consent"]
    return server
  }()

  /// Microsoft's.
  ///
  /// - Parameter tenant: The directory: a domain, an id, `common`, `organizations` or `consumers`.
  public static func microsoft(tenant: String = "common") -> AuthorizationServer {
    let base = "https://login.microsoftonline.com/" + FormBody.escaped(tenant) + "/oauth2/v2.0/"
    var server = AuthorizationServer()
    server.authorization = base + "authorize"
    server.token = base + "token"
    server.deviceAuthorization = base + "devicecode"
    server.clientAuthentication = .post
    server.parameters = ["prompt": "select_account"]
    // It ignores the port of `http://localhost` only.
    server.redirectHost = "localhost"
    return server
  }

  /// The redirect for a port (RFC 8252, section 7.3).
  func redirect(port: Int) -> String {
    redirectHost == "localhost" ? "http://localhost:\(port)" : "http://\(redirectHost):\(port)/"
  }

  /// The hosts of endpoints that are not configured.
  var foundHosts: [String] {
    endpoints.map(\.url).filter { !configuredURLs.contains($0) }.compactMap { Self.authority($0) }
  }

  var endpoints: [(name: String, url: String)] {
    let all = [
      ("authorization_endpoint", authorization), ("token_endpoint", token),
      ("device_authorization_endpoint", deviceAuthorization), ("userinfo_endpoint", userInfo),
      ("revocation_endpoint", revocation), ("jwks_uri", keys), ("issuer", issuer),
    ]
    return all.compactMap { name, url in url.map { (name, $0) } }
  }

  /// Refuses what would send secrets in plain text over a network.
  func checkSchemes() throws(OAuthError) {
    for (name, url) in endpoints where !Self.isSafe(url) {
      throw OAuthError(
        .configuration,
        LocalizedText(
          "'\(name)' must be an https URL (http is for 127.0.0.1 alone)",
          de: "'\(name)' muss eine https-URL sein (http geht nur für 127.0.0.1)"))
    }
  }

  private static func isSafe(_ url: String) -> Bool {
    guard url.utf8.count <= 4096, let authority = authority(url), !authority.contains("@") else { return false }
    if url.lowercased().hasPrefix("https://") { return true }
    guard url.lowercased().hasPrefix("http://") else { return false }
    if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
    return ["127.0.0.1", "localhost"].contains(authority.prefix { $0 != ":" })
  }

  /// Host and port of a URL.
  static func authority(_ url: String) -> String? {
    guard let range = url.firstRange(of: "://") else { return nil }
    let authority = url[range.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
    return authority.isEmpty ? nil : String(authority)
  }
}

extension AuthorizationServer {
  /// Where an issuer describes its server: OpenID Connect Discovery 1.0, section 4, and RFC 8414, section 3.
  static func descriptions(of issuer: String) -> [String] {
    let issuer = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    var urls = [issuer + "/.well-known/openid-configuration"]
    if let authority = authority(issuer), let range = issuer.firstRange(of: "://" + authority) {
      urls.append(issuer[..<range.upperBound] + "/.well-known/oauth-authorization-server" + issuer[range.upperBound...])
    }
    return urls
  }

  /// Adopts the metadata of a server; configured values stay.
  ///
  /// - Throws: ``OAuthError/Code/invalidResponse`` where it speaks for another issuer (RFC 8414, section 3.3).
  mutating func complete(by description: ValueMap, of issuer: String) throws(OAuthError) {
    func text(_ name: String) -> String? { description[name]?.stringValue }
    func words(_ name: String) -> [String]? { description[name]?.listValue?.prefix(256).compactMap(\.stringValue) }
    func trimmed(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }
    guard let found = text("issuer"), trimmed(found) == trimmed(issuer) else {
      throw .invalidResponse(
        "it describes another issuer than '\(issuer)'", de: "sie beschreibt einen anderen Aussteller als '\(issuer)'")
    }
    self.issuer = found
    authorization = authorization ?? text("authorization_endpoint")
    token = token ?? text("token_endpoint")
    deviceAuthorization = deviceAuthorization ?? text("device_authorization_endpoint")
    userInfo = userInfo ?? text("userinfo_endpoint")
    revocation = revocation ?? text("revocation_endpoint")
    keys = keys ?? text("jwks_uri")
    scopesSupported = words("scopes_supported")
    namesItself = description["authorization_response_iss_parameter_supported"] == .bool(true)
    let methods = words("token_endpoint_auth_methods_supported") ?? ["client_secret_basic"]
    clientAuthentication = methods.contains("client_secret_basic") ? .basic : .post
    // Beside the issuer nothing was configured: a server on a private address names itself.
    if let configured = Self.authority(issuer) {
      for (_, url) in endpoints where Self.authority(url) == configured { configuredURLs.append(url) }
    }
    try checkSchemes()
  }
}
