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

/// Finds the operation of a request, reads the request, and has it carried out.
struct APIResponder: Sendable {
  /// Where programs look for the description without knowing the version of the API.
  static let descriptionPath = "/api/openapi.json"

  private let services: ServerServices
  private let router: RouterResponder<ServerContext>

  init(_ services: ServerServices) {
    self.services = services
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    for operation in CheckedOperation.all {
      let method = HTTPRequest.Method(operation.route.method.rawValue) ?? .get
      let paths =
        [Route.base + operation.route.path] + (operation.route.id == "showDescription" ? [Self.descriptionPath] : [])
      for path in paths {
        router.on(RouterPath(path), method: method) { request, context in
          try await Self.perform(operation, request, context, services)
        }
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

  private static func perform(
    _ operation: CheckedOperation, _ request: Request, _ context: ServerContext, _ services: ServerServices
  ) async throws -> Response {
    var call = APIRequest(
      services: services, actor: context.actor, credential: context.credential, language: context.language,
      address: context.address, origin: context.origin, fields: request.headers)
    for parameter in operation.route.parameters where parameter.place == .path {
      call.path[parameter.name] = context.parameters.get(parameter.name).flatMap { $0.removingPercentEncoding }
    }
    do {
      let answer = try await operation.perform(call, key: request.headers[.idempotencyKey]) { call in
        try refuseForeign(operation.route, context, request)
        try operation.readQuery(
          request.uri.queryParameters.map { (name: String($0.key), value: String($0.value)) }, into: &call)
        try await readBody(operation.route, request, into: &call)
      }
      return response(answer, context, services)
    } catch {
      return ServerResponder.response(Problem(error, in: context.language), context)
    }
  }

  /// Refuses a change that the page of another site has sent.
  private static func refuseForeign(_ route: Route, _ context: ServerContext, _ request: Request) throws {
    guard !route.method.isSafe else { return }
    if let origin = request.headers[.origin], origin != context.origin { throw Problem.foreign(origin) }
    if context.isBrowser, route.right != .everyone, !context.hasCSRFToken { throw Problem.forged }
  }

  // MARK: - The body

  private static func readBody(_ route: Route, _ request: Request, into call: inout APIRequest) async throws {
    switch route.body {
    case nil:
      let rest = try await ServerResponder.collect(request, limit: 64 << 10)
      // A GET may have a body, which has no meaning (RFC 9110, section 9.3.1).
      if rest.readableBytes > 0, route.method != .get { call.body = .string("") }
    case .file: call.file = try await FileUpload(call.services).store(request)
    case .json:
      let bytes = try await ServerResponder.collect(request, limit: call.services.settings.limits.body)
      guard bytes.readableBytes > 0 else { return }
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
    }
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
