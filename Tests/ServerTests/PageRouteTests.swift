import Access
import Engine
import Expressions
import Foundation
import Localization
import Page
import RunStore
import Schedules
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// The pages of a server.
@Suite(.timeLimit(.minutes(3)))
struct PageRouteTests {
  private static let recipes = [
    "greet": "name: greet\nsteps: [{ id: hello, uses: log, with: { message: \"<script>alert(1)</script>\" } }]\n",
    "ask": "name: ask\nsteps: [{ id: may, uses: approve, with: { message: \"<img src=x onerror=alert(1)>\" } }]\n",
  ]

  private func get(
    _ server: TestServer, _ path: String, _ fields: [(String, String)] = []
  ) async throws -> HTTPCall.Answer {
    try await HTTPCall(server.port).send("GET", path, [("Accept", "text/html")] + fields)
  }

  private func path(_ route: PageRoute, _ run: String) -> String {
    guard route.path != "/" else { return "/" }
    return route.path.split(separator: "/").map { part in
      switch part {
      case "{run}": run
      case "{recipe}": "greet"
      case "{user}", "{message}", "{entry}": "nobody-here"
      case "{note}", "{conversation}": "1"
      default: String(part)
      }
    }.reduce("") { $0 + "/" + $1 }
  }

  /// The pages of objects that the test does not have.
  private static func isMissing(_ path: String) -> Bool {
    ["/filters/{recipe}", "/providers/{provider}", "/plugins/{plugin}"].contains(path)
      || ["{user}", "{note}", "{message}", "{entry}", "{conversation}"].contains { path.contains($0) }
  }

