public import RecipeSyntax

/// An account that Sous signs in to by OAuth 2.0 (RFC 6749), as `sous.yaml` lists it under `auth`.
public struct ConfiguredAccount: Sendable, Hashable {
  /// Whose authorization server it is.
  public enum Service: String, Sendable, CaseIterable {
    /// Google; endpoints and scopes for mail are known.
    case google
    /// Microsoft; endpoints and scopes for mail are known.
    case microsoft
    /// Another server, whose issuer or endpoints are configured.
    case custom
  }

  /// The account's name, which settings refer to.
  public var name: String
  /// Where the name stands.
  public var range: SourceRange
  /// Whose server it is.
  public var service = Service.custom
  /// The mail address that must be signed in to; `nil` where any will do.
  public var address: String?
  /// The client's id at the server (RFC 6749, section 2.2).
  public var clientID: String?
  /// The client's secret; `nil` for a public client.
  public var clientSecret: SecretReference?
  /// The scopes to ask for; `nil` for those of the service.
  public var scopes: [String]?
  /// The directory at Microsoft: a domain, an id, `common`, `organizations`, `consumers`.
  public var tenant: String?
  /// The issuer whose endpoints are looked up (RFC 8414, OpenID Connect Discovery 1.0).
  public var issuer: String?
  /// The endpoints that are written down, by their names in RFC 8414: `token_endpoint`.
  public var endpoints: [String: String] = [:]
  /// The port of the loopback redirect, for a server that wants to know it; `nil` for a free one (RFC 8252, section 7.3).
  public var redirectPort: Int?
  /// Whom connections to the server trust.
  public var trust = ConfiguredProvider.Trust()

  /// The names of endpoints, as RFC 8414, RFC 8628 and OpenID Connect Discovery have them.
  public static let endpointNames = [
    "authorization_endpoint", "token_endpoint", "device_authorization_endpoint", "userinfo_endpoint",
    "revocation_endpoint",
  ]

  /// The most characters of a name, so that it fits into the name of a secret.
  public static let longestName = 100

  /// Creates an account of which only the name is known.
  public init(name: String, range: SourceRange) {
    self.name = name
    self.range = range
  }

  /// Whether a text can be an account's name: letters, digits, `_`, `-` and `.`, a letter, digit or `_` at the front.
  public static func isName(_ text: String) -> Bool {
    let bytes = text.utf8
    return bytes.count <= longestName && bytes.first?.isNameByte == true
      && bytes.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }
}
