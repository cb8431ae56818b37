import Expressions
import Localization
import Testing

@testable import OAuth

@Suite("What goes over the wire")
struct WireTests {
  @Test(arguments: [("a b", "a%20b"), ("ü&=+/~-._", "%C3%BC%26%3D%2B%2F~-._"), ("", "")])
  func valuesAreEscaped(_ text: String, _ wanted: String) {
    #expect(FormBody.escaped(text) == wanted)
    #expect(FormBody.fields(Substring("x=" + wanted)).first?.value == text)
  }

  @Test(arguments: ["x=%", "x=%4", "x=%zz", "x=%ff"])
  func brokenEscapesAreLeftOut(_ query: String) {
    #expect(FormBody.fields(Substring(query)).isEmpty)
  }

  @Test(arguments: [
    ("GET /?code=1&state=2 HTTP/1.1\r\nHost: x\r\n\r\n", RedirectHead.Reading.query("code=1&state=2")),
    ("GET / HTTP/1.1\n\n", .query("")), ("GET /favicon.ico HTTP/1.1\r\n\r\n", .refused(404)),
    ("POST / HTTP/1.1\r\n\r\n", .refused(405)), ("GET /?a b HTTP/1.1\r\n\r\n", .refused(400)),
    ("nonsense\r\n\r\n", .refused(400)), ("GET /?a HTTP/2\r\n\r\n", .refused(400)),
    ("GET /?a HTTP/1.1\r\n", .incomplete),
    ("", .incomplete),
  ])
  func redirectIsRead(_ text: String, _ wanted: RedirectHead.Reading) {
    #expect(RedirectHead.read(Array(text.utf8)) == wanted)
  }

  @Test func redirectHasABound() {
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: RedirectHead.longest + 1)
    #expect(RedirectHead.read(long) == .refused(414))
    #expect(RedirectHead.read(Array("GET / HTTP/1.1\r\nA: ".utf8) + long) == .refused(431))
  }

  @Test func wordsOfAServerAreOneCleanLine() {
    let words = ServerWords(secrets: ["refresh-1234", "abc"])
    #expect(words.clean("a\u{1b}[31m\r\nb \u{202e}c") == "a [31m  b  c")
    #expect(words.clean("token refresh-1234 is bad") == "token ••• is bad")
    #expect(words.clean(String(repeating: "x", count: 1000)).count == 301)
  }

  @Test(arguments: [
    (400, #"{"error":"invalid_grant","error_description":"Token has been revoked."}"#, OAuthError.Code.signInAgain),
    (401, #"{"error":"invalid_client"}"#, .refused), (429, "", .rateLimited),
    (400, #"{"error":"slow_down"}"#, .rateLimited),
    (503, "<html>", .unavailable), (400, #"{"error":"temporarily_unavailable"}"#, .unavailable), (400, "", .refused),
    (302, "", .invalidResponse), (200, #"{"error":"bad_verification_code"}"#, .refused),
    (200, "no json", .invalidResponse),
    (200, #"{"access_token":""}"#, .invalidResponse), (200, #"{"access_token":"a\u0001b"}"#, .invalidResponse),
    (200, #"{"access_token":"a","token_type":"mac"}"#, .invalidResponse),
    (200, #"{"access_token":"a","refresh_token":"b c"}"#, .invalidResponse),
  ])
  func refusalsHaveACode(_ status: Int, _ body: String, _ code: OAuthError.Code) {
    #expect(throws: OAuthError(code, "")) {
      try TokenGrant(HTTPAnswer(status: status, body: Array(body.utf8)), hiding: [])
    }
  }

  @Test func refusalIsToldInTheServersWords() {
    let body = #"{"error":"invalid_grant","error_description":"rt-0815 was revoked"}"#
    let error = #expect(throws: OAuthError.self) {
      try TokenGrant(HTTPAnswer(status: 400, body: Array(body.utf8)), hiding: ["rt-0815"])
    }
    #expect(error?.message.english.contains("invalid_grant: ••• was revoked") == true)
    #expect(error?.serverCode == "invalid_grant")
  }

  @Test(arguments: [
    ("", 3600), (#","expires_in":60"#, 60), (#","expires_in":"120""#, 120), (#","expires_in":-5"#, 0),
    (#","expires_in":1e300"#, 315_360_000),
  ])
  func lifetimeIsBounded(_ said: String, _ wanted: Int64) throws {
    let body = #"{"access_token":"t","token_type":"bearer""# + said + "}"
    let grant = try TokenGrant(HTTPAnswer(status: 200, body: Array(body.utf8)), hiding: [])
    #expect(grant.lifetime == wanted)
    #expect(grant.refreshToken == nil)
  }
}

extension OAuthError {
  /// An error of which only the code counts.
  init(_ code: Code, _ text: String) { self.init(code, .init(verbatim: text)) }
}
