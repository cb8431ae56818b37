import Access
import Engine
import Expressions
import Localization
import MCP
import Serve
import UseCases

/// The operations of the API for assistants: what an assistant may do is decided by the same code as for a request.
struct RouteOperations: AssistantOperations {
  let services: ServerServices
  let credential: Credential
  /// The caller with the rights at the beginning of its request. Each operation reads them anew.
  let actor: Actor
  let language: Language
  /// The address of the client.
  let address: String
  /// The address that the client used.
  let origin: String

  var caller: String {
    switch actor.origin {
    case .token(let id): "\(actor.user)\ntoken \(id)"
    case .session, .socket: "\(actor.user)\n\(actor.origin.word)"
    }
  }
  var resumesRuns: Bool { !services.worksHere }

  func permits(_ operation: String) -> Bool {
    // Decides what is shown. The operation itself reads the rights anew.
    (try? CheckedOperation.named(operation).route.requireRight(of: actor)) != nil
  }

  func perform(_ operation: OperationCall) async throws(AssistantError) -> Value {
    do {
      return Self.value(try await CheckedOperation.named(operation.id).perform(request(operation, try current())))
    } catch {
      throw Self.error(error, in: language)
    }
  }

  func openRecipes() async throws(AssistantError) -> [Value] {
    do {
      let request = request(OperationCall("showRecipe"), try current())
      return try await services.session.project.servedRecipes().filter { entry in
        entry.tool != nil && request.may(.read, .recipes, path: entry.path)
          && request.may(.create, .runs, path: entry.path)
      }.map { RecipeRoutes.detail($0, request) }
    } catch {
      throw Self.error(error, in: language)
    }
  }

  func summary(of run: String) async throws(AssistantError) -> Value {
    do {
      let actor = try current()
      try Route.Right.may(.read, .runs).require(actor)
      return try await request(OperationCall("showRun", path: ["run": run]), actor).run(.read).json
    } catch {
      throw Self.error(error, in: language)
    }
  }

  func changes() -> AsyncStream<Void> {
    let beats = services.changes.beats()
    if case .fixed = credential { return beats }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let seconds = services.rightsInterval
    let listener = Task { for await _ in beats { continuation.yield() } }
    let clock = Task {
      while (try? await Task.sleep(for: .seconds(seconds))) != nil { continuation.yield() }
    }
    continuation.onTermination = { _ in
      listener.cancel()
      clock.cancel()
    }
    return stream
  }

  func refusal() async -> AssistantError? {
    if case .fixed = credential { return nil }
    while (try? await Task.sleep(for: .seconds(services.rightsInterval))) != nil {
      do throws(AccessError) { _ = try current() } catch { return Self.error(error, in: language) }
    }
    return nil
  }

  func newRun() -> String { RunID.new().rawValue }

  // MARK: - Parts

  /// The caller with the rights that it has now.
  private func current() throws(AccessError) -> Actor {
    try credential.actor(in: services.access, now: SystemTime().now)
  }

  private func request(_ operation: OperationCall, _ actor: Actor) -> APIRequest {
    var request = APIRequest(
      services: services, actor: actor, credential: credential, language: language,
      run: operation.run.map { RunID(rawValue: $0) } ?? RunID.new(), address: address, origin: origin)
    request.fingerprint = operation.fingerprint
    (request.path, request.query) = (operation.path, operation.query)
    if operation.body != .null { request.body = operation.body }
    request.trigger = "assistant"
    return request
  }

  private static func value(_ answer: APIAnswer) -> Value {
    switch answer.content {
    case .json(let value): value
    case .bytes(let bytes, _): .string(String(decoding: bytes, as: UTF8.self))
    case .empty, .pieces, .events: .null
    }
  }

  private static func error(_ error: any Error, in language: Language) -> AssistantError {
    let problem = Problem(error, in: language)
    return AssistantError(
      AssistantError.Code(rawValue: problem.code), problem.status, problem.detail, data: problem.members)
  }
}
