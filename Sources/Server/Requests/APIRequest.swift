import Access
import Engine
import Expressions
import HTTPTypes
import Localization
import Synchronization
import UseCases

/// A request to an operation, checked against its description.
struct APIRequest: Sendable {
  /// The shared objects of all operations.
  let services: ServerServices
  /// The caller; `nil` for one who has not signed in.
  let actor: Actor?
  /// The proof of who the caller is; `nil` without one.
  let credential: Credential?
  /// The language of the caller.
  let language: Language
  /// The values of the path's parameters.
  var path: [String: String] = [:]
  /// The values of the query's parameters, defaults filled in.
  var query: ValueMap = [:]
  /// The body; null if none came.
  var body: Value = .null { didSet { hasBody = true } }
  /// Whether a body came.
  private(set) var hasBody = false
  /// The bytes of an uploaded file.
  var file: UploadedFile?
  /// The fields of the header.
  let fields: HTTPFields
  /// The id of the run that this request starts, the same for a repetition with the same `Idempotency-Key`.
  var run: RunID
  /// How the first request with the same key has gone whose answer is not there; `nil` for the first one.
  var repetition: Repetition?
  /// Keeps the answer for repetitions; `nil` for a request without a key.
  var record: RequestRecord?
  /// The trigger of the runs of this request, as the run log keeps it.
  var trigger = "api"
  /// The served folders, looked up once for this request.
  let folders: ServedFolders
  /// The fingerprint of the recipe that a person has approved; `nil` if each version may run.
  var fingerprint: String?
  /// The address of the client.
  let address: String
  /// The address that the client used: `https://sous.example.org`.
  let origin: String

  /// Creates a request. Its services act for the caller: runs that it starts belong to the caller.
  init(
    services: ServerServices, actor: Actor?, credential: Credential?, language: Language, run: RunID = RunID.new(),
    address: String, origin: String, fields: HTTPFields = HTTPFields()
  ) {
    self.services = services.acting(for: actor, trace: fields[.traceParent])
    (self.actor, self.credential, self.language, self.run) = (actor, credential, language, run)
    (self.address, self.origin, self.fields) = (address, origin, fields)
    let project = self.services.session.project
    folders = ServedFolders { project.servedFolders }
  }

  /// The request with the rights that its caller has now.
  ///
  /// - Throws: ``AccessError`` if the caller has none any more, or if they cannot be read.
  func renewed() throws(AccessError) -> APIRequest {
    guard let credential else { return self }
    var request = APIRequest(
      services: services, actor: try credential.actor(in: services.access, now: SystemTime().now),
      credential: credential, language: language, run: run, address: address, origin: origin, fields: fields)
    (request.path, request.query, request.body, request.trigger) = (path, query, body, trigger)
    (request.fingerprint, request.hasBody) = (fingerprint, hasBody)
    return request
  }

  /// An answer of events, which ends once the caller may not have them any more.
  ///
  /// - Parameter check: Gets the request with the rights of later times, and fails if they do not suffice.
  func answer(
    _ source: EventSource, while check: @escaping @Sendable (APIRequest) throws -> Void
  ) -> APIAnswer {
    var source = source
    source.recheck = { try check(try renewed()) }
    return APIAnswer(content: .events(source))
  }

  /// A parameter of the path.
  func name(_ parameter: String) -> String { path[parameter] ?? "" }

  /// The limit of a page.
  var limit: Int { query["limit"]?.intValue.map { Int(clamping: $0) } ?? 50 }

  /// A text field of the body.
  func text(_ field: String) -> String? { body[field]?.stringValue }

  /// A whole number of the body.
  func integer(_ field: String) -> Int? { body[field]?.intValue.map { Int(clamping: $0) } }

  /// Whether a field of the body is true.
  func isSet(_ field: String) -> Bool { body[field]?.boolValue ?? false }

  /// The name of the caller, for records of who did something.
  var person: String { actor?.user ?? "" }

  /// The scope in which the caller may do something.
  func scope(_ verb: AccessVerb, _ object: AccessObject, folder: String? = nil) -> AccessScope {
    actor?.scope(verb, object, folder: folder) ?? .none
  }

  /// Whether the caller wants server-sent events.
  var wantsEvents: Bool {
    fields[.accept]?.split(separator: ",").contains {
      $0.hasPrefix("text/event-stream") || $0.hasPrefix(" text/event-stream")
    }
      ?? false
  }
}

/// The served folders, which are looked up at the first use and then kept: each look-up resolves paths on the disk, and a list
/// of runs asks once for each run.
final class ServedFolders: Sendable {
  private let find: @Sendable () -> [String]
  private let found = Mutex<[String]?>(nil)

  /// - Parameter find: Looks the folders up.
  init(_ find: @escaping @Sendable () -> [String]) { self.find = find }

  /// The folders.
  var all: [String] {
    found.withLock { found in
      if let found { return found }
      let all = find()
      found = all
      return all
    }
  }

  /// The folder of a recipe's file below the served folders, empty for the top folder; `nil` for a file outside of them.
  func folder(of path: String) -> String? {
    for folder in all {
      let root = folder.hasSuffix("/") ? folder : folder + "/"
      guard path.hasPrefix(root) else { continue }
      return path.dropFirst(root.count).split(separator: "/").dropLast().joined(separator: "/")
    }
    return nil
  }
}

/// The contents of an uploaded file.
struct UploadedFile: Sendable {
  /// The hash by which the run log keeps it.
  let blob: String
  /// The number of bytes.
  let size: Int
  /// The media type.
  let type: String
}

/// The answer of an operation.
struct APIAnswer: Sendable {
  /// The body of an answer.
  enum Content: Sendable {
    case empty
    case json(Value)
    case bytes([UInt8], type: String)
    /// A body that comes piece by piece, with its length if it is known.
    case pieces(AsyncThrowingStream<[UInt8], any Error>, type: String, length: Int?)
    case events(EventSource)
  }

  /// The status of HTTP.
  var status = 200
  /// The body.
  var content: Content
  /// Further fields of the header.
  var fields: [HTTPField] = []
  /// Whether the operation itself keeps the answer for repetitions, or decides that it must not be stored.
  var isKeptByOperation = false
  /// The object before and after the change, for the audit log. Neither has a secret.
  var change: (before: Value?, after: Value?) = (nil, nil)

  /// JSON.
  static func json(_ value: Value, status: Int = 200) -> APIAnswer { APIAnswer(status: status, content: .json(value)) }

  /// Success without a body.
  static let empty = APIAnswer(status: 204, content: .empty)

  /// A page of a list: `{items, next}`.
  static func page(_ items: [Value], next: String? = nil) -> APIAnswer {
    .json(["items": .list(items), "next": next.map { .string($0) } ?? .null])
  }

  /// A new object with its address.
  static func created(_ value: Value, at path: String) -> APIAnswer {
    var answer = APIAnswer.json(value, status: 201)
    answer.fields.append(HTTPField(name: .location, value: Route.base + path))
    return answer
  }

  /// The answer to a change, with the object before and after it, for the audit log.
  func changing(_ before: Value?, to after: Value?) -> APIAnswer {
    var answer = self
    answer.change = (before, after)
    return answer
  }

  /// The answer with a version of the object, for `If-Match` (RFC 9110, section 8.8.3).
  func tagged(_ version: String) -> APIAnswer {
    var answer = self
    answer.fields.append(HTTPField(name: .eTag, value: "\"\(version)\""))
    return answer
  }
}
