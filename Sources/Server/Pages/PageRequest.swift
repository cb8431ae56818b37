import Engine
import Expressions
import Localization
import Page

/// A request for a page. Pages read through the operations of the API, so both show the same to the same user.
struct PageRequest: Sendable {
  /// The request as an operation sees it.
  let base: APIRequest
  /// The fields of the query.
  let query: FormFields
  /// The facts for the frame of the page.
  let context: PageContext

  /// A part of the path.
  func name(_ parameter: String) -> String { base.name(parameter) }

  /// The answer of an operation.
  ///
  /// - Parameter key: The key of a form, by which the same form sent again is recognised.
  /// - Throws: ``Problem``: as the operation; status 403 if the user has no right to it.
  func answer(
    _ id: String, path: [String: String] = [:], query: ValueMap = [:], body: Value = .null, key: String? = nil
  ) async throws -> APIAnswer {
    let operation = try CheckedOperation.named(id)
    var request = base
    (request.path, request.query) = (path, query)
    if body != .null { request.body = body }
    // A page reads longer lists than one answer of the API has.
    return try await operation.perform(request, key: key, trustsParameters: operation.route.isReading)
  }

  /// The JSON that an operation answers.
  func json(_ id: String, path: [String: String] = [:], query: ValueMap = [:]) async throws -> Value {
    guard case .json(let value) = try await answer(id, path: path, query: query).content else { return .null }
    return value
  }

  /// The JSON that an operation answers, null if the user has no right to it.
  func permitted(_ id: String, path: [String: String] = [:], query: ValueMap = [:]) async throws -> Value {
    do {
      return try await json(id, path: path, query: query)
    } catch let problem as Problem where problem.status == 403 {
      return .null
    }
  }
}