  /// A session as a browser has it: the cookie and the token of its pages.
  private func session(_ server: TestServer, _ role: String) async throws -> (
    cookie: String, token: String, user: String
  ) {
    let before = Set(try server.access.users().map(\.name))
    _ = try server.token(role)
    let name = try #require(try server.access.users().map(\.name).first { !before.contains($0) })
    let answer = try await server.call(
      "POST", "/session", nil, ["user": .string(name), "password": .string(TestServer.password)])
    let cookie = try #require(answer.field("set-cookie")?.split(separator: ";").first.map(String.init))
    return (cookie, try #require(answer.json["csrf_token"]?.stringValue), name)
  }

  @Test func eachPageIsOpenToTheRolesThatHaveItsRight() async throws {
    let server = try await TestServer(Self.recipes, server: "  limits: { per_minute: 100000 }\n")
    let started = try await server.call("POST", "/recipes/greet/runs", try server.token(), [:])
    let run = try #require(started.json["id"]?.stringValue)
    try await eventually { try await server.session.store.status(of: RunID(rawValue: run)).isFinal }
    for route in PageRoute.all {
      let answer = try await get(server, path(route, run))
      if route.right == .everyone {
        #expect(answer.status == 200, "\(route.path)")
      } else {
        #expect(answer.status == 303 && answer.field("location")?.hasPrefix("/sign-in") == true, "\(route.path)")
      }
    }
    for role in [AccessRole.viewer, .operator, .editor, .administrator] {
      let cookie = try await session(server, role.name).cookie
      for route in PageRoute.all where route.path != "/sign-in" {
        let answer = try await get(server, path(route, run), [("Cookie", cookie)])
        let isOpen =
          switch route.right {
          case .everyone, .signedIn: true
          case .may(let verb, let object): role.scope(verb, object) != .none
          }
        let expected = Self.isMissing(route.path) && isOpen ? 404 : isOpen ? 200 : 403
        #expect(answer.status == expected, "\(route.path) as \(role.name): \(answer.status)")
        #expect(answer.field("content-type") == "text/html; charset=utf-8", "\(route.path)")
        #expect(answer.field("content-security-policy") == PageLayout.securityPolicy, "\(route.path)")
        #expect(answer.field("x-content-type-options") == "nosniff" && answer.field("cache-control") == "no-store")
        #expect(answer.field("referrer-policy") == "same-origin")
        #expect(!answer.text.contains("<script>") && !answer.text.contains("<img"), "\(route.path)")
      }
    }
    try await server.stop()
  }

  @Test func theSecurityPolicyAllowsNothingFromElsewhere() {
    #expect(
      PageLayout.securityPolicy
        == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
  }

  @Test func filesAreKeptByBrowsers() async throws {
    let server = try await TestServer()
    for asset in PageAsset.all {
      let answer = try await get(server, PageAsset.folder + asset.name)
      #expect(answer.status == 200 && answer.body == asset.bytes && answer.field("content-type") == asset.type)
      #expect(answer.field("cache-control") == "public, max-age=31536000, immutable")
    }
    #expect(try await get(server, "/assets/0/page.js").status == 404)
    let head = try await HTTPCall(server.port).send("HEAD", PageAsset.folder + "page.css")
    #expect(head.status == 200 && head.body.isEmpty)
    try await server.stop()
  }

  @Test func aFormWithoutAScriptSignsIn() async throws {
    let server = try await TestServer()
    _ = try server.token("operator")
    let name = try #require(try server.access.users().first?.name)
    func send(_ password: String, _ next: String, origin: String? = nil) async throws -> HTTPCall.Answer {
      let body = "user=\(name)&password=" + PageAddress.escaped(password) + "&next=" + PageAddress.escaped(next)
      var fields = [("Content-Type", "application/x-www-form-urlencoded")]
      if let origin { fields.append(("Origin", origin)) }
      return try await HTTPCall(server.port).send("POST", "/sign-in", fields, Array(body.utf8))
    }
    let wrong = try await send("wrong", "/runs")
    #expect(wrong.status == 401 && wrong.field("set-cookie") == nil && wrong.text.contains("value=\"\(name)\""))
    #expect(!wrong.text.contains("wrong\""))
    let right = try await send(TestServer.password, "/runs?status=failed")
    #expect(right.status == 303 && right.field("location") == "/runs?status=failed")
    let cookie = try #require(right.field("set-cookie")?.split(separator: ";").first.map(String.init))
    #expect(try await get(server, "/runs", [("Cookie", cookie)]).status == 200)
    for evil in ["//evil", "https://evil", "/\\evil", "javascript:alert(1)"] {
      #expect(try await send(TestServer.password, evil).field("location") == "/", "\(evil)")
      #expect(
        try await get(server, "/sign-in?next=" + PageAddress.escaped(evil), [("Cookie", cookie)]).field("location")
          == "/")
    }
    #expect(try await send(TestServer.password, "/", origin: "https://evil.example").status == 403)
    try await server.stop()
  }

  @Test func signingOutNeedsTheTokenOfTheSession() async throws {
    let server = try await TestServer()
    let session = try await session(server, "viewer")
    func out(_ token: String) async throws -> HTTPCall.Answer {
      try await HTTPCall(server.port).send(
        "POST", "/sign-out", [("Cookie", session.cookie)], Array("csrf_token=\(token)".utf8))
    }
    #expect(try await out("forged").status == 403)
    #expect(try await get(server, "/", [("Cookie", session.cookie)]).status == 200)
    #expect(try await out(PageAddress.escaped(session.token)).field("location") == "/sign-in")
    #expect(try await get(server, "/", [("Cookie", session.cookie)]).status == 303)
    try await server.stop()
  }

