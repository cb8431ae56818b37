import Access
import Expressions
import Localization

/// One operation of the API. Router, OpenAPI document and table of rights are made from it.
struct Route: Sendable {
  /// The path before those of all operations.
  static let base = "/api/v1"

  /// The methods that the API uses.
  enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether the method changes nothing (RFC 9110, section 9.2.1).
    var isSafe: Bool { self == .get }
  }

  /// Who may call an operation.
  enum Right: Sendable, Hashable {
    /// Callers without an account too.
    case everyone
    /// Callers with an account, about themselves.
    case signedIn
    /// Callers who may do this with some objects of the kind; the handler checks the single object.
    case may(AccessVerb, AccessObject)

    /// Makes sure that a caller has the right.
    ///
    /// - Throws: ``Problem``: status 401 without an account, 403 without the right.
    func require(_ actor: Actor?) throws {
      guard self != .everyone else { return }
      guard let actor else { throw Problem.unauthorised }
      if case .may(let verb, let object) = self, !actor.mayAnywhere(verb, object) {
        throw Problem.forbidden(verb, object, isByToken: actor.withoutScopes.mayAnywhere(verb, object))
      }
    }
  }

  /// The kinds of bodies of requests.
  enum Body: Sendable {
    /// JSON that satisfies a schema.
    case json(Value, isRequired: Bool = true)
    /// Bytes of any type, as a file has them.
    case file
  }

  /// The kinds of answers of an operation that succeeds.
  enum Answer: Sendable {
    /// JSON that satisfies a schema.
    case json(Value, status: Int = 200)
    /// Nothing.
    case empty
    /// A text of a media type.
    case text(String)
    /// Bytes of any type.
    case file
    /// Server-sent events, of which each has data that satisfies the schema.
    case events(Value)

    /// The status of success.
    var status: Int {
      switch self {
      case .json(_, let status): status
      case .empty: 204
      case .text, .file, .events: 200
      }
    }
  }

  /// The method.
  let method: Method
  /// The path below ``base``, with parameters in braces: `/runs/{run}`.
  let path: String
  /// The name of the operation: `listRuns`.
  let id: String
  /// Its purpose, in a sentence.
  let summary: LocalizedText
  /// Who may call it.
  let right: Right
  /// The parameters of the path and the query.
  var parameters: [RouteParameter] = []
  /// The body that it takes; `nil` for none.
  var body: Body?
  /// Its answers. The first is the usual one; a caller chooses another one by `Accept`.
  var answers: [Answer]
  /// Whether a repetition with the same `Idempotency-Key` gets the first answer.
  var keepsAnswers: Bool
  /// The treatment of a repetition while no answer is kept.
  let repetition: RepetitionRule
  /// Whether the answer has a secret that is shown once, so that it is not kept.
  let isAnswerSecret: Bool
  /// Whether it takes `If-Match`.
  var takesIfMatch: Bool
  /// Whether it only reads although it is not a GET, so that the audit log leaves it out.
  let isReading: Bool
  /// Answers a request.
  let handle: @Sendable (APIRequest) async throws -> APIAnswer

  /// Creates an operation.
  init(
    _ method: Method, _ path: String, _ id: String, _ english: String, de german: String, _ right: Right,
    parameters: [RouteParameter] = [], body: Body? = nil, answers: [Answer], takesIfMatch: Bool = false,
    isReading: Bool = false, repetition: RepetitionRule = .refused, isAnswerSecret: Bool = false,
    handle: @escaping @Sendable (APIRequest) async throws -> APIAnswer
  ) {
    self.method = method
    self.path = path
    self.id = id
    summary = LocalizedText(english, de: german)
    self.right = right
    self.parameters = Self.ofPath(path, parameters) + parameters
    self.body = body
    self.answers = answers
    keepsAnswers = method == .post
    self.repetition = isReading || method.isSafe ? .harmless : repetition
    self.isAnswerSecret = isAnswerSecret
    self.takesIfMatch = takesIfMatch
    self.isReading = isReading || method.isSafe
    self.handle = handle
  }

  /// The parameters in the path that are not described otherwise.
  private static func ofPath(_ path: String, _ known: [RouteParameter]) -> [RouteParameter] {
    path.split(separator: "/").compactMap { part in
      guard part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
      let name = String(part.dropFirst().dropLast())
      guard !known.contains(where: { $0.name == name }) else { return nil }
      return RouteParameter.path(name)
    }
  }

  /// Makes sure that a caller may call the operation.
  func requireRight(of actor: Actor?) throws { try right.require(actor) }

  /// The first folder of the path, which groups the operations: `runs`.
  var group: String { path.split(separator: "/").first.map(String.init) ?? "" }
}

/// A parameter of an operation.
struct RouteParameter: Sendable {
  /// Where a parameter is written.
  enum Place: String, Sendable {
    case path, query
  }

  /// The name.
  let name: String
  /// Where it is written.
  let place: Place
  /// The JSON Schema of its value.
  let schema: Value
  /// Its meaning, in a sentence.
  let summary: LocalizedText
  /// Whether it may occur several times; the value is a list then.
  var isList = false

  /// A parameter of the query that may be left out.
  static func query(
    _ name: String, _ schema: Value, _ english: String, de german: String, isList: Bool = false
  ) -> RouteParameter {
    RouteParameter(
      name: name, place: .query, schema: schema, summary: LocalizedText(english, de: german), isList: isList)
  }

  /// A part of the path: the name or id of an object.
  static func path(_ name: String) -> RouteParameter {
    RouteParameter(
      name: name, place: .path, schema: ["type": "string", "minLength": 1, "maxLength": 300],
      summary: LocalizedText("The name or id of the object.", de: "Name oder Kennung des Objekts."))
  }

  /// The number of entries of a page.
  static let limit = query(
    "limit", ["type": "integer", "minimum": 1, "maximum": 500, "default": 50], "The maximum number of entries.",
    de: "Wie viele Einträge höchstens.")
  /// Where a page begins.
  static let cursor = query(
    "cursor", ["type": "string", "maxLength": 200], "The `next` of the page before.",
    de: "Das `next` der Seite davor.")
}
