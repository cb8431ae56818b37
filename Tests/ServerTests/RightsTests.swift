import Access
import Engine
import Expressions
import Localization
import TestWorkspace
import Testing

@testable import Server

/// Who may call which operation.
@Suite(.timeLimit(.minutes(3)))
struct RightsTests {
  /// The path of a route with parameters that name nothing.
  private func path(_ route: Route) -> String {
    route.path.split(separator: "/").map { part in
      guard part.hasPrefix("{") else { return String(part) }
      return part == "{number}" ? "1" : part == "{blob}" ? String(repeating: "0", count: 64) : "nothing"
    }.reduce("") { $0 + "/" + $1 }
  }

  /// A table of all operations by all roles: an operation without a right of its own would be open to all.
  @Test func eachOperationIsOpenToTheRolesThatHaveItsRight() async throws {
    let server = try await TestServer(server: "  limits: { per_minute: 100000 }\n")
    let roles: [(role: AccessRole?, token: String?)] =
      try [(nil, nil)]
      + [AccessRole.viewer, .operator, .editor, .administrator].map { ($0, try server.token($0.name)) }
    for route in APIDocument.routes where route.path != "/session" || route.method == .get {
      for (role, token) in roles {
        let answer = try await server.call(route.method.rawValue, path(route), token)
        let isRefused = answer.status == 401 || answer.status == 403 && answer.code == "forbidden"
        let isOpen =
          switch route.right {
          case .everyone: true
          case .signedIn: role != nil
          case .may(let verb, let object): role?.scope(verb, object, folder: nil) ?? .none != .none
          }
        #expect(
          isRefused == !isOpen, "\(route.method.rawValue) \(route.path) as \(role?.name ?? "anybody"): \(answer.status)"
        )
        #expect(answer.status < 500, "\(route.method.rawValue) \(route.path): \(answer.text)")
      }
    }
    try await server.stop()
  }

  @Test func aRoleForAFolderOpensNoOther() async throws {
    let recipe = "name: NAME\nsteps: [{ id: a, uses: log, with: { message: x } }]\n"
    let server = try await TestServer(["private": recipe.replacing("NAME", with: "private")])
    try server.place.makeFolder("recipes/shared")
    try server.place.write("recipes/shared/open.yaml", recipe.replacing("NAME", with: "open"))
    let source = AuditSource(actor: "test", origin: "command")
    try server.access.saveRole(
      AccessRole(
        name: "guest", title: .init(verbatim: "Guest"),
        rules: [AccessRule("recipes/shared: read=all"), AccessRule("runs/shared: read=all create=all")]),
      by: source, now: SystemTime().now)
    let (guest, administrator) = (try server.token("guest"), try server.token())
    let listed = try await server.call("GET", "/recipes", guest).json["items"]?.listValue ?? []
    #expect(listed.compactMap { $0["name"]?.stringValue } == ["open"])
    #expect(try await server.call("GET", "/recipes/private", guest).status == 404)
    #expect(try await server.call("GET", "/recipes/private/text", guest).status == 404)
    #expect(try await server.call("POST", "/recipes/private/runs", guest, [:]).status == 404)
    #expect(try await server.call("PUT", "/recipes/open/text", guest, ["text": "x"]).status == 403)
    let hidden = try #require(
      try await server.call("POST", "/recipes/private/runs", administrator, [:]).json["id"]?.stringValue)
    #expect(try await server.call("POST", "/recipes/open/runs", guest, [:]).status == 201)
    for path in ["", "/logs", "/events", "/doubts", "/steps/a/output", "/diff/\(hidden)"] {
      #expect(try await server.call("GET", "/runs/\(hidden)\(path)", guest).status == 404, "\(path)")
    }
    for action in ["cancel", "resume", "retry", "replay"] {
      let status = try await server.call("POST", "/runs/\(hidden)/\(action)", guest).status
      #expect(status == 404 || status == 403, "\(action)")
    }
    let runs = try await server.call("GET", "/runs", guest).json["items"]?.listValue ?? []
    #expect(runs.compactMap { $0["recipe"]?.stringValue } == ["open"])
    try await server.stop()
  }

  @Test func aTokenHasNoMoreRightsThanItsScopes() async throws {
    let server = try await TestServer()
    let token = try server.token("administrator", scopes: ["runs:read"])
    #expect(try await server.call("GET", "/runs", token).status == 200)
    #expect(try await server.call("GET", "/recipes", token).status == 403)
    #expect(try await server.call("POST", "/tokens", token, ["name": "more"]).status == 403)
    try await server.stop()
  }

  @Test func aRefusalSaysWhetherTheTokenIsTheReason() async throws {
    let server = try await TestServer(["a": "name: a\nsteps: [{ id: a, uses: log, with: { message: x } }]\n"])
    let (scoped, viewer) = (
      try server.token("operator", scopes: ["recipes:read"]), try server.token("viewer", scopes: ["recipes:read"])
    )
    let remedy = "--scope runs:create"
    let byToken = try await server.call("POST", "/recipes/a/runs", scoped, [:])
    #expect(byToken.status == 403 && byToken.code == "forbidden" && byToken.text("detail").contains(remedy))
    #expect(byToken.json["needs"] == "runs: create")
    // The scope would not help: the roles do not include it either.
    let byRole = try await server.call("POST", "/recipes/a/runs", viewer, [:])
    #expect(byRole.status == 403 && !byRole.text("detail").contains(remedy))
    try await server.stop()
  }

  @Test func nobodyGrantsMoreRightsThanTheyHave() async throws {
    let server = try await TestServer()
    let source = AuditSource(actor: "test", origin: "command")
    try server.access.saveRole(
      AccessRole(
        name: "clerk", title: .init(verbatim: "Clerk"),
        rules: [AccessRule("users: read=all create=all update=all delete=all")]),
      by: source, now: SystemTime().now)
    let clerk = try server.token("clerk")
    _ = try server.token("administrator")
    let name = try #require(try server.access.users().first { $0.roles == ["administrator"] }?.name)
    let refused: [HTTPCall.Answer] = [
      try await server.call(
        "POST", "/users", clerk, ["name": "eve", "password": "a long password", "roles": ["administrator"]]),
      try await server.call("PUT", "/users/\(name)/password", clerk, ["password": "a long password"]),
      try await server.call("PATCH", "/users/\(name)", clerk, ["disabled": true]),
      try await server.call("DELETE", "/users/\(name)", clerk),
      try await server.call("PUT", "/roles/mine", clerk, ["rules": ["recipes: read=all"]]),
    ]
    for answer in refused { #expect(answer.status == 403 && answer.code == "grants_too_much", "\(answer.text)") }
    #expect(
      try await server.call(
        "POST", "/users", clerk, ["name": "eve", "password": "a long password", "roles": ["clerk"]]
      ).status == 201)
    try await server.stop()
  }
}
