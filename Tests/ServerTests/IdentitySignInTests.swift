import Access
import Engine
import Expressions
import Foundation
import Localization
import LoopbackPorts
import Page
import Testing

@testable import Server

/// Sign-in at an identity provider: one of others over HTTP, with the users' browsers played by plain requests.
@Suite(.timeLimit(.minutes(3)), .enabled(if: MockProvider.isInstalled))
struct IdentitySignInTests {
  /// A browser: its cookies of this server.
  private final class Browser {
    let server: TestServer
    private(set) var cookies: [String: String] = [:]

    init(_ server: TestServer) { self.server = server }

    func get(_ path: String, _ fields: [(String, String)] = []) async throws -> HTTPCall.Answer {
      var fields = fields
      if !cookies.isEmpty { fields.append(("Cookie", cookies.map { "\($0)=\($1)" }.joined(separator: "; "))) }
      let answer = try await HTTPCall(server.port).send("GET", path, fields)
      for field in answer.fields where field.name == "set-cookie" {
        let pair = (field.value.split(separator: ";").first ?? "").split(separator: "=", maxSplits: 1)
        cookies[String(pair.first ?? "")] = pair.count == 2 ? String(pair[1]) : nil
      }
      return answer
    }

    /// The address of the provider at which a sign-in goes on.
    func begin(next: String = "/runs") async throws -> String {
      let answer = try await get("/sign-in/identity?next=\(next)")
      #expect(answer.status == 303, "\(answer.text)")
      return try #require(answer.field("location"))
    }

    /// Comes back from the provider.
    func goBack(to url: String, _ fields: [(String, String)] = []) async throws -> HTTPCall.Answer {
      let origin = "http://127.0.0.1:\(server.port)"
      #expect(url.hasPrefix(origin + "/sign-in/identity/callback?"))
      return try await get(String(url.dropFirst(origin.count)), fields)
    }

    func signIn(_ provider: MockProvider, as subject: String) async throws -> HTTPCall.Answer {
      try await goBack(to: try await provider.approve(try await begin(), as: subject))
    }

    var me: Value { get async throws { try await get("/api/v1/me").json } }
  }

  /// - Parameter secret: The name of the client's secret; the provider takes any, here the value of a variable.
  private func server(_ issuer: String, secret: String = "HOME") async throws -> TestServer {
    try await TestServer(
      server: """
          identity:
            issuer: \(issuer)
            client: sous
            secret: \(secret)
            roles: { admins: administrator, staff: operator, guests: viewer, typos: oprator }

        """)
  }

  private func audit(_ server: TestServer) throws -> [AuditEntry] {
    try server.access.audit(AuditFilter(), limit: 100)
  }

