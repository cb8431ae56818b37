import Localization
import Testing

@testable import OAuth

extension SignedInAccount {
  /// An account whose access token was given at 0 and ends at 3600.
  static func sample(refresh: String? = "r1", expires: Int64 = 3600) -> SignedInAccount {
    SignedInAccount(
      name: "work", service: "custom", address: "ada@example.org", scopes: ["mail"],
      tokenEndpoint: "http://127.0.0.1:1/token", revocationEndpoint: nil, isConfigured: true, clientID: "c",
      clientAuthentication: .basic, clientSecretName: nil, obtained: 0, expires: expires, accessToken: "a1",
      refreshToken: refresh)
  }
}

@Suite("Refreshing a token")
struct TokenRefreshTests {
  private let account = SignedInAccount.sample()

  /// A refresh that has come to the question to the server.
  private func asking(_ found: SignedInAccount, at now: Int64, isForced: Bool = false) -> TokenRefresh {
    var refresh = TokenRefresh("work", isForced: isForced)
    #expect(refresh.begin() == .read)
    #expect(refresh.handle(.found(found), at: now) == .lock)
    #expect(refresh.handle(.locked, at: now) == .read)
    var noted = found
    noted.refreshing = now
    #expect(refresh.handle(.found(found), at: now) == .note(noted))
    #expect(refresh.handle(.noted, at: now) == .ask(found))
    return refresh
  }

