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
  let actor: Actor
  let language: Language
  /// The address of the client.
  let address: String
  /// The address that the client used.
  let origin: String

  var user: String { actor.user }
  var resumesRuns: Bool { !services.worksHere }

  func permits(_ operation: String) -> Bool {
    (try? CheckedOperation.named(operation).route.requireRight(of: actor)) != nil
  }

  func perform(_ operation: OperationCall) async throws(AssistantError) -> Value {
    do {
      return Self.value(try await CheckedOperation.named(operation.id).perform(request(operation)))
    } catch {
      throw Self.error(error, in: language)
    }
  }

  func openRecipes() async throws(AssistantError) -> [Value] {
    do {
      let request = request(OperationCall("showRecipe"))
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
      try Route.Right.may(.read, .runs).require(actor)
      return try await request(OperationCall("showRun", path: ["run": run])).run(.read).json
    } catch {
      throw Self.error(error, in: language)
    }
  }

  func changes() -> AsyncStream<Void> { services.changes.beats() }

  func newRun() -> String { RunID.new().rawValue }

  // MARK: - Parts

  private func request(_ operation: OperationCall) -> APIRequest {
    var request = APIRequest(
      services: services, actor: actor, language: language,
      run: operation.run.map { RunID(rawValue: $0) } ?? RunID.new(), address: address, origin: origin)
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
