import Expressions
import Glibc
import Localization
import Networking
import Synchronization
import Testing

@testable import OAuth

@Suite("Identity providers", .timeLimit(.minutes(1)))
struct IdentityProviderTests {
  /// A provider that answers without a network.
  private final class Scripted: Sendable {
    struct State {
      var now: Int64 = 1_795_510_800
      var issuer = IdentityProviderTests.issuer
      var keys: [SigningKey] = []
      var signer: SigningKey?
      var claims: ValueMap = [:]
      var userInfo: ValueMap?
      var isDown = false
      var nonce = ""
      var requests: [String] = []
      var authorization: String?
    }
    let state = Mutex(State())

    init() throws {
      let key = try SigningKey.elliptic("1")
      state.withLock {
        $0.keys = [key]
        $0.signer = key
      }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    func count(_ path: String) -> Int { state.withLock { $0.requests.count { $0.hasSuffix(path) } } }

    func answer(_ request: HTTPRequest) throws(OAuthError) -> HTTPAnswer {
      let answer: Result<Value, OAuthError> = state.withLock { state in
        state.requests.append(request.url)
        guard !state.isDown else { return .failure(OAuthError(.unavailable, "")) }
        let issuer = IdentityProviderTests.issuer
        switch request.url {
        case issuer + "/.well-known/openid-configuration":
          var document: ValueMap = [
            "issuer": .string(state.issuer), "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"), "jwks_uri": .string(issuer + "/keys"),
          ]
          if state.userInfo != nil { document["userinfo_endpoint"] = .string(issuer + "/userinfo") }
          return .success(.map(document))
        case issuer + "/keys": return .success(["keys": .list(state.keys.map(\.webKey))])
        case issuer + "/userinfo": return .success(.map(state.userInfo ?? [:]))
        case issuer + "/token":
          state.authorization = request.headers.first { $0.name == "Authorization" }?.value
          var claims: ValueMap = [
            "iss": .string(issuer), "sub": "4711", "aud": "sous", "nonce": .string(state.nonce), "iat": .int(state.now),
            "exp": .int(state.now + 300),
          ]
          for (name, value) in state.claims.entries { claims[name] = value }
          let token = (try? state.signer?.token(claims)) ?? ""
          return .success(["access_token": "at", "token_type": "Bearer", "id_token": .string(token)])
        default: return .failure(OAuthError(.configuration, ""))
        }
      }
      return HTTPAnswer(status: 200, body: try answer.get().json())
    }
  }

  private static let issuer = "https://id.example.com"

  private func provider(_ scripted: Scripted, secret: String? = "s3cret", groups: String = "groups") -> IdentityProvider
  {
    IdentityProvider(
      issuer: Self.issuer, clientID: "sous", scopes: ["openid", "profile"], groupsClaim: groups,
      secret: { () throws(OAuthError) in secret },
      now: { scripted.state.withLock { $0.now } }
    ) { (request, _) throws(OAuthError) in try scripted.answer(request) }
  }

  /// Signs in, as a browser would.
  private func signIn(_ provider: IdentityProvider, _ scripted: Scripted) async throws -> IdentityClaims {
    let (url, pending) = try await provider.begin(redirect: "https://sous.example.org/back")
    let fields = FormBody.fields(url.split(separator: "?", maxSplits: 1).last ?? "")
    scripted.change { $0.nonce = fields.first { $0.name == "nonce" }?.value ?? "" }
    return try await provider.finish(pending, query: "code=k&state=\(pending.state)")
  }

