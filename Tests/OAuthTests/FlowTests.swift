import Expressions
import Localization
import Testing

@testable import OAuth

@Suite("Flows")
struct FlowTests {
  private var request: AuthorizationRequest {
    var server = AuthorizationServer()
    server.issuer = "https://id.example.com"
    server.parameters = ["prompt": "consent"]
    return AuthorizationRequest(
      server: server, clientID: "c&1", scopes: ["openid", "https://mail.example.com/"],
      redirect: "http://127.0.0.1:8000/",
      state: "st", nonce: "no", key: ProofKey([UInt8](repeating: 1, count: 32)), hint: "ada@example.org")
  }

  @Test func browserGetsEverythingButTheVerifier() throws {
    let url = request.url("https://id.example.com/authorize")
    let query = try #require(url.split(separator: "?", maxSplits: 1).last)
    let fields = Dictionary(FormBody.fields(query).map { ($0.name, $0.value) }) { first, _ in first }
    #expect(
      fields == [
        "response_type": "code", "client_id": "c&1", "redirect_uri": "http://127.0.0.1:8000/",
        "scope": "openid https://mail.example.com/", "state": "st", "nonce": "no", "login_hint": "ada@example.org",
        "code_challenge": request.key.challenge, "code_challenge_method": "S256", "prompt": "consent",
      ])
    #expect(!url.contains(request.key.verifier))
    #expect(request.exchange("k").contains { $0.0 == "code_verifier" && $0.1 == request.key.verifier })
    #expect(request.url("https://id.example.com/a?tenant=1").contains("?tenant=1&response_type=code"))
  }

  @Test func aServerThatNamesItselfDoesSoInEveryAnswer() throws {
    var server = AuthorizationServer()
    try server.complete(
      by: [
        "issuer": "https://id.example.com", "authorization_endpoint": "https://id.example.com/a",
        "token_endpoint": "https://id.example.com/t", "authorization_response_iss_parameter_supported": .bool(true),
      ], of: "https://id.example.com")
    let request = AuthorizationRequest(
      server: server, clientID: "c", scopes: [], redirect: "http://127.0.0.1:8000/", state: "st", nonce: "no",
      key: ProofKey([UInt8](repeating: 1, count: 32)), hint: nil)
    #expect(throws: OAuthError(.invalidResponse, "")) { try request.code(in: "code=k&state=st")?.get() }
    #expect(throws: OAuthError(.invalidResponse, "")) { try request.code(in: "code=k&state=st&iss=")?.get() }
    #expect(try request.code(in: "code=k&state=st&iss=https%3A%2F%2Fid.example.com")?.get() == "k")
  }

  @Test func onlyTheAnswerWithTheStateCounts() throws {
    #expect(request.code(in: "code=k") == nil)
    #expect(request.code(in: "code=k&state=other") == nil)
    #expect(request.code(in: "code=k&state=st&state=st") == nil)
    #expect(try request.code(in: "code=k%2B&state=st")?.get() == "k+")
    #expect(try request.code(in: "code=k&state=st&iss=https%3A%2F%2Fid.example.com")?.get() == "k")
    #expect(throws: OAuthError(.invalidResponse, "")) {
      try request.code(in: "code=k&state=st&iss=https%3A%2F%2Fevil.example.com")?.get()
    }
    #expect(throws: OAuthError(.invalidResponse, "")) {
      try request.code(
        in: "code=k&state=st&iss=https%3A%2F%2Fevil.example.com&iss=https%3A%2F%2Fid.example.com")?.get()
    }
    #expect(throws: OAuthError(.invalidResponse, "")) { try request.code(in: "state=st")?.get() }
    #expect(throws: OAuthError(.refused, "")) {
      try request.code(in: "state=st&error=access_denied&error_description=no")?.get()
    }
  }

  // MARK: - Device

  private func failure(_ code: String?, status: Int = 400, wait: Double? = nil) -> OAuthError {
    ServerFailure(code: code, description: nil, status: status, retryAfter: wait).error(hiding: [])
  }

  @Test func deviceAsksAtTheIntervalAndSlowsDown() {
    var polling = DevicePolling(interval: 5, end: 1000)
    #expect(polling.begin(at: 0) == .ask(after: 5))
    #expect(polling.handle(failure("authorization_pending"), at: 5) == .ask(after: 5))
    #expect(polling.handle(failure("slow_down"), at: 10) == .ask(after: 10))
    #expect(polling.handle(failure("authorization_pending"), at: 20) == .ask(after: 10))
    #expect(polling.handle(failure(nil, status: 503), at: 30) == .ask(after: 20))
    #expect(polling.handle(failure(nil, status: 429, wait: 60), at: 50) == .ask(after: 60))
  }

  @Test(arguments: [
    ("expired_token", OAuthError.Code.timedOut), ("access_denied", .refused), ("invalid_client", .refused),
  ])
  func deviceStops(_ code: String, _ wanted: OAuthError.Code) {
    var polling = DevicePolling(interval: 5, end: 1000)
    #expect(polling.handle(failure(code), at: 5) == .end(OAuthError(wanted, "")))
  }

  @Test func deviceStopsAtTheEndOfTheCode() {
    var polling = DevicePolling(interval: 5, end: 12)
    #expect(polling.handle(failure("authorization_pending"), at: 5) == .ask(after: 5))
    #expect(polling.handle(failure("authorization_pending"), at: 10) == .end(OAuthError(.timedOut, "")))
  }

  @Test(arguments: [("2.5", 3), ("5", 5), ("\"7\"", 7), ("-1", 1)] as [(String, Int64)])
  func devicePollsAfterAtLeastTheIntervalOfTheServer(_ interval: String, _ wanted: Int64) throws {
    let body = #"{"device_code":"d","user_code":"u","verification_uri":"https://x.example/","interval":\#(interval)}"#
    let device = try DeviceAuthorization(HTTPAnswer(status: 200, body: Array(body.utf8)), hiding: [])
    #expect(device.interval == wanted)
  }

  @Test(arguments: [
    (
      #"{"device_code":"d","user_code":"u","verification_uri":"https://x.example/","interval":0,"expires_in":99999}"#,
      true
    ),
    (#"{"device_code":"d","user_code":"u","verification_url":"https://x.example/"}"#, true),
    (#"{"device_code":"d","user_code":"u","verification_uri":"file:///etc/passwd"}"#, false),
    (#"{"device_code":"d","user_code":"","verification_uri":"https://x.example/"}"#, false), ("[]", false),
  ])
  func deviceAnswerIsChecked(_ body: String, _ isGood: Bool) {
    let answer = HTTPAnswer(status: 200, body: Array(body.utf8))
    do throws(OAuthError) {
      let device = try DeviceAuthorization(answer, hiding: [])
      #expect(isGood)
      #expect((1...300).contains(device.interval) && (1...3600).contains(device.lifetime))
    } catch {
      #expect(!isGood && error.code == .invalidResponse)
    }
  }

  // MARK: - Server

  @Test(arguments: [
    ("https://id.example.com/token", true), ("http://127.0.0.1:80/token", true), ("http://localhost/token", true),
    ("http://[::1]:1/", true), ("http://id.example.com/token", false), ("http://127.0.0.1.example.com/", false),
    ("ftp://127.0.0.1/", false), ("https://user@id.example.com/", false), ("http://localhost@example.com/", false),
    ("token", false),
  ])
  func plainTextStaysOnThisMachine(_ url: String, _ isAllowed: Bool) {
    var server = AuthorizationServer()
    server.token = url
    do throws(OAuthError) {
      try server.checkSchemes()
      #expect(isAllowed)
    } catch {
      #expect(!isAllowed && error.code == .configuration)
    }
  }

  @Test func issuerMustSpeakForItself() throws {
    var server = AuthorizationServer()
    let map: ValueMap = ["issuer": "https://evil.example.com", "token_endpoint": "https://id.example.com/t"]
    #expect(throws: OAuthError(.invalidResponse, "")) { try server.complete(by: map, of: "https://id.example.com") }
    var right = map
    right["issuer"] = "https://id.example.com/"
    try server.complete(by: right, of: "https://id.example.com")
    #expect(server.token == "https://id.example.com/t")
    #expect(server.clientAuthentication == .basic)
    right["token_endpoint"] = "http://id.example.com/t"
    var plain = AuthorizationServer()
    #expect(throws: OAuthError(.configuration, "")) { try plain.complete(by: right, of: "https://id.example.com") }
  }

  @Test func descriptionIsLookedForInBothPlaces() {
    #expect(
      AuthorizationServer.descriptions(of: "https://id.example.com/a") == [
        "https://id.example.com/a/.well-known/openid-configuration",
        "https://id.example.com/.well-known/oauth-authorization-server/a",
      ])
  }

  // MARK: - Identity

  private func token(_ claims: String) -> String { "e30." + Base64URL.encoded(Array(claims.utf8)) + ".c2ln" }

  @Test func identityTokenIsForThisClientAndRequest() throws {
    let good = token(
      #"{"aud":["x","c"],"iss":"https://i","nonce":"n","email":"Ada@example.org","email_verified":true}"#)
    let identity = try Identity(token: good, clientID: "c", issuer: "https://i", nonce: "n")
    #expect(identity.address == "Ada@example.org")
    try identity.check("ada@example.org", account: "work")
    #expect(throws: OAuthError(.addressMismatch, "")) { try identity.check("bob@example.org", account: "work") }
    for (client, issuer, nonce) in [("d", "https://i", "n"), ("c", "https://j", "n"), ("c", "https://i", "m")] {
      #expect(throws: OAuthError(.invalidResponse, "")) {
        try Identity(token: good, clientID: client, issuer: issuer, nonce: nonce)
      }
    }
    for broken in ["", "a.b", "a.!.c", "a." + Base64URL.encoded(Array("[]".utf8)) + ".c"] {
      #expect(throws: OAuthError(.invalidResponse, "")) {
        try Identity(token: broken, clientID: "c", issuer: nil, nonce: nil)
      }
    }
  }

  @Test func unverifiedAddressDoesNotCount() {
    #expect(Identity(["email": "ada@example.org", "email_verified": false]).address == nil)
    #expect(Identity(["preferred_username": "ada@example.org"]).address == "ada@example.org")
    #expect(Identity(["preferred_username": "ada"]).address == nil)
    #expect(throws: OAuthError(.addressUnknown, "")) { try Identity([:]).check("ada@example.org", account: "work") }
  }
}
