import Access
import Engine
import Expressions
import Foundation
import Localization
import RunStore
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import MCP
@testable import Server

/// `/mcp`: the Model Context Protocol over HTTP.
@Suite(.timeLimit(.minutes(5)))
struct AssistantTests {
  private static let greet = """
    name: greet
    tool: true
    inputs: { who: { type: string, default: you } }
    steps: [{ id: text, uses: template, with: { text: "hello {{ inputs.who }}" } }]
    outputs: { text: "{{ steps.text.output.text }}" }

    """
  private static let ask = """
    name: ask
    tool: true
    steps:
      - { id: question, uses: approve, with: { message: "Really?" } }
      - { id: text, uses: template, with: { text: "{{ string(steps.question.output.approved) }}" } }
    outputs: { text: "{{ steps.text.output.text }}" }

    """
  private static let nap = "name: nap\ntool: true\nsteps: [{ id: nap, uses: sleep, with: { for: 1h } }]\n"

  private func meta(_ capabilities: Value) -> Value {
    [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    ]
  }

  private func fields(_ token: String?, _ more: [(String, String)] = []) -> [(String, String)] {
    var fields = [
      ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
    ]
    if let token { fields.append(("Authorization", "Bearer " + token)) }
    return fields + more
  }

  /// The bytes of a request without a handshake.
  private func request(
    _ server: TestServer, _ token: String?, _ method: String, _ params: ValueMap, _ capabilities: Value = [:],
    _ more: [(String, String)] = []
  ) -> [UInt8] {
    var params = params
    params["_meta"] = meta(capabilities)
    let body = (["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .map(params)] as Value).json()
    var fields = fields(token, [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)] + more)
    if let name = params["name"]?.stringValue ?? params["uri"]?.stringValue { fields.append(("Mcp-Name", name)) }
    return HTTPCall(server.port).head("POST", "/mcp", fields, body.count) + body
  }

  private func call(
    _ server: TestServer, _ token: String?, _ method: String, _ params: ValueMap = [:], _ capabilities: Value = [:],
    _ more: [(String, String)] = []
  ) async throws -> HTTPCall.Answer {
    Self.whole(try await HTTPCall(server.port).raw(request(server, token, method, params, capabilities, more)))
  }

  private func tool(
    _ server: TestServer, _ token: String, _ name: String, _ arguments: Value = [:], _ capabilities: Value = [:],
    _ more: ValueMap = [:]
  ) async throws -> Value {
    var params: ValueMap = ["name": .string(name), "arguments": arguments]
    for (key, value) in more.entries { params[key] = value }
    return try await call(server, token, "tools/call", params, capabilities).json
  }

  /// An answer with its last message as its body. On a busy machine also a short answer is a stream.
  private static func whole(_ answer: HTTPCall.Answer) -> HTTPCall.Answer {
    guard answer.field("content-type") == "text/event-stream" else { return answer }
    var answer = answer
    answer.body = messages(answer.text).last?.json() ?? []
    return answer
  }

  /// The messages of a stream.
  private static func messages(_ text: String) -> [Value] {
    text.split(separator: "\n").compactMap { line in
      line.hasPrefix("data: ") ? try? Value(json: String(line.dropFirst(6))) : nil
    }
  }

  // MARK: - Without a handshake

  @Test func toolsAreListedAndCalled() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    let listed = try await call(server, token, "tools/list")
    #expect(listed.status == 200 && listed.json["result"]?["resultType"] == "complete", "\(listed.text)")
    #expect(listed.json["result"]?["tools"]?.listValue?.last?["name"] == "greet")
    let result = try await tool(server, token, "greet", ["who": "Ada"])["result"]
    #expect(result?["structuredContent"] == ["text": "hello Ada"], "\(result ?? .null)")
    let (me, runs) = (try await server.call("GET", "/me", token), try await server.call("GET", "/runs", token))
    let owner = runs.json["items"]?.listValue?.first?["started_by"]
    #expect(owner != nil && owner == me.json["user"], "\(runs.text)")
    let entries = try server.access.audit(limit: 100)
    #expect(entries.contains { $0.action == "runRecipe" && $0.object == "recipes/greet/runs" && $0.outcome == "done" })
    try await server.stop()
  }

