import Access
import Engine
import Expressions
import HTTPTypes
import Hummingbird
import Localization
import MCP
import RecipeModel

/// Answers assistants at `/mcp`: the Model Context Protocol over Streamable HTTP, with the rights of the token of each request.
struct AssistantResponder: Sendable {
  /// The address.
  static let path = "/mcp"

  private let services: ServerServices
  private let assistant = Assistant(now: { Double(SystemTime().now.seconds) })
  private let sessions = AssistantSessions()

  init(_ services: ServerServices) { self.services = services }

  /// Ends the calls that are under way; their clients learn that the server stops.
  func close() async { await sessions.close() }

  /// The answer; `nil` for other paths.
  func respond(to request: Request, context: ServerContext) async throws -> Response? {
    guard request.uri.path == Self.path else { return nil }
    context.coreContext.endpointPath.value = Self.path
    // A page of another site must not use the rights of a browser, whatever else the request says.
    if let origin = request.headers[.origin], origin != context.origin { throw Problem.foreign(origin) }
    guard let actor = context.actor, let credential = context.credential, !context.isBrowser else {
      throw Problem.unauthorised
    }
    switch request.method {
    case .post: return try await post(request, context, actor, credential)
    case .delete:
      guard let id = request.headers[.mcpSessionID], sessions.remove(id, of: actor) else { throw Self.noSession }
      return Response(status: .noContent)
    default:
      var problem = Problem(
        405, "method_not_allowed", "\(Self.path) takes POST and DELETE", de: "\(Self.path) nimmt POST und DELETE")
      problem.fields = [HTTPField(name: .allow, value: "POST, DELETE")]
      throw problem
    }
  }

  private func post(
    _ request: Request, _ context: ServerContext, _ actor: Actor, _ credential: Credential
  ) async throws -> Response {
    let accepted = request.headers[values: .accept].joined(separator: ",").lowercased()
    let acceptsAll = accepted.isEmpty || accepted.contains("*/*")
    guard acceptsAll || accepted.contains("application/json") else {
      throw Problem(
        406, "not_acceptable", "'Accept' must list application/json and text/event-stream",
        de: "'Accept' muss application/json und text/event-stream nennen")
    }
    let type = request.headers[.contentType]?.lowercased() ?? ""
    guard type.split(separator: ";").first.map({ $0.filter { $0 != " " } }) == "application/json" else {
      throw Problem(
        415, "media_type", "the body must be application/json, not '\(type)'",
        de: "der Inhalt muss application/json sein, nicht '\(type)'")
    }
    let body = try await ServerResponder.collect(request, limit: services.settings.limits.body)
    let message = IncomingMessage(body.readableBytesView)
    let headers = RequestHeaders(
      version: request.headers[values: .mcpProtocolVersion], method: request.headers[values: .mcpMethod],
      name: request.headers[values: .mcpName])
    let operations = RouteOperations(
      services: services, credential: credential, actor: actor, language: context.language, address: context.address,
      origin: context.origin)
    let acceptsEvents = acceptsAll || accepted.contains("text/event-stream")
    do throws(AssistantError) {
      if case .invalid(let id, let error) = message { return Self.refusal(id, error, context) }
      if headers.isStateless(message) {
        try headers.check(message)
        return await stateless(message, operations, acceptsEvents: acceptsEvents)
      }
      try headers.checkHandshakeVersion()
    } catch {
      return Self.refusal(message.id, error, context)
    }
    return try await withSession(message, request, operations, acceptsEvents: acceptsEvents)
  }

  private static func refusal(_ id: MessageID?, _ error: AssistantError, _ context: ServerContext) -> Response {
    AssistantExchange.json(.error(id, error, in: context.language), .badRequest)
  }

  // MARK: - Without a handshake

  /// Answers a message that needs no earlier one. If the client closes the stream, the call is cancelled.
  private func stateless(
    _ message: IncomingMessage, _ operations: RouteOperations, acceptsEvents: Bool
  ) async -> Response {
    let connection = AssistantConnection(assistant, ProtocolSession(facts(operations)))
    sessions.enter(connection)
    let exchange = AssistantExchange()
    connection.receive(message, operations, exchange.sink)
    return await exchange.response(status: Self.status, acceptsEvents: acceptsEvents) { [sessions] isGone in
      if isGone { connection.withdraw() }
      sessions.leave(connection)
    }
  }

  /// The status for the number of an error.
  private static func status(_ number: Int) -> HTTPResponse.Status {
    switch number {
    case -32601: .notFound
    case -32700, -32600, -32602, -32020, -32021, -32022: .badRequest
    default: .ok
    }
  }

  // MARK: - With a handshake

  /// Answers a message of a session. If the client closes the stream, the call ends and its run goes on: nothing is left to
  /// which an answer or a question to the person could go.
  private func withSession(
    _ message: IncomingMessage, _ request: Request, _ operations: RouteOperations, acceptsEvents: Bool
  ) async throws -> Response {
    let connection: AssistantConnection
    var isNew = false
    if let id = request.headers[.mcpSessionID] {
      guard let known = sessions.connection(id, of: operations.actor) else { throw Self.noSession }
      connection = known
    } else if case .request(_, "initialize", _) = message {
      connection = AssistantConnection(assistant, ProtocolSession(facts(operations)))
      isNew = true
    } else {
      throw Problem(
        400, "session_missing", "send 'initialize' first, and the 'Mcp-Session-Id' of its answer with each message",
        de: "zuerst 'initialize' senden, und die 'Mcp-Session-Id' der Antwort mit jeder Nachricht")
    }
    let exchange = AssistantExchange()
    let call = connection.receive(message, operations, exchange.sink)
    var response = await exchange.response(status: { _ in .ok }, acceptsEvents: acceptsEvents) { isGone in
      if isGone, let call { connection.abandon(call) }
    }
    if isNew, connection.hasHandshake {
      response.headers[.mcpSessionID] = sessions.add(connection, of: operations.actor)
    }
    return response
  }

  private static let noSession = Problem(
    404, "unknown_session", "the session has ended: send 'initialize' again",
    de: "die Sitzung ist zu Ende: 'initialize' noch einmal senden")

  private func facts(_ operations: RouteOperations) -> ServerFacts {
    ServerFacts(version: services.version, language: operations.language, pushes: false)
  }
}
