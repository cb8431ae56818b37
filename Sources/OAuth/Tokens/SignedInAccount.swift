import Expressions
import Localization

/// A signed-in account as the vault stores it: its tokens, and the data to refresh them.
public struct SignedInAccount: Sendable, Equatable {
  /// Why the refresh token is of no use any more.
  public struct Problem: Sendable, Equatable {
    /// The value of `error` in the server's answer.
    public var code: String
    /// The server's words in English.
    public var english: String
    /// The server's words in German.
    public var german: String
  }

  /// The account's name.
  public var name: String
  /// Whose server it is: `google`, `microsoft`, `custom`.
  public var service: String
  /// The mail address that the server told; `nil` if it told none.
  public var address: String?
  /// The scopes that were granted.
  public var scopes: [String]
  /// Where the refresh token came from and goes to, and nowhere else.
  public var tokenEndpoint: String
  /// Where tokens are revoked (RFC 7009).
  public var revocationEndpoint: String?
  /// Whether the endpoints were configured, so that they may have private addresses.
  public var isConfigured: Bool
  /// The client's id.
  public var clientID: String
  /// How the client names itself where it has a secret.
  public var clientAuthentication: AuthorizationServer.ClientAuthentication
  /// The name of the client's secret where `sous.yaml` does not know the account.
  public var clientSecretName: String?
  /// When the access token was given, in seconds since 1970.
  public var obtained: Int64
  /// When it ends, in seconds since 1970.
  public var expires: Int64
  /// When a refresh was begun whose answer is not here yet, in seconds since 1970.
  public var refreshing: Int64?
  /// Before this moment the server does not want to be asked, in seconds since 1970.
  public var notBefore: Int64?
  /// Why a new sign-in is needed.
  public var problem: Problem?
  var accessToken: String
  var refreshToken: String?

  /// The seconds before its end at which an access token is refreshed.
  public static let margin: Int64 = 300
  /// The seconds before its end at which an access token is of no use.
  static let slack: Int64 = 10

  /// Whether the access token can be refreshed.
  public var isRenewable: Bool { refreshToken != nil && problem == nil }

  /// Whether the access token is good for longer than a refresh is begun before its end; one that lives for less than
  /// twice that time is refreshed in the middle of its life.
  public func isFresh(at now: Int64) -> Bool {
    let life = max(0, expires - obtained)
    return now < expires - min(Self.margin, life / 2) && now >= obtained - Self.margin
  }

  /// Whether the access token still works.
  public func isUsable(at now: Int64) -> Bool { now < expires - Self.slack }

  /// The account with the tokens of a grant.
  func granted(_ grant: TokenGrant, at now: Int64) -> SignedInAccount {
    var account = self
    account.accessToken = grant.accessToken
    account.refreshToken = grant.refreshToken ?? refreshToken
    account.scopes = grant.scopes ?? scopes
    account.obtained = now
    account.expires = now + grant.lifetime
    (account.refreshing, account.notBefore, account.problem) = (nil, nil, nil)
    return account
  }
}

extension SignedInAccount {
  private static let version: Int64 = 1

  /// The account as the vault keeps it, a JSON object.
  var json: [UInt8] {
    var map: ValueMap = [
      "version": .int(Self.version), "name": .string(name), "service": .string(service),
      "scopes": .list(scopes.map { .string($0) }), "token_endpoint": .string(tokenEndpoint),
      "configured": .bool(isConfigured), "client_id": .string(clientID),
      "client_authentication": .string(clientAuthentication.rawValue), "obtained": .int(obtained),
      "expires": .int(expires), "access_token": .string(accessToken),
    ]
    let texts = [
      ("address", address), ("revocation_endpoint", revocationEndpoint), ("client_secret", clientSecretName),
      ("refresh_token", refreshToken),
    ]
    for (key, text) in texts { if let text { map[key] = .string(text) } }
    if let refreshing { map["refreshing"] = .int(refreshing) }
    if let notBefore { map["not_before"] = .int(notBefore) }
    if let problem {
      map["problem"] = [
        "code": .string(problem.code), "english": .string(problem.english), "german": .string(problem.german),
      ]
    }
    return Value.map(map).json()
  }

  /// Reads what the vault keeps.
  ///
  /// - Throws: ``OAuthError/Code/vault`` for what is not an account.
  init(json: [UInt8], name: String) throws(OAuthError) {
    let unreadable = OAuthError(
      .vault,
      LocalizedText(
        "what the vault keeps of the account '\(name)' cannot be read",
        de: "was der Tresor vom Konto '\(name)' aufbewahrt, ist nicht lesbar"),
      advice: OAuthError.signInAdvice(name))
    guard let map = (try? Value(json: json))?.mapValue, map["version"]?.intValue == Self.version,
      let service = map["service"]?.stringValue, let endpoint = map["token_endpoint"]?.stringValue,
      let client = map["client_id"]?.stringValue, let token = map["access_token"]?.stringValue,
      TokenGrant.isToken(token), let obtained = map["obtained"]?.intValue, let expires = map["expires"]?.intValue,
      (0...(1 << 40)).contains(obtained), (0...(1 << 40)).contains(expires)
    else { throw unreadable }
    func text(_ key: String) -> String? { map[key]?.stringValue }
    self.init(
      name: name, service: service, address: text("address"),
      scopes: map["scopes"]?.listValue?.compactMap(\.stringValue) ?? [], tokenEndpoint: endpoint,
      revocationEndpoint: text("revocation_endpoint"), isConfigured: map["configured"]?.boolValue ?? false,
      clientID: client, clientAuthentication: .init(rawValue: text("client_authentication") ?? "") ?? .basic,
      clientSecretName: text("client_secret"), obtained: obtained, expires: expires,
      refreshing: map["refreshing"]?.intValue, notBefore: map["not_before"]?.intValue,
      problem: map["problem"].flatMap { problem in
        guard let code = problem["code"]?.stringValue, let english = problem["english"]?.stringValue else { return nil }
        return Problem(code: code, english: english, german: problem["german"]?.stringValue ?? english)
      }, accessToken: token, refreshToken: text("refresh_token"))
  }
}

extension SignedInAccount {
  /// The server, as far as the account's tokens go there.
  public var server: AuthorizationServer {
    var server = AuthorizationServer()
    server.token = tokenEndpoint
    server.revocation = revocationEndpoint
    if isConfigured { server.configuredURLs = [tokenEndpoint, revocationEndpoint].compactMap(\.self) }
    return server
  }
}
