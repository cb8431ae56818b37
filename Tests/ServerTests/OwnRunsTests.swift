import Access
import Engine
import Expressions
import Localization
import RunStore
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// Runs belong to the users who start them.
@Suite(.timeLimit(.minutes(3)))
struct OwnRunsTests {
  private static let recipes = [
    "say": "name: say\nsteps: [{ id: a, uses: log, with: { message: x } }]\n",
    "ask": "name: ask\nsteps: [{ id: q, uses: approve, with: { message: 'Really?' } }]\n",
    "outer": "name: outer\nsteps: [{ id: inner, uses: recipe, with: { recipe: say } }]\n",
    "often": "name: often\non: { schedule: '0 0 1 1 *' }\nsteps: [{ id: a, uses: log, with: { message: x } }]\n",
  ]

  /// A server with roles for own runs and for those of a group.
  private func server() async throws -> TestServer {
    let server = try await TestServer(Self.recipes)
    let source = AuditSource(actor: "test", origin: "command")
    for scope in ["my", "group"] {
      try server.access.saveRole(
        AccessRole(
          name: scope, title: .init(verbatim: scope),
          rules: [
            AccessRule("recipes: read=all"), AccessRule("runs: read=\(scope) create=\(scope) update=\(scope)"),
            AccessRule("decisions: read=\(scope) update=\(scope)"),
          ]), by: source, now: SystemTime().now)
    }
    return server
  }

  /// The ids of the listed runs.
  private func runs(_ server: TestServer, _ token: String, _ query: String = "") async throws -> Set<String> {
    let items = try await server.call("GET", "/runs\(query)", token).json["items"]?.listValue ?? []
    return Set(items.compactMap { $0["id"]?.stringValue })
  }

  private func start(_ server: TestServer, _ recipe: String, _ token: String) async throws -> String {
    let answer = try await server.call("POST", "/recipes/\(recipe)/runs", token, [:])
    return try #require(answer.json["id"]?.stringValue, "\(answer.text)")
  }

  @Test func aUserWithTheScopeMySeesAndChangesOwnRunsAlone() async throws {
    let server = try await server()
    let (eva, otto, all) = (try server.token("my"), try server.token("my"), try server.token())
    let (evas, ottos) = (try await start(server, "say", eva), try await start(server, "say", otto))
    #expect(try await runs(server, eva) == [evas])
    #expect(try await runs(server, otto) == [ottos])
    #expect(try await runs(server, all) == [evas, ottos])
    let shown = try await server.call("GET", "/runs/\(evas)", eva)
    let name = try #require(shown.json["started_by"]?.stringValue)
    #expect(name.hasPrefix("my-"))
    #expect(try await runs(server, all, "?started_by=\(name)") == [evas])
    #expect(try await runs(server, otto, "?started_by=\(name)") == [])
    for path in ["", "/events", "/logs", "/doubts", "/steps/a/output", "/diff/\(evas)"] {
      #expect(try await server.call("GET", "/runs/\(evas)\(path)", otto).status == 404, "\(path)")
    }
    for action in ["cancel", "resume", "retry", "replay", "settle", "decision", "mail-undo"] {
      let body: Value? = action == "settle" ? ["done": true] : action == "decision" ? ["approved": true] : nil
      #expect(try await server.call("POST", "/runs/\(evas)/\(action)", otto, body).status == 404, "\(action)")
    }
    // The newest run belongs to another user: its id is not part of the answer.
    let newest = try await server.call("GET", "/runs/last", eva)
    #expect(newest.status == 404 && !newest.text.contains(ottos))
    // A common beginning of ids does not list them.
    let ambiguous = try await server.call("GET", "/runs/0", eva)
    #expect(ambiguous.status == 404 && !ambiguous.text.contains(ottos) && !ambiguous.text.contains(evas))
    try await eventually { try await server.session.store.status(of: RunID(rawValue: evas)).isFinal }
    #expect(try await server.call("POST", "/runs/\(evas)/replay", eva).status == 201)
    #expect(try await runs(server, eva).count == 2)
    try await server.stop()
  }

  @Test func aUserWithTheScopeGroupAnswersQuestionsOfTheGroup() async throws {
    let server = try await server()
    let (eva, otto) = (try server.token("my", groups: ["office"]), try server.token("group", groups: ["office"]))
    let foreign = try server.token("group", groups: ["workshop"])
    let run = try await start(server, "ask", eva)
    func questions(_ token: String) async throws -> Int {
      try await server.call("GET", "/decisions", token).json["items"]?.listValue?.count ?? -1
    }
    try await eventually { try await questions(otto) == 1 }
    #expect(try await questions(foreign) == 0)
    #expect(try await runs(server, otto) == [run])
    #expect(try await runs(server, foreign) == [])
    #expect(try await server.call("POST", "/runs/\(run)/decision", foreign, ["approved": true]).status == 404)
    #expect(try await server.call("POST", "/runs/\(run)/decision", otto, ["approved": true]).status == 200)
    try await eventually { try await server.session.store.status(of: RunID(rawValue: run)) == .succeeded }
    try await server.stop()
  }

  @Test func partsOfARunBelongToItsUserAndRunsOfOthersToNone() async throws {
    let server = try await server()
    let token = try server.token("my")
    let run = try await start(server, "outer", token)
    try await eventually { try await server.session.store.status(of: RunID(rawValue: run)).isFinal }
    let record = try await server.session.store.run(run)
    let part = try #require(record.children.first?.id)
    #expect(try await server.session.store.summary(of: part).startedBy == record.summary.startedBy)
    #expect(try await server.call("GET", "/runs/\(part)", token).status == 200)
    // As the command starts it.
    let outcome = try await server.session.run(
      try server.session.project.check(RunOrder(server.place.folder + "/recipes/say.yaml")))
    #expect(outcome.summary.startedBy == nil)
    #expect(try await server.call("GET", "/runs/\(outcome.result.id)", token).status == 404)
    try await server.stop()
  }

  @Test func ownDataHasTheRunsAndErasureRemovesTheName() async throws {
    let server = try await server()
    let (token, all) = (try server.token("my"), try server.token())
    let run = try await start(server, "say", token)
    let name = try #require(try server.access.users().first { $0.roles == ["my"] }?.name)
    let data = try await server.call("GET", "/users/\(name)/export", all).json
    #expect(data["runs"]?.listValue?.compactMap { $0["id"]?.stringValue } == [run])
    #expect(try await server.call("POST", "/users/\(name)/erase", all).json["replacement"] == "erased-1")
    #expect(try await server.call("GET", "/runs/\(run)", all).json["started_by"] == .null)
    // A second erasure finds nothing more.
    #expect(try await server.call("POST", "/users/\(name)/erase", all).code == "unknown_user")
    try await server.stop()
  }

  @Test func aLaterUserOfTheSameNameDoesNotOwnFormerRuns() async throws {
    let server = try await server()
    let (token, all) = (try server.token("my"), try server.token())
    let run = try await start(server, "say", token)
    let name = try #require(try server.access.users().first { $0.roles == ["my"] }?.name)
    #expect(try await server.call("DELETE", "/users/\(name)", all).status == 204)
    let (source, now) = (AuditSource(actor: "test", origin: "command"), SystemTime().now)
    _ = try server.access.addUser(
      UserDraft(name: name, password: TestServer.password, roles: ["my"]), by: source, now: now)
    let later = try server.access.addToken(name: "later", user: name, scopes: [], by: source, now: now).text
    #expect(try await runs(server, later) == [])
    #expect(try await server.call("GET", "/runs/\(run)", later).status == 404)
    try await server.stop()
  }
}
