import Access
import Engine
import Expressions
import HTTPTypes
import Localization
import Schemas
import UseCases

/// An operation with its schemas read: requests to the API, forms of pages and assistants all have it carried out here.
///
/// The order is always the same: the right of the caller, parameters and body, the kept answer of an earlier request with the same
/// key, the work, the audit log.
struct CheckedOperation: Sendable {
  /// The most violations of a body that a problem lists.
  private static let listed = 50

  let route: Route
  private let parameters: [(parameter: RouteParameter, schema: Schema)]
  private let body: Schema?

  /// All operations of the API.
  static let all = APIDocument.routes.map { CheckedOperation($0) }
  private static let byID = Dictionary(all.map { ($0.route.id, $0) }) { first, _ in first }

  /// Reads the schemas of an operation.
  init(_ route: Route) {
    self.route = route
    parameters = route.parameters.map { ($0, Schema(document: $0.schema)) }
    body = if case .json(let schema, _)? = route.body { Schema(document: APIDocument.resolved(schema)) } else { nil }
  }

  /// The operation of an id such as `listRuns`.
  ///
  /// - Throws: ``Problem`` with status 404 if no operation has the id.
  static func named(_ id: String) throws -> CheckedOperation {
    guard let operation = byID[id] else {
      throw Problem(404, "no_such_route", "no operation is called '\(id)'", de: "keine Operation heißt '\(id)'")
    }
    return operation
  }

  /// Carries the operation out.
  ///
  /// - Parameters:
  ///   - request: The request. Its path names the object in the audit log, also if the request is refused.
  ///   - key: The key by which a repetition is recognised (`Idempotency-Key`); `nil` for none.
  ///   - trustsParameters: Whether the server has made the parameters itself, which may then exceed the limits of the API.
  ///   - reading: Reads the rest of the request once the caller is known to have the right to it.
  /// - Throws: ``Problem`` if the request is refused; the error of the operation.
  func perform(
    _ request: APIRequest, key: String? = nil, trustsParameters: Bool = false,
    reading: (inout APIRequest) async throws -> Void = { _ in }
  ) async throws -> APIAnswer {
    var call = request
    var isReplay = false
    do {
      try route.requireRight(of: call.actor)
      try await reading(&call)
      if !trustsParameters { try Self.require(faults(of: call), "a parameter", de: "ein Parameter") }
      try checkBody(of: call)
      let answer = try await once(&call, key, &isReplay)
      // A repetition has changed nothing.
      if !isReplay { record(call, answer.change, outcome: AuditEntry.done) }
      return answer
    } catch {
      if !isReplay { record(call, outcome: Problem(error, in: call.language).code) }
      throw error
    }
  }

  // MARK: - Parameters

  /// Reads the parameters of a query from their texts.
  ///
  /// - Throws: ``Problem`` with status 422 that lists all parameters that are not valid, also those of the path.
  func readQuery(_ texts: [(name: String, value: String)], into call: inout APIRequest) throws {
    var faults: [Value] = []
    var given: [String: [String]] = [:]
    for (name, value) in texts { given[name, default: []].append(value) }
    for (parameter, schema) in parameters where parameter.place == .query {
      var values: [Value] = []
      let own = given.removeValue(forKey: parameter.name) ?? []
      for text in own {
        do throws(SchemaViolation) {
          values.append(try schema.coerce(text))
        } catch {
          faults.append(Self.fault(parameter.name, error.message, call.language))
        }
      }
      if own.count > 1, !parameter.isList {
        faults.append(
          Self.fault(parameter.name, LocalizedText("is written twice", de: "steht doppelt da"), call.language))
      }
      if parameter.isList {
        if !values.isEmpty { call.query[parameter.name] = .list(values) }
      } else if let value = values.first {
        call.query[parameter.name] = value
      }
    }
    for (name, values) in given { call.query[name] = .list(values.map { .string($0) }) }
    try Self.require(faults + self.faults(of: call), "a parameter", de: "ein Parameter")
  }

  /// The parameters that are not valid: `{parameter, detail}` each.
  private func faults(of call: APIRequest) -> [Value] {
    var faults: [Value] = []
    var unknown = Set((call.query.entries).map(\.key.text))
    for (parameter, schema) in parameters {
      let values: [Value]
      switch parameter.place {
      case .path:
        guard let text = call.path[parameter.name] else {
          faults.append(
            Self.fault(parameter.name, LocalizedText("cannot be read", de: "ist nicht lesbar"), call.language))
          continue
        }
        values = [.string(text)]
      case .query:
        unknown.remove(parameter.name)
        guard let value = call.query[parameter.name] else { continue }
        values = parameter.isList ? value.listValue ?? [value] : [value]
      }
      for value in values {
        guard let violation = schema.validate(value).first else { continue }
        faults.append(Self.fault(parameter.name, violation.message, call.language))
      }
    }
    let stranger = LocalizedText("is not a parameter of this operation", de: "ist kein Parameter dieser Operation")
    return faults + unknown.sorted().map { Self.fault($0, stranger, call.language) }
  }

  private static func fault(_ parameter: String, _ text: LocalizedText, _ language: Language) -> Value {
    ["parameter": .string(parameter), "detail": .string(text.string(in: language))]
  }

