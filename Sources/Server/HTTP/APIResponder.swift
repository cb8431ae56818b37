import Access
import Engine
import Expressions
import Foundation
import HTTPTypes
import Hashing
import Hummingbird
import Localization
import NIOCore
import RecipeModel
import Schemas
import UseCases

/// Finds the operation of a request, checks the request against its description, and has it answered.
struct APIResponder: Sendable {
  private let services: ServerServices
  private let router: RouterResponder<ServerContext>

  init(_ services: ServerServices) {
    self.services = services
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    for route in APIDocument.routes {
      let checked = CheckedRoute(route)
      let method = HTTPRequest.Method(route.method.rawValue) ?? .get
      router.on(RouterPath(Route.base + route.path), method: method) { request, context in
        try await Self.perform(checked, request, context, services)
      }
    }
    self.router = router.buildResponder()
  }

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let response = try await router.respond(to: request, context: context)
    // The router's own answers have no text.
    guard response.headers[.contentType] == nil, response.status == .notFound else { return response }
    let path = request.uri.path
    let allowed = APIDocument.routes.filter { $0.matches(path) }.map(\.method.rawValue)
    guard allowed.isEmpty else {
      var problem = Problem(
        405, "method_not_allowed", "\(path) takes \(allowed.joined(separator: ", ")), not \(request.method.rawValue)",
        de: "\(path) nimmt \(allowed.joined(separator: ", ")), nicht \(request.method.rawValue)")
      problem.fields = [HTTPField(name: .allow, value: allowed.joined(separator: ", "))]
      throw problem
    }
    throw Problem(
      404, "no_such_route", "nothing is at \(path); \(Route.base)/openapi.json lists all operations",
      de: "unter \(path) ist nichts; \(Route.base)/openapi.json nennt alle Operationen")
  }

  /// A route with its schemas read.
  private struct CheckedRoute: Sendable {
    let route: Route
    let parameters: [(parameter: RouteParameter, schema: Schema)]
    let body: Schema?

    init(_ route: Route) {
      self.route = route
      parameters = route.parameters.map { ($0, Schema(document: $0.schema)) }
      body = if case .json(let schema, _)? = route.body { Schema(document: APIDocument.resolved(schema)) } else { nil }
    }
  }

  private static func perform(
    _ checked: CheckedRoute, _ request: Request, _ context: ServerContext, _ services: ServerServices
  ) async throws -> Response {
    do {
      try authorise(checked.route, context, request)
      var call = APIRequest(
        services: services, actor: context.actor, credential: context.credential, language: context.language,
        address: context.address, origin: context.origin, fields: request.headers)
      try read(checked, request, context, into: &call)
      try await readBody(checked, request, into: &call)
      let answer = try await kept(checked.route, request, &call)
      record(checked.route, request, context, services, answer.change, outcome: AuditEntry.done)
      return response(answer, context, services)
    } catch {
      let problem = Problem(error, in: context.language)
      record(checked.route, request, context, services, outcome: problem.code)
      return ServerResponder.response(problem, context)
    }
  }

  /// Adds a change to the audit log.
  private static func record(
    _ route: Route, _ request: Request, _ context: ServerContext, _ services: ServerServices,
    _ change: (before: Value?, after: Value?) = (nil, nil), outcome: String
  ) {
    guard let actor = context.actor else { return }
    RequestAudit.record(
      route, String(request.uri.path.dropFirst(Route.base.count + 1)),
      by: AuditSource(actor, address: context.address), change, outcome: outcome, services)
  }

  // MARK: - Rights

  private static func authorise(_ route: Route, _ context: ServerContext, _ request: Request) throws {
    try route.requireRight(of: context.actor)
    if !route.method.isSafe, let origin = request.headers[.origin], origin != context.origin {
      throw Problem.foreign(origin)
    }
    if context.isBrowser, !route.method.isSafe, route.right != .everyone, !context.hasCSRFToken {
      throw Problem.forged
    }
  }

  // MARK: - Parameters

  private static func read(
    _ checked: CheckedRoute, _ request: Request, _ context: ServerContext, into call: inout APIRequest
  ) throws {
    var errors: [Value] = []
    func refuse(_ place: String, _ text: LocalizedText) {
      errors.append(["parameter": .string(place), "detail": .string(text.string(in: context.language))])
    }
    var given: [String: [String]] = [:]
    for (name, value) in request.uri.queryParameters { given[String(name), default: []].append(String(value)) }
    for (parameter, schema) in checked.parameters {
      let texts: [String]
      switch parameter.place {
      case .path:
        texts = context.parameters.get(parameter.name).flatMap { $0.removingPercentEncoding }.map { [$0] } ?? []
      case .query: texts = given.removeValue(forKey: parameter.name) ?? []
      }
      var values: [Value] = []
      for text in texts {
        do throws(SchemaViolation) {
          let value = try schema.coerce(text)
          if let violation = schema.validate(value).first { throw violation }
          values.append(value)
        } catch {
          refuse(parameter.name, error.message)
        }
      }
      if values.count > 1, !parameter.isList {
        refuse(parameter.name, LocalizedText("is written twice", de: "steht doppelt da"))
      }
      switch parameter.place {
      case .path:
        guard let text = values.first?.stringValue else {
          if errors.isEmpty { refuse(parameter.name, LocalizedText("cannot be read", de: "ist nicht lesbar")) }
          continue
        }
        call.path[parameter.name] = text
      case .query:
        if parameter.isList {
          if !values.isEmpty { call.query[parameter.name] = .list(values) }
        } else if let value = values.first {
          call.query[parameter.name] = value
        }
      }
    }
    for name in given.keys.sorted() {
      refuse(name, LocalizedText("is not a parameter of this operation", de: "ist kein Parameter dieser Operation"))
    }
    guard errors.isEmpty else {
      throw Problem.invalid(
        LocalizedText("a parameter is not valid", de: "ein Parameter ist nicht gültig"), errors: errors)
    }
  }

  // MARK: - The body

  private static func readBody(
    _ checked: CheckedRoute, _ request: Request, into call: inout APIRequest
  ) async throws {
    switch checked.route.body {
    case nil:
      let rest = try await ServerResponder.collect(request, limit: 64 << 10)
      if rest.readableBytes > 0, checked.route.method != .get {
        throw Problem(400, "unexpected_body", "this operation takes no body", de: "diese Operation nimmt keinen Inhalt")
      }
    case .file: call.file = try await FileUpload(call.services).store(request)
    case .json(_, let isRequired):
      let bytes = try await ServerResponder.collect(request, limit: call.services.settings.limits.body)
      guard bytes.readableBytes > 0 else {
        guard isRequired else { return }
        throw Problem(
          400, "body_missing", "this operation needs a JSON body", de: "diese Operation braucht JSON als Inhalt")
      }
      let type = request.headers[.contentType]?.lowercased() ?? ""
      let media = type.split(separator: ";").first.map { $0.filter { $0 != " " } } ?? ""
      guard media == "application/json" || media.hasSuffix("+json") else {
        throw Problem(
          415, "media_type", "the body must be application/json, not '\(media)'",
          de: "der Inhalt muss application/json sein, nicht '\(media)'")
      }
      do {
        call.body = try Value(json: Array(bytes.readableBytesView))
      } catch {
        throw Problem(400, "malformed_json", "the body is not JSON: \(error)", de: "der Inhalt ist kein JSON: \(error)")
      }
      guard let schema = checked.body else { return }
      let violations = schema.validate(call.body)
      guard violations.isEmpty else {
        throw Problem.invalid(
          LocalizedText("the body is not valid", de: "der Inhalt ist nicht gültig"),
          errors: violations.prefix(50).map { violation in
            [
              "pointer": .string(violation.pathText), "detail": .string(violation.message.string(in: call.language)),
            ]
          })
      }
    }
  }

  // MARK: - Kept answers

  /// Answers a request; one with an `Idempotency-Key` only once.
  private static func kept(_ route: Route, _ request: Request, _ call: inout APIRequest) async throws -> APIAnswer {
    guard route.keepsAnswers, let key = request.headers[.idempotencyKey], let actor = call.actor else {
      return try await route.handle(call)
    }
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem(
        422, "invalid_key", "'Idempotency-Key' has 1 to 200 visible ASCII characters",
        de: "'Idempotency-Key' hat 1 bis 200 sichtbare ASCII-Zeichen")
    }
    let access = call.services.access
    let digest = AccessStore.digest(
      method: request.method.rawValue, path: request.uri.description,
      body: call.file.map { Array($0.blob.utf8) } ?? call.body.json())
    switch try access.begin(actor: actor.user, key: key, digest: digest, run: call.run.rawValue, now: SystemTime().now)
    {
    case .new: break
    case .repeats(let record):
      guard let status = record.status, let body = record.body else {
        // No answer was kept: the server ended meanwhile, or it is still at work. The run has its id already.
        call.run = RunID(rawValue: record.run)
        break
      }
      var answer = APIAnswer(
        status: status, content: body.isEmpty ? .empty : .bytes(body, type: record.type ?? "application/json"))
      answer.fields = [HTTPField(name: .idempotentReplayed, value: "true")]
      return answer
    case .conflict:
      throw Problem(
        422, "key_reused", "another request had this 'Idempotency-Key': use a new key for each request",
        de: "eine andere Anfrage hatte diesen 'Idempotency-Key': für jede Anfrage einen neuen verwenden")
    }
    let answer = try await route.handle(call)
    switch answer.content {
    case .json(let value):
      try access.finish(
        actor: actor.user, key: key, status: answer.status, body: value.json(), type: "application/json")
    case .empty:
      try access.finish(actor: actor.user, key: key, status: answer.status, body: [], type: "application/json")
    case .bytes, .pieces, .events: break
    }
    return answer
  }

  // MARK: - Answers

  private static func response(
    _ answer: APIAnswer, _ context: ServerContext, _ services: ServerServices
  ) -> Response {
    var fields = HTTPFields()
    for field in answer.fields { fields.append(field) }
    let body: ResponseBody
    switch answer.content {
    case .empty: body = ResponseBody()
    case .json(let value):
      fields[.contentType] = "application/json"
      fields[.contentLanguage] = context.language.rawValue
      body = ResponseBody(byteBuffer: ByteBuffer(bytes: value.json()))
    case .bytes(let bytes, let type):
      fields[.contentType] = type
      body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    case .pieces(let pieces, let type, let length):
      fields[.contentType] = type
      body = ResponseBody(contentLength: length) { writer in
        for try await piece in pieces { try await writer.write(ByteBuffer(bytes: piece)) }
        try await writer.finish(nil)
      }
    case .events(let source):
      fields[.contentType] = "text/event-stream"
      // Proxies such as nginx pass each event on at once.
      fields[.xAccelBuffering] = "no"
      let interval = services.rightsInterval
      body = ResponseBody { writer in
        let watch = source.watch(every: interval)
        defer { watch.cancel() }
        for await piece in source.pieces { try await writer.write(ByteBuffer(bytes: piece)) }
        try await writer.finish(nil)
      }
    }
    return Response(status: .init(code: answer.status), headers: fields, body: body)
  }
}

extension Route {
  /// Whether a path is that of the route.
  func matches(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let own = (Route.base + self.path).split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == own.count && zip(parts, own).allSatisfy { $1.hasPrefix("{") && !$0.isEmpty || $0 == $1 }
  }
}