  @Test func theClaimsOfASignInAreGiven() async throws {
    let scripted = try Scripted()
    scripted.change {
      $0.claims = [
        "preferred_username": "ada", "name": "Ada L.", "email": "ada@example.org", "email_verified": .bool(false),
        "groups": ["staff", 7, ""], "locale": "de-DE",
      ]
    }
    let claims = try await signIn(provider(scripted), scripted)
    #expect(
      claims.subject == "4711" && claims.userName == "ada" && claims.fullName == "Ada L." && claims.locale == "de-DE")
    #expect(claims.email == nil && claims.groups == ["staff"])
    #expect(scripted.state.withLock { $0.authorization }?.hasPrefix("Basic ") == true)
    let another = try Scripted()
    _ = try await signIn(provider(another, secret: nil), another)
    #expect(another.state.withLock { $0.authorization } == nil)
  }

  @Test func groupsMayBeWithinAnotherClaimOrAtTheUserInfo() async throws {
    let scripted = try Scripted()
    scripted.change { $0.claims = ["realm_access": ["roles": ["staff"]]] }
    #expect(try await signIn(provider(scripted, groups: "realm_access.roles"), scripted).groups == ["staff"])
    scripted.change { $0.userInfo = ["sub": "4711", "groups": "staff", "iss": "https://evil.example.com"] }
    #expect(try await signIn(provider(scripted), scripted).groups == ["staff"])
    scripted.change { $0.userInfo = ["sub": "4712", "groups": ["staff"]] }
    await #expect(throws: OAuthError(.invalidResponse, "")) { try await signIn(provider(scripted), scripted) }
  }

  @Test(arguments: ["https://id.example.com/", "https://ID.example.com", "https://evil.example.com", ""])
  func theIssuerMustMatchExactly(_ issuer: String) async throws {
    let scripted = try Scripted()
    scripted.change { $0.issuer = issuer }
    await #expect(throws: OAuthError.self) {
      try await provider(scripted).begin(redirect: "https://sous.example.org/back")
    }
  }

  @Test(arguments: [
    "http://id.example.com", "ftp://127.0.0.1", "id.example.com", "http://127.0.0.1.example.com", "https://a@b",
  ])
  func plainTextIsForTheLoopbackInterface(_ issuer: String) {
    #expect(!IdentityProvider.isUsable(issuer: issuer))
    #expect(IdentityProvider.isUsable(issuer: "http://127.0.0.1:9000/realms/home"))
  }

  @Test func descriptionAndKeysAreFetchedOnceAnHour() async throws {
    let scripted = try Scripted()
    let provider = provider(scripted)
    for _ in 0..<3 { _ = try await signIn(provider, scripted) }
    #expect(scripted.count("/keys") == 1 && scripted.count("configuration") == 1)
    scripted.change { $0.now += 3601 }
    _ = try await signIn(provider, scripted)
    #expect(scripted.count("/keys") == 2 && scripted.count("configuration") == 2)
  }

  @Test func signInsAtTheSameTimeShareOneFetch() async throws {
    let scripted = try Scripted()
    let provider = provider(scripted)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await provider.begin(redirect: "https://sous.example.org/back") } }
      try await group.waitForAll()
    }
    #expect(scripted.count("configuration") == 1)
  }

  @Test func anUnknownKeyIsLookedForOnce() async throws {
    let scripted = try Scripted()
    let provider = provider(scripted)
    _ = try await signIn(provider, scripted)
    let rotated = try SigningKey.rsa("2")
    scripted.change {
      $0.keys.append(rotated)
      $0.signer = rotated
    }
    _ = try await signIn(provider, scripted)
    #expect(scripted.count("/keys") == 2)
    let unknown = try SigningKey.rsa("3")
    scripted.change { $0.signer = unknown }
    await #expect(throws: OAuthError(.invalidResponse, "")) { try await signIn(provider, scripted) }
    #expect(scripted.count("/keys") == 3)
    // A wrong signature of a known key fetches nothing.
    let impostor = try SigningKey.rsa("2")
    scripted.change { $0.signer = impostor }
    await #expect(throws: OAuthError(.invalidResponse, "")) { try await signIn(provider, scripted) }
    #expect(scripted.count("/keys") == 3)
  }

  @Test func aProviderThatIsDownIsBridgedForADay() async throws {
    let scripted = try Scripted()
    let provider = provider(scripted)
    scripted.change { $0.isDown = true }
    await #expect(throws: OAuthError(.unavailable, "")) { try await signIn(provider, scripted) }
    scripted.change { $0.isDown = false }
    _ = try await signIn(provider, scripted)
    scripted.change {
      $0.isDown = true
      $0.now += 7200
    }
    // The page of the provider is known; the code cannot be exchanged.
    _ = try await provider.begin(redirect: "https://sous.example.org/back")
    await #expect(throws: OAuthError(.unavailable, "")) { try await signIn(provider, scripted) }
    scripted.change { $0.now += 86_400 }
    await #expect(throws: OAuthError(.unavailable, "")) {
      try await provider.begin(redirect: "https://sous.example.org/back")
    }
  }

  @Test func anAnswerWithAnotherStateOrARefusalEndsTheSignIn() async throws {
    let scripted = try Scripted()
    let provider = provider(scripted)
    let (_, pending) = try await provider.begin(redirect: "https://sous.example.org/back")
    await #expect(throws: OAuthError(.invalidResponse, "")) {
      try await provider.finish(pending, query: "code=k&state=x")
    }
    await #expect(throws: OAuthError(.refused, "")) {
      try await provider.finish(pending, query: "error=access_denied&state=\(pending.state)")
    }
    #expect(scripted.count("/token") == 0)
  }
}

@Suite("Requests with a limit of time", .timeLimit(.minutes(1)))
struct NetworkCallerTests {
  @Test func aServerThatDoesNotAnswerIsLeft() async throws {
    // It accepts connections, and never answers.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, size)
        _ = listen(listener, 4)
        _ = getsockname(listener, $0, &size)
      }
    }
    var server = AuthorizationServer()
    let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
    server.issuer = url
    server.configuredURLs = [url]
    let caller = try NetworkCaller(NetworkService(), server, tls: TLSOptions())
    await #expect(throws: OAuthError(.unavailable, "")) {
      try await caller.answer(to: HTTPRequest(url: url), within: 1)
    }
  }
}
