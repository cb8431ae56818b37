import Expressions
import Networking

/// Signing in to an account, from the first URL to the tokens. Blocks the calling thread for minutes.
public struct SignIn: Sendable {
  /// The instruction for the user.
  public enum Prompt: Sendable, Equatable {
    /// Open a URL in a browser on this machine.
    case visit(url: String)
    /// Type a code in at a URL, on any machine, within so many seconds. The second URL has the code in it already.
    case enter(code: String, url: String, complete: String?, seconds: Int64)
  }

  /// The account to sign in to, and the method.
  public struct Order: Sendable {
    /// The account's name.
    public var account: String
    /// Whose server it is: `google`, `microsoft`, `custom`.
    public var service: String
    /// The server.
    public var server: AuthorizationServer
    /// Who is asking.
    public var client: Client
    /// The name of the client's secret, to be kept with the account.
    public var clientSecretName: String?
    /// The scopes to ask for.
    public var scopes: [String]
    /// The address that must be signed in to.
    public var address: String?
    /// Whether a code is typed in on another device.
    public var usesDevice = false
    /// The port of the redirect; `nil` for a free one.
    public var redirectPort: Int?
    /// The seconds in which a person must have finished.
    public var patience: Int64 = 300

    /// Creates an order.
    public init(account: String, service: String, server: AuthorizationServer, client: Client, scopes: [String]) {
      self.account = account
      self.service = service
      self.server = server
      self.client = client
      self.scopes = scopes
    }
  }

  /// The dependencies of a sign-in.
  public struct Surroundings: Sendable {
    /// Shows the instruction to the user; returns at once.
    public var prompt: @Sendable (Prompt) -> Void
    /// Whether to stop.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// The time, in seconds since 1970.
    public var now: @Sendable () -> Int64
    /// Waits for at least so many seconds, by a clock that never jumps, or until it is cancelled.
    public var wait: @Sendable (Int64) -> Void

    /// Creates surroundings.
    public init(
      prompt: @escaping @Sendable (Prompt) -> Void, now: @escaping @Sendable () -> Int64,
      wait: @escaping @Sendable (Int64) -> Void
    ) {
      self.prompt = prompt
      self.now = now
      self.wait = wait
    }
  }

  private let order: Order
  private let caller: any HTTPCaller
  private let surroundings: Surroundings

  /// Prepares a sign-in.
  public init(_ order: Order, caller: any HTTPCaller, _ surroundings: Surroundings) {
    self.order = order
    self.caller = caller
    self.surroundings = surroundings
  }

  /// Signs in.
  ///
  /// - Returns: The account, not yet kept anywhere; its address is the one that was wanted.
  /// - Throws: ``OAuthError``
  public func run() throws(OAuthError) -> SignedInAccount {
    guard let endpoint = order.server.token else { throw missing("token_endpoint") }
    let (grant, nonce) = try order.usesDevice ? device(endpoint) : browser(endpoint)
    let identity = try identity(of: grant, nonce: nonce)
    try identity.check(order.address, account: order.account)
    let now = surroundings.now()
    return SignedInAccount(
      name: order.account, service: order.service, address: identity.address, scopes: grant.scopes ?? order.scopes,
      tokenEndpoint: endpoint, revocationEndpoint: order.server.revocation,
      isConfigured: order.server.configuredURLs.contains(endpoint), clientID: order.client.id,
      clientAuthentication: order.client.authentication, clientSecretName: order.clientSecretName, obtained: now,
      expires: now + grant.lifetime, accessToken: grant.accessToken, refreshToken: grant.refreshToken)
  }

  // MARK: - Flows

  /// The authorization code flow with a loopback redirect.
  private func browser(_ endpoint: String) throws(OAuthError) -> (TokenGrant, nonce: String?) {
    guard let page = order.server.authorization else { throw missing("authorization_endpoint") }
    let listener = try LoopbackListener(port: order.redirectPort ?? 0)
    let request = AuthorizationRequest(
      server: order.server, clientID: order.client.id, scopes: order.scopes,
      redirect: order.server.redirect(port: listener.port), state: Base64URL.encoded(Random.bytes(32)),
      nonce: Base64URL.encoded(Random.bytes(32)), key: ProofKey(Random.bytes(32)), hint: order.address)
    surroundings.prompt(.visit(url: request.url(page)))
    let answer = try listener.wait(
      patience: .seconds(order.patience), isCancelled: surroundings.isCancelled
    ) { request.code(in: $0) }
    let code = try answer.get()
    let grant = try TokenGrant(
      try caller.call(order.client.post(request.exchange(code), to: endpoint)),
      hiding: [code, request.key.verifier, order.client.secret ?? ""])
    return (grant, order.scopes.contains("openid") ? request.nonce : nil)
  }

  /// The device authorization grant.
  private func device(_ endpoint: String) throws(OAuthError) -> (TokenGrant, nonce: String?) {
    guard let begin = order.server.deviceAuthorization else { throw missing("device_authorization_endpoint") }
    let secret = order.client.secret ?? ""
    let device = try DeviceAuthorization(
      try caller.call(order.client.post([("scope", order.scopes.joined(separator: " "))], to: begin)), hiding: [secret])
    surroundings.prompt(
      .enter(
        code: device.userCode, url: device.verificationURL, complete: device.completeURL, seconds: device.lifetime))
    let start = surroundings.now()
    var polling = DevicePolling(interval: device.interval, end: start + device.lifetime)
    var action = polling.begin(at: start)
    let fields = [
      ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", device.deviceCode),
    ]
    while true {
      switch action {
      case .end(let error): throw error
      case .ask(let pause):
        surroundings.wait(pause)
        if surroundings.isCancelled() { throw .cancelled }
        do {
          let answer = try caller.call(order.client.post(fields, to: endpoint))
          return (try TokenGrant(answer, hiding: [device.deviceCode, secret]), nil)
        } catch {
          action = polling.handle(error, at: surroundings.now())
        }
      }
    }
  }

  // MARK: - Whose token it is

  private func identity(of grant: TokenGrant, nonce: String?) throws(OAuthError) -> Identity {
    var identity = Identity(ValueMap())
    if let token = grant.identityToken {
      identity = try Identity(token: token, clientID: order.client.id, issuer: order.server.issuer, nonce: nonce)
    }
    guard identity.address == nil, let endpoint = order.server.userInfo else { return identity }
    let answer = try caller.call(
      HTTPRequest(
        url: endpoint,
        headers: [HTTPHeader("Authorization", "Bearer " + grant.accessToken), HTTPHeader("Accept", "application/json")])
    )
    guard answer.status == 200 else {
      // An OAuth server without OpenID Connect has no claims to tell; only a wanted address needs them.
      if order.address == nil && !order.scopes.contains("openid") { return identity }
      throw .userInfo(answer, hiding: [grant.accessToken])
    }
    guard let claims = answer.object else {
      throw .invalidResponse("its userinfo is not a JSON object", de: "ihre Userinfo ist kein JSON-Objekt")
    }
    return Identity(claims)
  }

  private func missing(_ endpoint: String) -> OAuthError {
    OAuthError.missing(endpoint, account: order.account)
  }
}
