import Access
import Engine
import Expressions
import Testing

@testable import Server

/// Sign-in of browsers and of programs without one.
@Suite(.timeLimit(.minutes(2)))
struct SessionTests {
  private func cookie(_ answer: HTTPCall.Answer) -> String? {
    answer.field("set-cookie")?.split(separator: ";").first.map(String.init)
  }

  private func user(_ server: TestServer) throws -> String {
    _ = try server.token("operator")
    return try #require(try server.access.users().first?.name)
  }

  @Test func aBrowserSignsInAndOut() async throws {
    let server = try await TestServer()
    let name = try user(server)
    let wrong = try await server.call("POST", "/session", nil, ["user": .string(name), "password": "wrong"])
    #expect(wrong.status == 401 && wrong.code == "sign_in_refused" && wrong.field("set-cookie") == nil)
    let signedIn = try await server.call(
      "POST", "/session", nil, ["user": .string(name), "password": .string(TestServer.password)])
    #expect(signedIn.status == 200, "\(signedIn.text)")
    let field = try #require(signedIn.field("set-cookie"))
    #expect(field.contains("HttpOnly") && field.contains("SameSite=Lax") && field.contains("Path=/"))
    let cookie = try #require(self.cookie(signedIn))
    let token = try #require(signedIn.json["csrf_token"]?.stringValue)
    #expect(try await server.call("GET", "/me", fields: [("Cookie", cookie)]).json["user"]?.stringValue == name)
    // A change needs the token of the session, which other sites cannot read.
    let change: Value = ["read": true]
    let plain = try await server.call("PATCH", "/notifications", nil, change, fields: [("Cookie", cookie)])
    #expect(plain.status == 403 && plain.code == "csrf_token")
    let forged = try await server.call(
      "PATCH", "/notifications", nil, change, fields: [("Cookie", cookie), ("X-CSRF-Token", token + "x")])
    #expect(forged.status == 403)
    let foreign = try await server.call(
      "PATCH", "/notifications", nil, change,
      fields: [("Cookie", cookie), ("X-CSRF-Token", token), ("Origin", "https://evil.example")])
    #expect(foreign.status == 403 && foreign.code == "foreign_origin")
    let right = try await server.call(
      "PATCH", "/notifications", nil, change, fields: [("Cookie", cookie), ("X-CSRF-Token", token)])
    #expect(right.status == 200, "\(right.text)")
    let out = try await server.call("DELETE", "/session", fields: [("Cookie", cookie), ("X-CSRF-Token", token)])
    #expect(out.status == 204)
    #expect(try await server.call("GET", "/me", fields: [("Cookie", cookie)]).status == 401)
    try await server.stop()
  }

  @Test func eachSignInIsANewSession() async throws {
    let server = try await TestServer()
    let body: Value = ["user": .string(try user(server)), "password": .string(TestServer.password)]
    let planted = "sous_session=" + String(repeating: "A", count: 43)
    let first = try await server.call("POST", "/session", nil, body, fields: [("Cookie", planted)])
    let second = try await server.call("POST", "/session", nil, body, fields: [("Cookie", try #require(cookie(first)))])
    #expect(cookie(first) != planted && cookie(first) != cookie(second))
    // The session before has ended.
    #expect(try await server.call("GET", "/me", fields: [("Cookie", try #require(cookie(first)))]).status == 401)
    try await server.stop()
  }

  @Test func tooManyFailuresLockOut() async throws {
    let server = try await TestServer()
    let name = try user(server)
    var last = HTTPCall.Answer()
    for _ in 0..<8 {
      last = try await server.call("POST", "/session", nil, ["user": .string(name), "password": "wrong"])
    }
    #expect(last.status == 429 && last.code == "locked_out" && last.field("retry-after") != nil)
    try await server.stop()
  }

  @Test func aProgramWithoutABrowserIsLetIn() async throws {
    let server = try await TestServer()
    let name = try user(server)
    let begun = try await server.call("POST", "/device", nil, ["client": "a script"]).json
    let code = try #require(begun["user_code"]?.stringValue)
    let device: Value = ["device_code": try #require(begun["device_code"])]
    let waiting = try await server.call("POST", "/device/token", nil, device)
    #expect(waiting.status == 400 && waiting.code == "authorization_pending")
    let signedIn = try await server.call(
      "POST", "/session", nil, ["user": .string(name), "password": .string(TestServer.password)])
    let fields = [
      ("Cookie", try #require(cookie(signedIn))),
      ("X-CSRF-Token", try #require(signedIn.json["csrf_token"]?.stringValue)),
    ]
    #expect(try await server.call("GET", "/devices/\(code)", fields: fields).json["client"] == "a script")
    #expect(try await server.call("POST", "/devices/\(code)", nil, ["approved": true], fields: fields).status == 204)
    let given = try await server.call("POST", "/device/token", nil, device)
    #expect(given.status == 200, "\(given.text)")
    let token = try #require(given.json["access_token"]?.stringValue)
    #expect(try await server.call("GET", "/me", token).json["user"]?.stringValue == name)
    #expect(try await server.call("POST", "/device/token", nil, device).code == "expired_token")
    try await server.stop()
  }
}
