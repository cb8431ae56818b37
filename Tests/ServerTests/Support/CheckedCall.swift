import Engine
import Expressions
import Localization
import Schemas
import Testing

@testable import Server

extension TestServer {
  /// Sends a request, and compares the answer with the description of its operation.
  func checked(
    _ method: String, _ path: String, _ token: String, _ body: Value? = nil, fields: [(String, String)] = [],
    at location: SourceLocation = #_sourceLocation
  ) async throws -> HTTPCall.Answer {
    let answer = try await call(method, path, token, body, fields: fields)
    DocumentedAnswer(method, path).check(answer, location)
    return answer
  }
}

/// What the description says about an operation's answers.
private struct DocumentedAnswer {
  private let route: Route?

  /// The operation of a request.
  init(_ method: String, _ path: String) {
    let plain = "/api/v1" + (path.split(separator: "?").first.map(String.init) ?? "")
    route = APIDocument.routes.first { $0.method.rawValue == method && $0.matches(plain) }
  }

  func check(_ answer: HTTPCall.Answer, _ location: SourceLocation) {
    guard let route else {
      Issue.record("no operation", sourceLocation: location)
      return
    }
    let isProblem = answer.status >= 400
    var schemas: [Value] = isProblem ? [APISchema.named("Problem")] : []
    for documented in route.answers where documented.status == answer.status {
      if case .json(let schema, _) = documented { schemas.append(schema) }
    }
    #expect(
      isProblem || route.answers.contains { $0.status == answer.status }, "\(route.id): \(answer.status)",
      sourceLocation: location)
    guard answer.field("content-type")?.contains("json") == true else { return }
    let isValid = schemas.contains { Schema(document: Self.whole($0)).validate(answer.json).isEmpty }
    let found = schemas.flatMap { Schema(document: Self.whole($0)).validate(answer.json) }
    #expect(
      isValid, "\(route.id): \(found.map { $0.pathText + " " + $0.message.english }) in \(answer.text)",
      sourceLocation: location)
  }

  /// A schema with the schemas that it refers to in their places.
  private static func whole(_ schema: Value) -> Value {
    switch schema {
    case .map(let map):
      if map["$ref"] != nil { return whole(APIDocument.resolved(schema)) }
      return .map(ValueMap(map.entries.map { (key: $0.key, value: whole($0.value)) }))
    case .list(let list): return .list(list.map(whole))
    default: return schema
    }
  }
}

extension HTTPCall.Answer {
  /// A text of the body.
  func text(_ field: String) -> String { json[field]?.stringValue ?? "" }

  /// The entries of a page.
  var items: [Value] { json["items"]?.listValue ?? [] }
}
