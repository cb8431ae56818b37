import Expressions
import Localization
public import Networking

/// Signs users in at an identity provider: the authorization code flow of OpenID Connect Core 1.0 with PKCE.
///
/// The description of the provider and its keys are fetched once an hour. If the provider does not answer then, the former ones
/// are used for a day.
public actor IdentityProvider {
  /// A sign-in that a browser has begun. It is kept where the browser cannot read it, and used once.
  public struct Pending: Sendable {
    let request: AuthorizationRequest

    /// Ties the answer to this sign-in.
    public var state: String { request.state }
  }

  /// Sends a request to a server, and waits for the answer without blocking a thread.
  typealias Call = @Sendable (HTTPRequest, AuthorizationServer) async throws(OAuthError) -> HTTPAnswer

  /// Seconds that one request to the provider may take.
  static let patience = 10
  private static let refreshAge: Int64 = 3600
  private static let longestAge: Int64 = 86_400

  private struct Cached<Content: Sendable>: Sendable {
    var content: Content
    var fetched: Int64
  }

  private let issuer: String
  private let clientID: String
  private let scopes: [String]
  private let groupsClaim: String
  private let secret: @Sendable () async throws(OAuthError) -> String?
  private let call: Call
  private let now: @Sendable () -> Int64
  private var server: Cached<AuthorizationServer>?
  private var keys: Cached<[JSONWebKey]>?
  /// The fetches under way, which all sign-ins at the same time wait for.
  private var serverFetch: Task<Result<AuthorizationServer, OAuthError>, Never>?
  private var keysFetch: Task<Result<[JSONWebKey], OAuthError>, Never>?

  init(
    issuer: String, clientID: String, scopes: [String], groupsClaim: String,
    secret: @escaping @Sendable () async throws(OAuthError) -> String?, now: @escaping @Sendable () -> Int64,
    call: @escaping Call
  ) {
    (self.issuer, self.clientID, self.scopes, self.groupsClaim) = (issuer, clientID, scopes, groupsClaim)
    (self.secret, self.now, self.call) = (secret, now, call)
  }

  /// Prepares the sign-in at a provider. Asks it nothing yet.
  ///
  /// - Parameters:
  ///   - issuer: The issuer: `https`, or `http` on the loopback interface.
  ///   - clientID: The id of this client.
  ///   - scopes: The scopes to ask for, `openid` among them.
  ///   - groupsClaim: The claim with the groups of a user.
  ///   - secret: The secret of the client; `nil` for a public client.
  ///   - network: The network. Hosts that the provider names in its description must have public addresses.
  ///   - now: Seconds since 1970.
  public init(
    issuer: String, clientID: String, scopes: [String], groupsClaim: String,
    secret: @escaping @Sendable () async throws(OAuthError) -> String?, network: NetworkService,
    now: @escaping @Sendable () -> Int64
  ) {
    self.init(
      issuer: issuer, clientID: clientID, scopes: scopes, groupsClaim: groupsClaim, secret: secret, now: now
    ) {
      (request, server) throws(OAuthError) in
      try await NetworkCaller(network, server, tls: TLSOptions()).answer(to: request, within: Self.patience)
    }
  }

  /// Whether an issuer is an `https` URL, or `http` on the loopback interface.
  public static func isUsable(issuer: String) -> Bool {
    do throws(OAuthError) {
      try AuthorizationServer(asking: issuer).checkSchemes()
      return true
    } catch {
      return false
    }
  }

  // MARK: - The two halves of a sign-in

  /// Begins a sign-in.
  ///
  /// - Parameter redirect: The address to which the provider sends the browser back.
  /// - Returns: The address for the browser, and what is kept until it comes back.
  /// - Throws: ``OAuthError``: `auth_unavailable`, `auth_configuration`, `auth_invalid_response`.
  public func begin(redirect: String) async throws(OAuthError) -> (url: String, pending: Pending) {
    let server = try await currentServer()
    guard let page = server.authorization else { throw Self.missing("authorization_endpoint") }
    let request = AuthorizationRequest(
      server: server, clientID: clientID, scopes: scopes, redirect: redirect,
      state: Base64URL.encoded(Random.bytes(32)), nonce: Base64URL.encoded(Random.bytes(32)),
      key: ProofKey(Random.bytes(32)), hint: nil)
    return (request.url(page), Pending(request: request))
  }

  /// Ends a sign-in: exchanges the code, and checks the identity token.
  ///
  /// - Parameters:
  ///   - pending: The sign-in that the state of the query belongs to.
  ///   - query: The query of the redirect.
  /// - Throws: ``OAuthError``
  public func finish(_ pending: Pending, query: Substring) async throws(OAuthError) -> IdentityClaims {
    let request = pending.request
    guard let answer = request.code(in: query) else {
      throw .invalidResponse("it belongs to another request", de: "sie gehört zu einer anderen Anfrage")
    }
    let code = try answer.get()
    guard let endpoint = request.server.token else { throw Self.missing("token_endpoint") }
    let secret = try await secret()
    let client = Client(id: clientID, secret: secret, authentication: request.server.clientAuthentication)
    let grant: TokenGrant
    do throws(OAuthError) {
      grant = try TokenGrant(
        try await call(client.post(request.exchange(code), to: endpoint), request.server),
        hiding: [code, request.key.verifier, secret ?? ""])
    } catch {
      throw Self.advising(error)
    }
    guard let text = grant.identityToken else {
      throw .invalidResponse("it has no id_token", de: "sie enthält kein id_token")
    }
    let token = try IdentityToken(text)
    guard try await isSigned(token) else {
      throw .invalidResponse(
        "the signature of its id_token is wrong", de: "die Signatur ihres id_token ist falsch")
    }
    let subject = try token.check(
      IdentityToken.Expectation(issuer: issuer, client: clientID, nonce: request.nonce, now: now()))
    var claims = token.claims
    if IdentityClaims.value(groupsClaim, in: claims) == nil, let endpoint = request.server.userInfo {
      // Some providers put groups and names there only.
      for (name, value) in try await userInfo(endpoint, grant, subject, request.server).entries
      where claims[name] == nil { claims[name] = value }
    }
    return IdentityClaims(issuer: issuer, subject: subject, claims, groupsClaim: groupsClaim)
  }

  /// The claims at the userinfo endpoint (OpenID Connect Core 1.0, section 5.3).
  private func userInfo(
    _ endpoint: String, _ grant: TokenGrant, _ subject: String, _ server: AuthorizationServer
  ) async throws(OAuthError) -> ValueMap {
    let answer = try await call(
      HTTPRequest(
        url: endpoint,
        headers: [HTTPHeader("Authorization", "Bearer " + grant.accessToken), HTTPHeader("Accept", "application/json")]),
      server)
    guard answer.status == 200 else { throw .userInfo(answer, hiding: [grant.accessToken]) }
    // A provider could mix up two users (section 5.3.2).
    guard let claims = answer.object, claims["sub"]?.stringValue == subject else {
      throw .invalidResponse(
        "its userinfo is not about the account of its id_token",
        de: "ihre Userinfo und ihr id_token gehören zu verschiedenen Konten")
    }
    return claims
  }

  // MARK: - Keys

  /// Whether the provider has signed a token. A key that is not known is looked for once.
  private func isSigned(_ token: IdentityToken) async throws(OAuthError) -> Bool {
    let (known, isFresh) = try await currentKeys()
    if token.hasKey(in: known) || isFresh { return token.isSigned(by: known) }
    let latest = try await fetchKeys()
    return token.isSigned(by: latest)
  }

  private func currentKeys() async throws(OAuthError) -> (keys: [JSONWebKey], isFresh: Bool) {
    if let keys, age(keys) < Self.refreshAge { return (keys.content, false) }
    do throws(OAuthError) {
      return (try await fetchKeys(), true)
    } catch {
      guard error.isTemporary, let keys, age(keys) < Self.longestAge else { throw error }
      return (keys.content, true)
    }
  }

  private func fetchKeys() async throws(OAuthError) -> [JSONWebKey] {
    let server = try await currentServer()
    let task = keysFetch ?? Task { [call] in await Self.fetchKeys(server, call) }
    keysFetch = task
    let result = await task.value
    if keysFetch == task {
      keysFetch = nil
      if case .success(let found) = result { keys = Cached(content: found, fetched: now()) }
    }
    return try result.get()
  }

  private static func fetchKeys(
    _ server: AuthorizationServer, _ call: Call
  ) async -> Result<[JSONWebKey], OAuthError> {
    do throws(OAuthError) {
      guard let url = server.keys else { throw missing("jwks_uri") }
      let answer = try await fetch(url, server, call)
      guard let set = answer.object, let keys = JSONWebKey.keys(in: set), !keys.isEmpty else {
        throw .invalidResponse(
          "it has no key for RS256 or ES256", de: "sie enthält keinen Schlüssel für RS256 oder ES256")
      }
      return .success(keys)
    } catch {
      return .failure(error)
    }
  }

  // MARK: - The description

  private func currentServer() async throws(OAuthError) -> AuthorizationServer {
    if let server, age(server) < Self.refreshAge { return server.content }
    let task = serverFetch ?? Task { [issuer, call] in await Self.fetchServer(issuer, call) }
    serverFetch = task
    let result = await task.value
    if serverFetch == task {
      serverFetch = nil
      if case .success(let found) = result { server = Cached(content: found, fetched: now()) }
    }
    do throws(OAuthError) {
      return try result.get()
    } catch {
      guard error.isTemporary, let server, age(server) < Self.longestAge else { throw error }
      return server.content
    }
  }

  private static func fetchServer(_ issuer: String, _ call: Call) async -> Result<AuthorizationServer, OAuthError> {
    do throws(OAuthError) {
      var server = AuthorizationServer(asking: issuer)
      try server.checkSchemes()
      let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
      let answer = try await fetch(base + "/.well-known/openid-configuration", server, call)
      guard let description = answer.object else {
        throw .invalidResponse("it is not a JSON object", de: "sie ist kein JSON-Objekt")
      }
      try server.complete(by: description, of: issuer)
      guard server.issuer == issuer else {
        throw OAuthError(
          .configuration,
          LocalizedText(
            "the provider calls itself '\(ServerWords().clean(server.issuer ?? ""))', not '\(issuer)'",
            de: "der Provider nennt sich '\(ServerWords().clean(server.issuer ?? ""))', nicht '\(issuer)'"),
          advice: LocalizedText(
            "write the issuer in sous.yaml in exactly this form", de: "den Aussteller in sous.yaml genau so schreiben"))
      }
      return .success(server)
    } catch {
      return .failure(error)
    }
  }

  /// Fetches a document of the provider.
  private static func fetch(
    _ url: String, _ server: AuthorizationServer, _ call: Call
  ) async throws(OAuthError) -> HTTPAnswer {
    let answer = try await call(HTTPRequest(url: url, headers: [HTTPHeader("Accept", "application/json")]), server)
    guard answer.status == 200 else {
      let isTemporary = answer.status >= 500 || answer.status == 429 || answer.status == 408
      var error = OAuthError(
        isTemporary ? .unavailable : .configuration,
        LocalizedText(
          "the identity provider answered HTTP status \(answer.status) at \(url)",
          de: "der Identitätsprovider hat an \(url) mit HTTP-Status \(answer.status) geantwortet"), advice: issuerAdvice
      )
      error.status = answer.status
      throw error
    }
    return answer
  }

  private func age(_ cached: Cached<some Sendable>) -> Int64 {
    let (age, overflow) = now().subtractingReportingOverflow(cached.fetched)
    // A clock that was set back makes nothing younger.
    return overflow || age < 0 ? .max : age
  }

  // MARK: - Errors

  private static let issuerAdvice = LocalizedText(
    "check 'issuer' under 'server.identity' in sous.yaml", de: "'issuer' unter 'server.identity' in sous.yaml prüfen")

  private static func missing(_ name: String) -> OAuthError {
    OAuthError(
      .configuration,
      LocalizedText("the identity provider names no '\(name)'", de: "der Identitätsprovider nennt kein '\(name)'"),
      advice: issuerAdvice)
  }

  /// The refusal of the token endpoint, with advice for this client.
  private static func advising(_ error: OAuthError) -> OAuthError {
    guard error.code == .refused else { return error }
    var error = error
    error.advice = LocalizedText(
      "check 'client' and 'secret' under 'server.identity' in sous.yaml, and the redirect URL at the provider",
      de: "'client' und 'secret' unter 'server.identity' in sous.yaml prüfen, und die Weiterleitungs-URL beim Provider")
    return error
  }
}

extension AuthorizationServer {
  /// The server of an issuer that was configured and has not described itself yet.
  fileprivate init(asking issuer: String) {
    self.init()
    self.issuer = issuer
    configuredURLs = [issuer]
  }
}
