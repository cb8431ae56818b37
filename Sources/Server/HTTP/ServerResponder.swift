import Access
import Engine
import Expressions
import Foundation
import HTTPTypes
import Hummingbird
import Localization
import NIOCore
import Networking
import RecipeModel
import Serve
import UseCases

/// Answers all requests: finds out who asks, from where and in which language, and passes the request to webhooks, pages or the API.
struct ServerResponder: HTTPResponder {
  typealias Context = ServerContext

  let webhooks: WebhookRouter
  /// `nil` if sous.yaml has no `server`.
  let services: ServerServices?
  let api: APIResponder?
  let assistants: AssistantResponder?
  let pages: PageResponder?
  let settings: ConfiguredServer
  let address: ListenAddress
  private let rates: RequestRates
  private let proxies: TrustedProxies

  init(
    webhooks: WebhookRouter, services: ServerServices?, api: APIResponder?, assistants: AssistantResponder?,
    settings: ConfiguredServer, address: ListenAddress
  ) {
    self.webhooks = webhooks
    self.services = services
    self.api = api
    self.assistants = assistants
    pages = services.map { PageResponder($0) }
    self.settings = settings
    self.address = address
    rates = RequestRates(perMinute: settings.limits.perMinute)
    proxies = TrustedProxies(settings.proxies)
  }

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    var context = context
    context.requestID = UUID().uuidString.lowercased()
    context.language = .preferred(acceptLanguage: request.headers[.acceptLanguage])
    let peer = address.socket == nil ? context.channel.remoteAddress?.ipAddress ?? "" : "unix"
    let route = proxies.client(peer: peer, forwarded: request.headers[.xForwardedFor])
    context.address = route.address
    if route.isForwarded, let id = request.headers[.xRequestID], Self.isRequestID(id) { context.requestID = id }
    context.origin = settings.url ?? origin(request, isForwarded: route.isForwarded)
    let began = SystemTime().monotonic
    var response: Response
    do {
      guard Self.namesOneHost(request.head) else {
        throw Problem(400, "bad_host", "exactly one valid Host is required", de: "genau ein gültiger Host ist nötig")
      }
      response = try await answer(request, &context)
    } catch {
      response = Self.response(Problem(error, in: context.language), context)
    }
    let operation = context.coreContext.endpointPath.value ?? ""
    let seconds = SystemTime().monotonic - began
    services?.metrics.count(operation, status: response.status.code, seconds: seconds)
    services?.log(
      AnsweredRequest(
        id: context.requestID, method: request.method.rawValue, path: request.uri.path, status: response.status.code,
        seconds: seconds, user: context.actor?.user, address: context.address))
    response.headers[.xRequestID] = context.requestID
    response.headers[.xContentTypeOptions] = "nosniff"
    if response.headers[.referrerPolicy] == nil { response.headers[.referrerPolicy] = "no-referrer" }
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    }
    return response
  }

  private func answer(_ request: Request, _ context: inout ServerContext) async throws -> Response {
    let path = request.uri.path
    if path.hasPrefix(WebhookRouter.prefix) { return try await webhook(request) }
    guard let services, let api else {
      throw Problem(
        404, "not_found", "only webhooks are answered here: sous.yaml has no 'server'",
        de: "hier werden nur Webhooks beantwortet: sous.yaml hat kein 'server'")
    }
    if let seconds = rates.excess(of: context.address, at: SystemTime().monotonic) {
      var problem = Problem(
        429, "too_many_requests", "more requests than 'server.limits.per_minute' allows; try again in \(seconds) s",
        de: "mehr Anfragen, als 'server.limits.per_minute' erlaubt; in \(seconds) s noch einmal versuchen")
      problem.fields = [HTTPField(name: .retryAfter, value: "\(seconds)")]
      throw problem
    }
    try identify(request, &context, services)
    if let answer = try await operations(request, context, services) { return answer }
    if let answer = try await assistants?.respond(to: request, context: context) { return answer }
    if let answer = try await identitySignIn(request, context, services) { return answer }
    if let page = try await pages?.respond(to: request, context: context) { return page }
    do {
      return try await api.respond(to: request, context: context)
    } catch let problem as Problem where problem.status == 404 {
      guard let page = pages?.response(problem, to: request, context: context) else { throw problem }
      return page
    }
  }

  // MARK: - For operators

  /// The answers for monitoring: `/health`, `/ready` and `/metrics`; `nil` for other paths.
  private func operations(
    _ request: Request, _ context: ServerContext, _ services: ServerServices
  ) async throws -> Response? {
    let path = request.uri.path
    guard ["/health", "/ready", "/metrics"].contains(path) else { return nil }
    context.coreContext.endpointPath.value = path
    guard request.method == .get || request.method == .head else {
      var problem = Problem(405, "method_not_allowed", "\(path) takes GET", de: "\(path) nimmt GET")
      problem.fields = [HTTPField(name: .allow, value: "GET")]
      throw problem
    }
    switch path {
    case "/health": return Self.json(["status": "ok"], 200)
    case "/ready":
      let (isReady, body) = await Readiness.check(services.store, in: context.language)
      return Self.json(body, isReady ? 200 : 503)
    default:
      guard let actor = context.actor else { throw Problem.unauthorised }
      guard actor.may(.read, .usage) else {
        throw Problem.forbidden(.read, .usage, isByToken: actor.withoutScopes.may(.read, .usage))
      }
      let text = try await services.metrics.text(
        services.store, version: services.version, connections: services.connections.count,
        followers: services.events.count)
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(string: text)))
    }
  }

  private static func json(_ value: Value, _ status: Int) -> Response {
    Response(
      status: .init(code: status), headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: value.json())))
  }

  // MARK: - The caller

  /// Finds out who asks: a token, or the session of a browser.
  private func identify(_ request: Request, _ context: inout ServerContext, _ services: ServerServices) throws {
    let now = SystemTime().now
    if let authorization = request.headers[.authorization] {
      guard authorization.lowercased().hasPrefix("bearer ") else { throw Problem.unauthorised }
      let token = String(authorization.dropFirst(7).drop { $0 == " " })
      context.actor = try services.access.actor(token: token, now: now)
      context.credential = .token(token)
    } else if let secret = SessionCookie.secret(in: request.headers) {
      // A session that has ended is as good as none: the caller can sign in again with the cookie still there.
      context.actor = try? services.access.actor(session: secret, now: now).actor
      context.credential = .session(secret)
      context.isBrowser = context.actor != nil
      context.hasCSRFToken = request.headers[.csrfToken].map { RequestForgery.isValid($0, session: secret) } ?? false
    } else if address.socket != nil, context.channel.remoteAddress?.ipAddress == nil, !settings.isSocketOfProxy,
      request.headers[.xForwardedFor] == nil
    {
      // The socket's mode lets only the user of the daemon connect.
      let actor = Actor.socket(user: NSUserName())
      context.actor = actor
      context.credential = .fixed(actor)
    }
    if let language = context.actor?.language, request.headers[.acceptLanguage] == nil { context.language = language }
  }

  /// The address that a client used, from `Host` and, behind a trusted proxy, `X-Forwarded-Proto`.
  private func origin(_ request: Request, isForwarded: Bool) -> String {
    let isSecure = settings.tls != nil || isForwarded && request.headers[.xForwardedProto]?.lowercased() == "https"
    return (isSecure ? "https://" : "http://") + (request.head.authority ?? "\(address)")
  }

  /// Whether a name of a request that a proxy has given can be written into logs: up to 100 letters, digits, `-`, `_` and `.`.
  private static func isRequestID(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Whether a request has exactly one valid `Host` (RFC 9112, section 3.2), with the characters of a host and a port
  /// (RFC 3986, section 3.2.2).
  private static func namesOneHost(_ head: HTTPRequest) -> Bool {
    guard let host = head.authority, head.headerFields[values: .host].count <= 1 else { return false }
    return host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/\\@,?#\"<>{}|^`".utf8.contains($0) }
  }

  // MARK: - Webhooks

  private func webhook(_ request: Request) async throws -> Response {
    var incoming = IncomingRequest(
      method: request.method.rawValue, path: request.uri.path, query: request.uri.query ?? "",
      fields: request.headers.map { ($0.name.canonicalName, $0.value) })
    switch webhooks.admit(incoming) {
    case .failure(let refusal): return Self.response(refusal.answer)
    case .success(let limit):
      do {
        let body = try await Self.collect(request, limit: limit)
        incoming.body = Array(body.readableBytesView)
      } catch let problem as Problem where problem.status == 413 {
        return Self.response(OutgoingAnswer(413, body: Array(#"{"error":"too large"}"#.utf8)))
      }
      return Self.response(await webhooks.answer(incoming))
    }
  }

  private static func response(_ answer: OutgoingAnswer) -> Response {
    var fields = HTTPFields([HTTPField(name: .contentType, value: "application/json")])
    for (name, value) in answer.fields {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return Response(
      status: .init(code: answer.status), headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: answer.body)))
  }

  // MARK: - Parts of answers

  /// The body of a request.
  ///
  /// - Throws: ``Problem`` with status 413 if it has more bytes than `limit`.
  static func collect(_ request: Request, limit: Int) async throws -> ByteBuffer {
    let tooLarge = Problem(
      413, "too_large", "the body of the request has more than \(limit) bytes",
      de: "der Inhalt der Anfrage hat mehr als \(limit) Bytes")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    var body = ByteBuffer()
    for try await piece in request.body {
      guard body.readableBytes + piece.readableBytes <= limit else { throw tooLarge }
      body.writeImmutableBuffer(piece)
    }
    return body
  }

  /// The answer for a problem.
  static func response(_ problem: Problem, _ context: ServerContext) -> Response {
    var problem = problem
    problem.members["request"] = .string(context.requestID)
    var fields = HTTPFields([
      HTTPField(name: .contentType, value: Problem.mediaType),
      HTTPField(name: .contentLanguage, value: context.language.rawValue),
    ])
    for field in problem.fields { fields.append(field) }
    return Response(
      status: .init(code: problem.status), headers: fields,
      body: .init(byteBuffer: ByteBuffer(bytes: problem.document(in: context.language).json())))
  }
}
