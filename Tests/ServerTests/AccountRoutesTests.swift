import Access
import Engine
import Expressions
import Localization
import TestWorkspace
import Testing

@testable import Server

/// The own account over the API: language, sessions, saved filters.
@Suite(.timeLimit(.minutes(3)))
struct AccountRoutesTests {
  /// A browser of a user.
  private struct Browser {
    let server: TestServer
    let cookie: String
    let token: String

    init(_ server: TestServer, _ user: String) async throws {
      self.server = server
      let answer = try await server.call(
        "POST", "/session", nil, ["user": .string(user), "password": .string(TestServer.password)])
      cookie = try #require(answer.field("set-cookie")?.split(separator: ";").first.map(String.init))
      token = answer.text("csrf_token")
    }

    func call(
      _ method: String, _ path: String, _ body: Value? = nil, token: String? = nil
    ) async throws -> HTTPCall.Answer {
      try await server.call(
        method, path, nil, body, fields: [("Cookie", cookie), ("X-CSRF-Token", token ?? self.token)])
    }
  }

  private func user(_ server: TestServer, _ role: String) throws -> String {
    let before = Set(try server.access.users().map(\.name))
    _ = try server.token(role)
    return try #require(try server.access.users().map(\.name).first { !before.contains($0) })
  }

  @Test func ownSessionsEndButNotThoseOfOthers() async throws {
    let server = try await TestServer()
    let (anna, otto) = (try user(server, "viewer"), try user(server, "administrator"))
    let (first, second) = (try await Browser(server, anna), try await Browser(server, anna))
    let foreign = try await Browser(server, otto)
    let listed = try await first.call("GET", "/me/sessions").items
    #expect(listed.count == 2 && listed.filter { $0["current"] == true }.count == 1)
    #expect(listed.allSatisfy { $0["user"] == nil })
    let others = try await foreign.call("GET", "/me/sessions").items
    let foreignID = try #require(others.first?["id"]?.stringValue)
    #expect(try await first.call("DELETE", "/me/sessions/\(foreignID)").status == 404)
    #expect(try await foreign.call("GET", "/me/sessions").status == 200)
    let other = try #require(listed.first { $0["current"] == false }?["id"]?.stringValue)
    #expect(try await first.call("DELETE", "/me/sessions/\(other)", token: "forged").status == 403)
    #expect(try await second.call("GET", "/me").status == 200)
    #expect(try await first.call("DELETE", "/me/sessions/\(other)").status == 204)
    #expect(try await second.call("GET", "/me").status == 401)
    let third = try await Browser(server, anna)
    #expect(try await first.call("DELETE", "/me/sessions").json["ended"] == 1)
    #expect(try await third.call("GET", "/me").status == 401)
    #expect(try await first.call("GET", "/me").status == 200)
    try await server.stop()
  }

  @Test func aPasswordChangesWithTheCurrentOne() async throws {
    let server = try await TestServer()
    let anna = try user(server, "viewer")
    let (browser, other) = (try await Browser(server, anna), try await Browser(server, anna))
    let wrong = try await browser.call("PUT", "/me/password", ["current": "wrong", "new": "a long new password"])
    #expect(wrong.status == 422 && wrong.code == "wrong_password", "\(wrong.text)")
    #expect(wrong.json["errors"]?.listValue?.first?["pointer"] == "/current")
    let body: Value = ["current": .string(TestServer.password), "new": "a long new password"]
    #expect(try await browser.call("PUT", "/me/password", body).status == 204)
    #expect(try await browser.call("GET", "/me").status == 200)
    #expect(try await other.call("GET", "/me").status == 401)
    try await server.stop()
  }

  @Test func theOwnLanguageChangesWithoutOtherRights() async throws {
    let server = try await TestServer()
    let anna = try user(server, "viewer")
    let browser = try await Browser(server, anna)
    #expect(try await browser.call("PATCH", "/me", ["language": "de"], token: "").status == 403)
    #expect(try await browser.call("PATCH", "/me", ["language": "de", "roles": ["administrator"]]).status == 422)
    #expect(try await browser.call("PATCH", "/me", ["language": "fr"]).status == 422)
    #expect(try await browser.call("PATCH", "/me", ["language": "de"]).json["language"] == "de")
    #expect(try server.access.user(anna).language == .german && server.access.user(anna).roles == ["viewer"])
    #expect(try await browser.call("PATCH", "/me", ["language": .null]).json["language"] == .null)
    // The session goes on.
    #expect(try await browser.call("GET", "/me").status == 200)
    try await server.stop()
  }

  @Test func aTokenDoesNotChangeTheAccount() async throws {
    let server = try await TestServer()
    let token = try server.token("administrator")
    for (method, path, body) in [
      ("PATCH", "/me", ["language": "de"]), ("DELETE", "/me/sessions", nil), ("DELETE", "/me/sessions/x", nil),
    ] as [(String, String, Value?)] {
      let answer = try await server.checked(method, path, token, body)
      #expect(answer.status == 403 && answer.code == "session_needed", "\(path)")
    }
    #expect(try await server.checked("GET", "/me/sessions", token).items.isEmpty)
    try await server.stop()
  }

  @Test func filtersAreSavedForTheirUser() async throws {
    let server = try await TestServer()
    let (mine, other) = (try server.token("viewer"), try server.token("administrator"))
    let filter: Value = ["name": "failed / <b>", "status": "failed", "search": "x"]
    let saved = try await server.checked("POST", "/me/filters", mine, filter)
    #expect(saved.status == 200 && saved.json["recipe"] == .null, "\(saved.text)")
    #expect(try await server.checked("GET", "/me/filters", mine).items.map { $0["name"] } == ["failed / <b>"])
    #expect(try await server.checked("GET", "/me/filters", other).items.isEmpty)
    #expect(try await server.checked("POST", "/me/filters", mine, ["name": "all"]).status == 422)
    #expect(try await server.checked("POST", "/me/filters", mine, ["name": "x", "status": "gone"]).status == 422)
    let path = "/me/filters/failed%20%2F%20%3Cb%3E"
    #expect(try await server.checked("DELETE", path, other).status == 404)
    #expect(try await server.checked("DELETE", path, mine).status == 204)
    #expect(try await server.checked("GET", "/me/filters", mine).items.isEmpty)
    try await server.stop()
  }
}