  private func grant(_ access: String, refresh: String?) throws -> TokenGrant {
    var grant = try TokenGrant(
      HTTPAnswer(status: 200, body: Array(#"{"access_token":"x","expires_in":3600}"#.utf8)), hiding: [])
    (grant.accessToken, grant.refreshToken) = (access, refresh)
    return grant
  }

  @Test(arguments: [(0, true), (3299, true), (3300, false), (4000, false), (-301, false)])
  func tokenIsFreshUntilFiveMinutesBeforeItsEnd(_ now: Int64, _ isFresh: Bool) {
    var refresh = TokenRefresh("work")
    #expect(refresh.handle(.found(account), at: now) == (isFresh ? .finish(.success(account)) : .lock))
  }

  @Test func shortTokenIsRefreshedInTheMiddleOfItsLife() {
    let short = SignedInAccount.sample(expires: 60)
    #expect(short.isFresh(at: 29))
    #expect(!short.isFresh(at: 30))
  }

  @Test func rotatedRefreshTokenIsWrittenBeforeTheAnswer() throws {
    var refresh = asking(account, at: 3400)
    let answer = try grant("a2", refresh: "r2")
    let wanted = account.granted(answer, at: 3401)
    #expect(wanted.refreshToken == "r2" && wanted.accessToken == "a2" && wanted.expires == 7001)
    #expect(refresh.handle(.answered(answer), at: 3401) == .write(wanted))
    #expect(refresh.handle(.written, at: 3401) == .finish(.success(wanted)))
  }

  @Test func refreshTokenThatIsNotRotatedStays() throws {
    #expect(account.granted(try grant("a2", refresh: nil), at: 1).refreshToken == "r1")
  }

  @Test func whoWaitedFindsWhatTheOtherHasWritten() throws {
    var refresh = TokenRefresh("work")
    #expect(refresh.handle(.found(account), at: 3400) == .lock)
    #expect(refresh.handle(.locked, at: 3402) == .read)
    let other = account.granted(try grant("a2", refresh: "r2"), at: 3401)
    #expect(refresh.handle(.found(other), at: 3402) == .finish(.success(other)))
  }

  @Test func vaultThatCannotBeWrittenIsNoticedBeforeTheTokenGoesOut() {
    for now: Int64 in [3400, 3600] {
      var refresh = TokenRefresh("work")
      _ = refresh.handle(.found(account), at: now)
      _ = refresh.handle(.locked, at: now)
      _ = refresh.handle(.found(account), at: now)
      let error = OAuthError(.vault, "disk full")
      #expect(refresh.handle(.failed(error), at: now) == .finish(now == 3400 ? .success(account) : .failure(error)))
    }
  }

  @Test func tokenThatCannotBeWrittenIsGivenOutAllTheSame() throws {
    var refresh = asking(account, at: 3400)
    let answer = try grant("a2", refresh: "r2")
    _ = refresh.handle(.answered(answer), at: 3400)
    #expect(
      refresh.handle(.failed(OAuthError(.vault, "full")), at: 3400)
        == .finish(.success(account.granted(answer, at: 3400))))
  }

  @Test func refusedRefreshTokenIsNeverSentAgain() {
    var refresh = asking(account, at: 3600)
    var error = OAuthError(.signInAgain, "invalid_grant: revoked")
    error.serverCode = "invalid_grant"
    guard case .write(let marked) = refresh.handle(.failed(error), at: 3600) else {
      Issue.record("nothing is written")
      return
    }
    #expect(marked.problem?.code == "invalid_grant" && marked.refreshToken == "r1" && marked.refreshing == nil)
    guard case .finish(.failure(let told)) = refresh.handle(.written, at: 3600) else {
      Issue.record("it does not fail")
      return
    }
    #expect(told.code == .signInAgain && told.text.english.contains("sous auth login work"))
    #expect(told.text.english.contains("invalid_grant: revoked"))
    var later = TokenRefresh("work")
    #expect(later.handle(.found(marked), at: 9999) == .finish(.failure(OAuthError(.signInAgain, ""))))
  }

  @Test func interruptedRefreshIsToldWhereTheTokenIsRefusedThen() {
    var interrupted = account
    interrupted.refreshing = 3300
    var refresh = asking(interrupted, at: 3600)
    _ = refresh.handle(.failed(OAuthError(.signInAgain, "invalid_grant")), at: 3600)
    guard case .finish(.failure(let told)) = refresh.handle(.written, at: 3600) else {
      Issue.record("it does not fail")
      return
    }
    #expect(told.text.english.contains("earlier refresh"))
  }

  @Test func oldTokenServesWhileTheServerIsAway() {
    var refresh = asking(account, at: 3400)
    guard case .write(let waiting) = refresh.handle(.failed(OAuthError(.unavailable, "down")), at: 3400) else {
      Issue.record("nothing is written")
      return
    }
    #expect(waiting.notBefore == 3430 && waiting.refreshing == 3400)
    #expect(refresh.handle(.written, at: 3400) == .finish(.success(waiting)))
    // Nobody asks again before that.
    var next = TokenRefresh("work")
    _ = next.handle(.found(waiting), at: 3410)
    _ = next.handle(.locked, at: 3410)
    #expect(next.handle(.found(waiting), at: 3410) == .finish(.success(waiting)))
    var ended = TokenRefresh("work")
    var over = waiting
    over.notBefore = 3700
    _ = ended.handle(.found(over), at: 3650)
    _ = ended.handle(.locked, at: 3650)
    #expect(ended.handle(.found(over), at: 3650) == .finish(.failure(OAuthError(.rateLimited, ""))))
  }

  @Test func serversWishToWaitIsKeptWithinAnHour() {
    for (said, wanted): (Double?, Int64) in [(nil, 30), (7, 7), (0, 1), (86_400, 3600)] {
      var refresh = asking(account, at: 3600)
      var error = OAuthError(.rateLimited, "429")
      (error.retryAfter, error.status) = (said, 429)
      var waiting = account
      waiting.notBefore = 3600 + wanted
      #expect(refresh.handle(.failed(error), at: 3600) == .write(waiting))
      #expect(refresh.handle(.written, at: 3600) == .finish(.failure(error)))
    }
  }

  @Test func lockThatIsHeldTooLongEndsInAnError() {
    var refresh = TokenRefresh("work")
    _ = refresh.handle(.found(account), at: 3600)
    #expect(refresh.handle(.busy, at: 3690) == .finish(.failure(OAuthError(.unavailable, ""))))
  }

  @Test func nobodySignedInIsTold() {
    var refresh = TokenRefresh("work")
    #expect(refresh.handle(.found(nil), at: 0) == .finish(.failure(OAuthError(.notSignedIn, ""))))
    let single = SignedInAccount.sample(refresh: nil)
    var ended = TokenRefresh("work")
    #expect(ended.handle(.found(single), at: 3300) == .finish(.success(single)))
    var over = TokenRefresh("work")
    #expect(over.handle(.found(single), at: 3600) == .finish(.failure(OAuthError(.signInAgain, ""))))
  }

  @Test func accountSurvivesTheVault() throws {
    var full = account
    full.refreshing = 1
    full.notBefore = 2
    full.problem = .init(code: "invalid_grant", english: "e", german: "d")
    full.clientSecretName = "CLIENT"
    full.revocationEndpoint = "https://id.example.com/revoke"
    #expect(try SignedInAccount(json: full.json, name: "work") == full)
    #expect(throws: OAuthError(.vault, "")) { try SignedInAccount(json: Array("{}".utf8), name: "work") }
  }
}