  @Test func aUserSignsInAtTheProvider() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address)
    try await provider.set(
      "4711",
      [
        "preferred_username": "Ada Müller", "name": "Ada Müller", "groups": ["/staff", "staff", "Domain Users"],
        "locale": "de-DE",
      ])
    let browser = Browser(server)
    let begun = try await browser.get("/sign-in/identity?next=/runs%3Fstatus%3Dfailed")
    let field = try #require(begun.field("set-cookie"))
    #expect(field.contains("HttpOnly") && field.contains("SameSite=Lax") && field.contains("Path=/sign-in/identity"))
    let page = try #require(begun.field("location"))
    #expect(page.contains("code_challenge_method=S256") && page.contains("nonce=") && page.contains("state="))
    let back = try await provider.approve(page, as: "4711")
    let answer = try await browser.goBack(to: back)
    #expect(answer.status == 303 && answer.field("location") == "/runs?status=failed", "\(answer.text)")
    let me = try await browser.me
    #expect(me["user"] == "ada-muller" && me["name"] == "Ada Müller" && me["roles"] == ["operator"])
    let user = try server.access.user("ada-muller")
    #expect(user.groups == ["staff"] && user.language == .german && !user.hasPassword)
    #expect(user.identity == AccessUser.Identity(issuer: provider.address, subject: "4711"))
    let entries = try audit(server)
    #expect(
      entries.contains { $0.action == "user.add" && $0.object == "users/ada-muller" && $0.source.origin == "sign-in" })
    #expect(
      entries.contains { $0.action == "session.create" && $0.source.actor == "ada-muller" && $0.outcome == "done" })
    // The answer of the provider counts once, also for the same browser.
    let again = try await browser.goBack(to: back)
    #expect(again.status == 400 && again.code == "sign_in_expired")
    try await server.stop()
  }

  @Test func theAnswerOfAnotherBrowserIsRefused() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address)
    try await provider.set("eve", ["preferred_username": "eve", "groups": ["staff"]])
    // An attacker signs in, and lets another browser open the provider's answer.
    let (attacker, victim) = (Browser(server), Browser(server))
    let back = try await provider.approve(try await attacker.begin(), as: "eve")
    for browser in [victim, Browser(server)] {
      let answer = try await browser.goBack(to: back)
      #expect(answer.status == 400 && answer.code == "sign_in_foreign")
      // The victim has a sign-in of its own under way the next time.
      _ = try await victim.begin()
    }
    #expect(try await victim.goBack(to: back).code == "sign_in_foreign")
    let forged = back.replacing("state=", with: "state=x")
    #expect(try await attacker.goBack(to: forged).code == "sign_in_expired")
    #expect(try server.access.users().isEmpty)
    #expect(try await attacker.goBack(to: back).status == 303)
    try await server.stop()
  }

  @Test func twoTabsOfABrowserSignInTogether() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address)
    try await provider.set("ada", ["preferred_username": "ada", "groups": ["staff"]])
    let browser = Browser(server)
    let (first, second) = (try await browser.begin(next: "/notes"), try await browser.begin(next: "/runs"))
    let answer = try await browser.goBack(to: try await provider.approve(first, as: "ada"))
    #expect(answer.field("location") == "/notes")
    try await server.stop()
    #expect(first != second)
  }

  @Test func usersWithoutAGroupMayNotSignIn() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address)
    try await provider.set("otto", ["preferred_username": "otto", "groups": ["Staff", "others"]])
    let refused = try await Browser(server).signIn(provider, as: "otto")
    #expect(refused.status == 403 && refused.code == "no_role" && refused.field("set-cookie") == nil)
    #expect(try server.access.users().isEmpty)
    #expect(try audit(server).contains { $0.action == "session.create" && $0.outcome == "no_role" })
    // People see a page, in their language.
    let browser = Browser(server)
    let back = try await provider.approve(try await browser.begin(), as: "otto")
    let page = try await browser.goBack(to: back, [("Accept", "text/html"), ("Accept-Language", "de")])
    #expect(page.status == 403 && page.field("content-type") == "text/html; charset=utf-8")
    #expect(page.text.contains("<html lang=\"de\"") && page.text.contains("href=\"/sign-in/identity?next="))
    #expect(page.text.contains("role=\"alert\"") && page.field("content-security-policy") == PageLayout.securityPolicy)
    // A user who loses the last group loses what is open.
    try await provider.set("otto", ["preferred_username": "otto", "groups": ["staff"]])
    #expect(try await browser.signIn(provider, as: "otto").status == 303)
    #expect(try await browser.me["user"] == "otto")
    try await provider.set("otto", ["preferred_username": "otto", "groups": []])
    #expect(try await Browser(server).signIn(provider, as: "otto").code == "no_role")
    #expect(try await browser.get("/api/v1/me").status == 401)
    try await server.stop()
  }

  @Test func aUserOfTheSameNameIsNeverTakenOver() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address)
    let source = AuditSource(actor: "test", origin: "command")
    try server.access.addUser(
      UserDraft(name: "anna", password: TestServer.password, roles: ["administrator"]), by: source,
      now: SystemTime().now)
    for (subject, name) in [("1", "anna-2"), ("2", "anna-3"), ("1", "anna-2")] {
      try await provider.set(subject, ["preferred_username": "anna", "groups": ["guests"]])
      let browser = Browser(server)
      #expect(try await browser.signIn(provider, as: subject).status == 303)
      #expect(try await browser.me["user"]?.stringValue == name)
    }
    let anna = try server.access.user("anna")
    #expect(anna.roles == ["administrator"] && anna.identity == nil && anna.hasPassword)
    // A user who is locked out stays so.
    try server.access.setDisabled(true, user: "anna-2", by: source, now: SystemTime().now)
    #expect(try await Browser(server).signIn(provider, as: "1").code == "sign_in_refused")
    try await server.stop()
  }

  @Test func groupsRolesAndNameFollowTheProvider() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address)
    try await provider.set("ada", ["preferred_username": "ada", "name": "Ada B.", "groups": ["guests"]])
    let browser = Browser(server)
    _ = try await browser.signIn(provider, as: "ada")
    #expect(try server.access.user("ada").roles == ["viewer"])
    let count = try audit(server).count { $0.action == "user.change" }
    _ = try await browser.signIn(provider, as: "ada")
    #expect(try audit(server).count { $0.action == "user.change" } == count)
    try await provider.set("ada", ["preferred_username": "ada.l", "name": "Ada L.", "groups": ["staff", "admins"]])
    let other = Browser(server)
    #expect(try await other.signIn(provider, as: "ada").status == 303)
    let user = try server.access.user("ada")
    #expect(
      user.roles == ["administrator", "operator"] && user.groups == ["admins", "staff"] && user.fullName == "Ada L.")
    // Other roles end the sessions with the former ones.
    #expect(try await browser.get("/api/v1/me").status == 401)
    #expect(try await other.me["user"] == "ada")
    // The last administrator stays one.
    try await provider.set("ada", ["preferred_username": "ada", "groups": ["guests"]])
    #expect(try await Browser(server).signIn(provider, as: "ada").code == "last_administrator")
    try await server.stop()
  }

  @Test func aRoleThatDoesNotExistIsReported() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address)
    try await provider.set("ada", ["groups": ["typos"]])
    let answer = try await Browser(server).signIn(provider, as: "ada")
    #expect(answer.status == 503 && answer.code == "unknown_role")
    try await server.stop()
  }

  @Test func aDenialAtTheProviderIsReported() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address)
    let browser = Browser(server)
    let url = try await browser.begin()
    let state = try #require(url.split(separator: "state=").last?.split(separator: "&").first)
    let answer = try await browser.get("/sign-in/identity/callback?error=access_denied&state=\(state)")
    #expect(answer.status == 403 && answer.code == "auth_refused")
    let denied = try await browser.get("/sign-in/identity/callback?error=access_denied&state=\(state)")
    #expect(denied.code == "sign_in_expired")
    try await server.stop()
  }

  @Test(arguments: [
    "//evil.example.com", "/%5Cevil.example.com", "/%09/evil.example.com", "https://evil.example.com",
    "evil.example.com",
    "", "/a%0D%0ASet-Cookie:%20a=b", "/sign-in/identity", "/%C3%BC",
  ])
  func theBrowserGoesToPathsOfThisServerOnly(_ next: String) async throws {
    #expect(!IdentitySignIn.isOwnPath(next.removingPercentEncoding ?? next))
  }

  @Test func aForeignPathIsRefusedBeforeTheSignIn() async throws {
    let server = try await server("http://127.0.0.1:\(try LoopbackPort.free())")
    let answer = try await Browser(server).get("/sign-in/identity?next=//evil.example.com")
    #expect(answer.status == 400 && answer.code == "invalid_next")
    try await server.stop()
  }

  @Test func theServerGoesOnWithoutTheProvider() async throws {
    let port = try LoopbackPort.free()
    let server = try await server("http://127.0.0.1:\(port)")
    let token = try server.token()
    let down = try await Browser(server).get("/sign-in/identity?next=/")
    #expect(down.status == 503 && down.code == "identity_unavailable")
    #expect(try await server.call("GET", "/runs", token).status == 200)
    // It is asked again as soon as it is there.
    let provider = try await MockProvider(port: port)
    try await provider.set("ada", ["preferred_username": "ada", "groups": ["staff"]])
    let browser = Browser(server)
    let back = try await provider.approve(try await browser.begin(), as: "ada")
    provider.stop()
    #expect(try await browser.goBack(to: back).code == "identity_unavailable")
    #expect(try await server.call("GET", "/runs", token).status == 200)
    try await server.stop()
  }

  @Test func anIssuerInAnotherFormIsRefused() async throws {
    let provider = try await MockProvider()
    for issuer in [provider.address + "/", "http://localhost.example.com"] {
      let server = try await server(issuer)
      let answer = try await Browser(server).get("/sign-in/identity?next=/")
      #expect(answer.status == 503 && answer.code == "auth_configuration", "\(answer.text)")
      try await server.stop()
    }
  }

  @Test func aMissingSecretIsReportedBeforeTheCodeIsSent() async throws {
    let provider = try await MockProvider()
    let server = try await server(provider.address, secret: "not-there")
    let browser = Browser(server)
    let back = try await provider.approve(try await browser.begin(), as: "ada")
    let answer = try await browser.goBack(to: back)
    #expect(answer.status == 503 && answer.code == "auth_configuration", "\(answer.text)")
    try await server.stop()
  }

  @Test func withoutTheSettingTheAddressDoesNotExist() async throws {
    let server = try await TestServer()
    #expect(try await Browser(server).get("/sign-in/identity").status == 404)
    try await server.stop()
  }
}