  @Test func aQuestionOfARunIsAnsweredInRounds() async throws {
    let server = try await TestServer(["ask": Self.ask])
    let token = try server.token("operator")
    let first = try await tool(server, token, "ask", [:], ["elicitation": [:]])["result"]
    #expect(first?["resultType"] == "input_required", "\(first ?? .null)")
    let key = try #require(first?["inputRequests"]?.mapValue?.keys.first?.text)
    let answers: Value = [key: ["action": "accept", "content": ["sous_decision": "approve"]]]
    let more: ValueMap = ["inputResponses": answers, "requestState": first?["requestState"] ?? .null]
    let second = try await tool(server, token, "ask", [:], ["elicitation": [:]], more)["result"]
    #expect(second?["structuredContent"] == ["text": "true"], "\(second ?? .null)")
    // The state of one user is of no use to another one.
    let stranger = try server.token("operator")
    let refused = try await tool(server, stranger, "ask", [:], ["elicitation": [:]], more)
    #expect(refused["error"]?["data"]?["code"] == "invalid_state")
    try await server.stop()
  }

  @Test func aClosedStreamCancelsTheRun() async throws {
    let server = try await TestServer(["nap": Self.nap])
    let token = try server.token("operator")
    let descriptor = HTTPCall.connect(server.port)
    HTTPCall.write(request(server, token, "tools/call", ["name": "nap", "arguments": [:]]), to: descriptor)
    var run: RunSummary?
    try await eventually {
      run = try await server.session.store.runs(RunFilter(limit: 1)).first
      return run?.status == .waiting || run?.status == .running
    }
    close(descriptor)
    let id = try #require(run?.id)
    try await eventually { try await server.session.store.status(of: id) == .cancelled }
    try await server.stop()
  }

  @Test func requestsThatContradictTheirHeaderAreRefused() async throws {
    let server = try await TestServer()
    let token = try server.token("viewer")
    let http = HTTPCall(server.port)
    let body = (["jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": ["_meta": meta([:])]] as Value).json()
    let missing = try await http.send("POST", "/mcp", fields(token), body)
    #expect(missing.status == 400 && missing.json["error"]?["code"] == -32020, "\(missing.text)")
    let unknown = try await call(server, token, "prompts/list")
    #expect(unknown.status == 404 && unknown.json["error"]?["code"] == -32601)
    let malformed = try await http.send("POST", "/mcp", fields(token), Array("{".utf8))
    #expect(malformed.status == 400 && malformed.json["error"]?["code"] == -32700)
    let notification = Array(#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.utf8)
    let accepted = try await http.send(
      "POST", "/mcp", fields(token, [("MCP-Protocol-Version", "2026-07-28")]), notification)
    #expect(accepted.status == 202)
    try await server.stop()
  }

  // MARK: - With a handshake

  @Test func aSessionKeepsTheFeaturesOfTheClient() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let (token, stranger) = (try server.token("operator"), try server.token("operator"))
    let http = HTTPCall(server.port)
    func send(_ token: String, _ message: Value, _ session: String?) async throws -> HTTPCall.Answer {
      let more = session.map { [("Mcp-Session-Id", $0), ("MCP-Protocol-Version", "2025-11-25")] } ?? []
      return Self.whole(try await http.send("POST", "/mcp", fields(token, more), message.json()))
    }
    let hello: Value = [
      "jsonrpc": "2.0", "id": 0, "method": "initialize",
      "params": ["protocolVersion": "2025-11-25", "capabilities": [:]],
    ]
    let answer = try await send(token, hello, nil)
    let session = try #require(answer.field("mcp-session-id"))
    #expect(answer.json["result"]?["protocolVersion"] == "2025-11-25")
    let initialized: Value = ["jsonrpc": "2.0", "method": "notifications/initialized"]
    #expect(try await send(token, initialized, session).status == 202)
    let list: Value = ["jsonrpc": "2.0", "id": 1, "method": "tools/list"]
    #expect(try await send(token, list, session).json["result"]?["tools"]?.listValue?.count == 9)
    #expect(try await send(token, list, nil).status == 400)
    #expect(try await send(stranger, list, session).status == 404)
    let gone = try await http.send("DELETE", "/mcp", fields(token, [("Mcp-Session-Id", session)]))
    #expect(gone.status == 204)
    #expect(try await send(token, list, session).status == 404)
    let version = try await http.send(
      "POST", "/mcp", fields(token, [("MCP-Protocol-Version", "1900-01-01")]), list.json())
    #expect(version.status == 400 && version.json["error"]?["code"] == -32022)
    try await server.stop()
  }