  @Test func aPageSpeaksTheLanguageOfTheUser() async throws {
    let server = try await TestServer()
    let session = try await session(server, "viewer")
    let german = try await get(server, "/", [("Cookie", session.cookie), ("Accept-Language", "de")])
    #expect(german.text.contains("<html lang=\"de\"") && german.field("content-language") == "de")
    var change = UserChange()
    change.language = .some(.english)
    _ = try server.access.changeUser(
      session.user, change, by: AuditSource(actor: "test", origin: "command"), now: SystemTime().now)
    #expect(
      try await get(server, "/", [("Cookie", session.cookie), ("Accept-Language", "de")]).text.contains(
        "<html lang=\"en\""))
    try await server.stop()
  }

  @Test func aRunIsShownWithItsLogAndQuestion() async throws {
    let server = try await TestServer(Self.recipes)
    let token = try server.token("operator")
    let cookie = try await session(server, "operator").cookie
    for (recipe, expected) in [("greet", "&lt;script&gt;alert(1)"), ("ask", "&lt;img src=x onerror=alert(1)&gt;")] {
      let run = try #require(
        try await server.call("POST", "/recipes/\(recipe)/runs", token, [:]).json["id"]?.stringValue)
      try await eventually {
        let status = try await server.session.store.status(of: RunID(rawValue: run))
        return status.isFinal || status == .waiting
      }
      let page = try await get(server, "/runs/\(run)", [("Cookie", cookie)])
      #expect(page.status == 200 && page.text.contains(expected) && page.text.contains("<svg class=\"graph\""))
      #expect(try await get(server, "/runs?search=alert&recipe=\(recipe)", [("Cookie", cookie)]).status == 200)
    }
    #expect(
      try await get(server, "/decisions", [("Cookie", cookie)]).text.contains("&lt;img src=x onerror=alert(1)&gt;"))
    #expect(try await get(server, "/runs?cursor=nonsense", [("Cookie", cookie)]).text.contains("role=\"alert\""))
    try await server.stop()
  }

  @Test func thePreviewChecksATextWithoutStoringIt() async throws {
    let server = try await TestServer(Self.recipes)
    let session = try await session(server, "viewer")
    let text: Value = ["text": "name: greet\nsteps: [{ id: a, uses: lgo }]\n", "recipe": "greet"]
    func send(_ token: String) async throws -> HTTPCall.Answer {
      try await HTTPCall(server.port).send(
        "POST", "/preview",
        [("Cookie", session.cookie), ("X-CSRF-Token", token), ("Content-Type", "application/json")], text.json())
    }
    let checked = try await send(session.token)
    #expect(checked.status == 200 && checked.text.contains("data-line=\"2\""), "\(checked.text)")
    #expect(try await send("forged").status == 403)
    #expect(server.place.text("recipes/greet.yaml") == Self.recipes["greet"])
    try await server.stop()
  }

  @Test func anUnknownPathIsAPageForBrowsersOnly() async throws {
    let server = try await TestServer()
    let page = try await get(server, "/nowhere<script>")
    #expect(
      page.status == 404 && page.field("content-type") == "text/html; charset=utf-8" && !page.text.contains("<script>"))
    #expect(page.field("content-security-policy") == PageLayout.securityPolicy)
    let program = try await HTTPCall(server.port).send("GET", "/nowhere")
    #expect(program.status == 404 && program.field("content-type") == "application/problem+json")
    #expect(try await get(server, "/api/v1/nowhere").field("content-type") == "application/problem+json")
    try await server.stop()
  }

  @Test(
    arguments: [
      ("2026-02", 2026, 2, 28, 6), ("2024-02", 2024, 2, 29, 3), ("2026-13", 2026, 11, 30, 6),
      ("nonsense", 2026, 11, 30, 6),
      (nil, 2026, 11, 30, 6),
    ] as [(String?, Int, Int, Int, Int)])
  func aMonthIsRead(text: String?, year: Int, month: Int, days: Int, start: Int) throws {
    let zone = try #require(Zone("Europe/Zurich"))
    let calendar = MonthCalendar(text, now: Date(timeIntervalSince1970: 1_795_910_400), zone: zone)
    #expect(calendar.month.year == year && calendar.month.month == month)
    #expect(calendar.month.days == days && calendar.month.start == start)
  }

  @Test func aFormIsReadFieldByField() {
    let fields = FormFields("a=1+2&b=%C3%BC%26&c&a=3&d=%zz&e=")
    #expect(
      fields["a"] == "1 2" && fields["b"] == "ü&" && fields["c"] == "" && fields["d"] == "%zz" && fields["e"] == "")
    #expect(fields["f"] == nil && fields.all.count == 6)
  }
}