  private static func require(_ faults: [Value], _ english: String, de german: String) throws {
    guard !faults.isEmpty else { return }
    throw Problem.invalid(
      LocalizedText("\(english) is not valid", de: "\(german) ist nicht gültig"), errors: faults)
  }

  // MARK: - The body

  private func checkBody(of call: APIRequest) throws {
    switch route.body {
    case nil:
      guard !call.hasBody else {
        throw Problem(400, "unexpected_body", "this operation takes no body", de: "diese Operation nimmt keinen Inhalt")
      }
    case .file?:
      guard call.file != nil else {
        throw Problem(400, "body_missing", "the file has no contents", de: "die Datei hat keinen Inhalt")
      }
    case .json(_, let isRequired)?:
      guard call.hasBody else {
        guard isRequired else { return }
        throw Problem(
          400, "body_missing", "this operation needs a JSON body", de: "diese Operation braucht JSON als Inhalt")
      }
      let violations = body?.validate(call.body) ?? []
      try Self.require(
        violations.prefix(Self.listed).map { violation in
          InputFault(violation).json(in: call.language)
        }, "the body", de: "der Inhalt")
    }
  }

  // MARK: - Kept answers

  /// Has the request answered; one with a key only once.
  ///
  /// - Parameter isReplay: Set if the answer is that of an earlier request.
  private func once(
    _ call: inout APIRequest, _ key: String?, _ isReplay: inout Bool
  ) async throws -> APIAnswer {
    guard route.keepsAnswers, let key, let actor = call.actor else { return try await route.handle(call) }
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem(
        422, "invalid_key", "'Idempotency-Key' has 1 to 200 visible ASCII characters",
        de: "'Idempotency-Key' hat 1 bis 200 sichtbare ASCII-Zeichen")
    }
    let (access, open, run) = (call.services.access, call.services.requests, call.run.rawValue)
    let entry = OpenRequests.Entry(user: actor.user, key: key)
    let digest = AccessStore.digest(
      method: route.method.rawValue,
      path: Route.base + "/" + object(of: call) + (call.query.isEmpty ? "" : "?" + Value.map(call.query).jsonString),
      body: call.file.map { Array($0.blob.utf8) } ?? call.body.json())
    let (start, isHeld) = try open.begin(entry) {
      try access.begin(actor: actor.user, key: key, digest: digest, run: run, now: SystemTime().now)
    }
    defer { if isHeld { open.leave(entry) } }
    switch start {
    case .new: break
    case .conflict:
      throw Problem(
        422, "key_reused", "another request had this 'Idempotency-Key': use a new key for each request",
        de: "eine andere Anfrage hatte diesen 'Idempotency-Key': für jede Anfrage einen neuen verwenden")
    case .repeats(let record):
      if let status = record.status, let body = record.body {
        isReplay = true
        return try Self.replay(status, body, record.type ?? "application/json")
      }
      let repetition: Repetition = record.status != nil ? .answerNotKept : isHeld ? .outcomeUnknown : .underWay
      if route.repetition == .refused { throw Problem.repeated(repetition) }
      // The run has its id already.
      (call.run, call.repetition) = (RunID(rawValue: record.run), repetition)
    }
    let record = RequestRecord(access, user: actor.user, key: key)
    call.record = record
    do {
      let answer = try await route.handle(call)
      guard !answer.isKeptByOperation else { return answer }
      switch answer.content {
      case .json(let value): try record.keep(answer.status, route.isAnswerSecret ? nil : value.json())
      case .empty: try record.keep(answer.status, [])
      // An operation with such an answer finds its object again by the id of its run.
      case .bytes, .pieces, .events: break
      }
      return answer
    } catch {
      // A request that was refused has done nothing: its key is free again.
      if call.repetition == nil, Problem(error, in: call.language).status < 500 { record.abandon() }
      throw error
    }
  }

  /// The kept answer of an earlier request.
  ///
  /// - Throws: ``Problem``: the one that was the answer.
  private static func replay(_ status: Int, _ body: [UInt8], _ type: String) throws -> APIAnswer {
    let mark = HTTPField(name: .idempotentReplayed, value: "true")
    guard status < 400 else {
      var problem = Problem(kept: (try? Value(json: body)) ?? .null, status: status)
      problem.fields = [mark]
      throw problem
    }
    var answer = APIAnswer(
      status: status, content: body.isEmpty ? .empty : .json((try? Value(json: body)) ?? .null))
    answer.fields = [mark]
    return answer
  }

  // MARK: - The audit log

  /// The object of the request as the audit log names it: the path below that of the API.
  private func object(of call: APIRequest) -> String {
    route.path.split(separator: "/").map { part in
      part.hasPrefix("{")
        ? RecipeRoutes.escaped(call.path[String(part.dropFirst().dropLast())] ?? "") : String(part)
    }.joined(separator: "/")
  }

  private func record(
    _ call: APIRequest, _ change: (before: Value?, after: Value?) = (nil, nil), outcome: String
  ) {
    // Standard input has no users, so there is no log.
    guard let actor = call.actor, !call.services.worksHere else { return }
    RequestAudit.record(
      route, object(of: call), by: AuditSource(actor, address: call.address), change, outcome: outcome, call.services)
  }
}