  /// The answer to a message of a session.
  private func message(
    _ server: TestServer, _ token: String, _ session: String?, _ message: Value
  ) async throws -> HTTPCall.Answer {
    let more = session.map { [("Mcp-Session-Id", $0), ("MCP-Protocol-Version", "2025-11-25")] } ?? []
    return Self.whole(try await HTTPCall(server.port).send("POST", "/mcp", fields(token, more), message.json()))
  }

  private let hello: Value = [
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": ["protocolVersion": "2025-11-25", "capabilities": [:]],
  ]

  @Test func aSessionBelongsToTheTokenThatHasBegunIt() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    let (source, now) = (AuditSource(actor: "test", origin: "command"), SystemTime().now)
    let user = try server.access.actor(token: token, now: now).user
    let other = try server.access.addToken(name: "other", user: user, scopes: ["runs:read"], by: source, now: now).text
    let session = try #require(try await message(server, token, nil, hello).field("mcp-session-id"))
    let list: Value = ["jsonrpc": "2.0", "id": 1, "method": "tools/list"]
    let refused = try await message(server, other, session, list)
    #expect(refused.status == 404 && refused.code == "unknown_session")
    let kept = try await HTTPCall(server.port).send("DELETE", "/mcp", fields(other, [("Mcp-Session-Id", session)]))
    #expect(kept.status == 404)
    #expect(try await message(server, token, session, list).status == 200)
    try await server.stop()
  }

  @Test func anAbandonedCallLeavesItsRunAndItsIdIsFree() async throws {
    let server = try await TestServer(["nap": Self.nap])
    let token = try server.token("operator")
    let session = try #require(try await message(server, token, nil, hello).field("mcp-session-id"))
    let nap: Value = [
      "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": ["name": "nap", "arguments": [:]],
    ]
    let body = nap.json()
    let more = [("Mcp-Session-Id", session), ("MCP-Protocol-Version", "2025-11-25")]
    let descriptor = HTTPCall.connect(server.port)
    HTTPCall.write(HTTPCall(server.port).head("POST", "/mcp", fields(token, more), body.count) + body, to: descriptor)
    var run: RunSummary?
    try await eventually {
      run = try await server.session.store.runs(RunFilter(limit: 1)).first
      return run?.status == .waiting
    }
    close(descriptor)
    let list: Value = ["jsonrpc": "2.0", "id": 5, "method": "tools/list"]
    try await eventually(every: .milliseconds(200)) {
      try await message(server, token, session, list).json["result"]?["tools"] != nil
    }
    #expect(try await server.session.store.status(of: try #require(run?.id)) == .waiting)
    try await server.stop()
  }

  // MARK: - Rights

  @Test(arguments: TestServer.Loss.allCases)
  func aCallEndsWithTheRightsOfItsCaller(_ loss: TestServer.Loss) async throws {
    let server = try await TestServer(["nap": Self.nap], rightsInterval: 0.05)
    let token = try server.token("operator")
    let text = try await server.answer(
      to: request(server, token, "tools/call", ["name": "nap", "arguments": [:]]), from: token,
      until: "text/event-stream", losing: loss
    ) { try await server.session.store.runs(RunFilter(limit: 1)).first?.status == .waiting }
    let run = try #require(try await server.session.store.runs(RunFilter(limit: 1)).first)
    let error = Self.messages(text).last?["error"]
    #expect(error?["code"] == (loss == .otherRole ? 403 : 401), "\(text)")
    #expect(error?["data"]?["run"] == .string(run.id.rawValue))
    #expect(try await server.session.store.status(of: run.id).isFinal == false)
    try await server.stop()
  }

  @Test func eachOperationOfACallReadsTheRightsAnew() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    let credential = Credential.token(token)
    let actor = try credential.actor(in: server.access, now: SystemTime().now)
    #expect(actor.may(.create, .runs))
    try server.take(.otherRole, from: token)
    #expect(try !credential.actor(in: server.access, now: SystemTime().now).may(.create, .runs))
    try server.take(.removedToken, from: token)
    #expect(throws: AccessError.self) { try credential.actor(in: server.access, now: SystemTime().now) }
    try await server.stop()
  }

  @Test func onlyTokensAndOwnPagesComeIn() async throws {
    let server = try await TestServer()
    let token = try server.token("viewer")
    let nobody = try await call(server, nil, "tools/list")
    #expect(nobody.status == 401 && nobody.field("www-authenticate") != nil)
    #expect(try await call(server, "sous_wrong", "tools/list").status == 401)
    let foreign = try await call(server, token, "tools/list", [:], [:], [("Origin", "https://evil.example")])
    #expect(foreign.status == 403 && foreign.code == "foreign_origin")
    let own = try await call(server, token, "tools/list", [:], [:], [("Origin", "http://127.0.0.1:\(server.port)")])
    #expect(own.status == 200)
    let get = try await HTTPCall(server.port).send("GET", "/mcp", fields(token))
    #expect(get.status == 405 && get.field("allow") == "POST, DELETE")
    let text = try await HTTPCall(server.port).send(
      "POST", "/mcp", [("Authorization", "Bearer " + token), ("Content-Type", "text/plain")], Array("{}".utf8))
    #expect(text.status == 415)
    try await server.stop()
  }

  /// A table of all tools by all roles: each needs the right of its operation.
  @Test func eachToolIsOpenToTheRolesThatHaveItsRight() async throws {
    let server = try await TestServer(["greet": Self.greet], server: "  limits: { per_minute: 100000 }\n")
    let greet = AssistantTool(
      name: "greet", title: "", summary: "", input: [:], operation: "runRecipe", work: .recipe("greet"))
    let tools = BuiltInTools.all(in: .english) + [greet]
    for role in [AccessRole.viewer, .operator, .editor, .administrator] {
      let token = try server.token(role.name)
      let listed = try await call(server, token, "tools/list").json["result"]?["tools"]?.listValue ?? []
      let names = Set(listed.compactMap { $0["name"]?.stringValue })
      for tool in tools {
        let route = try #require(APIDocument.routes.first { $0.id == tool.operation })
        guard case .may(let verb, let object) = route.right else {
          Issue.record("\(tool.name) has no right of its own")
          continue
        }
        let isOpen = role.scope(verb, object, folder: nil) != .none
        #expect(names.contains(tool.name) == isOpen, "\(tool.name) as \(role.name)")
        let arguments: Value =
          switch tool.work {
          case .showRecipe, .runRecipe: ["recipe": "greet"]
          case .showRun, .answerDecision, .cancelRun: ["run": "none"]
          default: [:]
          }
        let answer = try await self.tool(server, token, tool.name, arguments)
        #expect(
          (answer["error"]?["data"]?["code"] == "unknown_tool") == !isOpen, "\(tool.name) as \(role.name): \(answer)")
      }
    }
    try await server.stop()
  }

  @Test func aRoleForAFolderOpensNoOther() async throws {
    let server = try await TestServer(["private": Self.greet.replacing("greet", with: "private")])
    try server.place.makeFolder("recipes/shared")
    try server.place.write("recipes/shared/open.yaml", Self.greet.replacing("greet", with: "open"))
    let source = AuditSource(actor: "test", origin: "command")
    try server.access.saveRole(
      AccessRole(
        name: "guest", title: .init(verbatim: "Guest"),
        rules: [AccessRule("recipes/shared: read=all"), AccessRule("runs/shared: read=all create=all")]),
      by: source, now: SystemTime().now)
    let (guest, administrator) = (try server.token("guest"), try server.token())
    let listed = try await call(server, guest, "tools/list").json["result"]?["tools"]?.listValue ?? []
    let names = listed.compactMap { $0["name"]?.stringValue }
    #expect(names.contains("open") && !names.contains("private"))
    #expect(try await tool(server, guest, "private")["error"]?["data"]?["code"] == "unknown_tool")
    #expect(
      try await tool(server, guest, "run_recipe", ["recipe": "private"])["result"]?["_meta"]?["sous/code"]
        == "not_found")
    let hidden = try await tool(server, administrator, "private")["result"]
    let uri = try #require(hidden?["content"]?[1]?["uri"]?.stringValue)
    for address in [uri, uri + "/log"] {
      let answer = try await call(server, guest, "resources/read", ["uri": .string(address)])
      #expect(answer.json["error"]?["data"]?["code"] == "unknown_resource", "\(answer.text)")
    }
    _ = try await tool(server, guest, "open")
    let resources = try await call(server, guest, "resources/list").json["result"]?["resources"]?.listValue ?? []
    #expect(resources.count == 2 && resources.allSatisfy { $0["name"]?.stringValue?.hasPrefix("open ") ?? false })
    try await server.stop()
  }
}
