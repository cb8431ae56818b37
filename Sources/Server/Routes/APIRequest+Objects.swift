import Access
import Engine
import Expressions
import HTTPTypes
import Localization
import OperatingSystem
import RunStore
import UseCases

extension APIRequest {
  /// Does work that blocks, such as reading files, on a thread that may.
  func blocking<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await BlockingPool.shared.run(body)
  }

  /// The texts of a list in the query.
  func texts(_ parameter: String) -> [String] { (query[parameter]?.listValue ?? []).compactMap(\.stringValue) }

  /// The texts of a list in the body; `nil` if it is missing.
  func list(_ field: String) -> [String]? { body[field]?.listValue?.compactMap(\.stringValue) }

  /// A time in the query.
  func time(_ parameter: String) -> Timestamp? { query[parameter]?.stringValue.flatMap(Timestamp.init(rfc3339:)) }

  /// The number in the path.
  func number(_ parameter: String) -> Int { Int(name(parameter)) ?? 0 }

  /// Makes sure that the caller has seen the version of an object that it changes (RFC 9110, section 13.1.1).
  ///
  /// - Parameters:
  ///   - version: The version of the object as it is now.
  ///   - isRequired: Whether a request without `If-Match` is refused.
  /// - Throws: ``Problem``: status 428 without `If-Match`, 412 with that of another version.
  func requireMatch(_ version: String, isRequired: Bool = true) throws {
    guard let tag = fields[.ifMatch] else {
      guard isRequired else { return }
      throw Problem(
        428, "if_match_missing", "send the ETag of what you have changed in 'If-Match'",
        de: "das ETag dessen, was geändert wurde, in 'If-Match' senden")
    }
    guard tag == "*" || tag.contains("\"\(version)\"") else { throw Problem.changed }
  }

  /// The name of a file that was uploaded, as the run log and plugins call it.
  ///
  /// - Throws: ``Problem`` with status 403 if the caller may not read files, 422 if the run log does not have it.
  func blob(_ hash: String) throws -> String {
    try require(.read, .files)
    guard try services.store.blobSize(hash: hash) != nil else {
      throw Problem.wrongInput(
        LocalizedText(
          "there is no file '\(hash)': upload it first, with POST /files",
          de: "es gibt keine Datei '\(hash)': sie zuerst hochladen, mit POST /files"))
    }
    return "blob:sha256:" + hash
  }
}

extension Problem {
  /// An object of which the caller has seen another version.
  static let changed = Problem(
    412, "object_changed", "this was changed meanwhile: read it again and repeat your change",
    de: "das wurde inzwischen geändert: neu lesen und die Änderung wiederholen")

  /// A value that cannot be used.
  static func wrongInput(_ detail: LocalizedText) -> Problem {
    Problem(422, UseCaseError.Code.wrongInput.rawValue, detail)
  }

  /// Words with several meanings, of which the caller names one.
  ///
  /// - Parameter meanings: The meanings, the likeliest first.
  static func ambiguous(_ detail: LocalizedText, _ meanings: [LocalizedText], in language: Language) -> Problem {
    var problem = Problem(422, "ambiguous", detail)
    problem.members = ["meanings": .list(meanings.map { .string($0.string(in: language)) })]
    return problem
  }
}

extension RouteParameter {
  /// The number of an object in the path.
  static func number(_ name: String) -> RouteParameter {
    RouteParameter(
      name: name, place: .path, schema: ["type": "string", "pattern": "^[0-9]{1,9}$"],
      summary: LocalizedText("The number of the object.", de: "Die Nummer des Objekts."))
  }

  /// Words to search for.
  static func words(_ english: String, de german: String) -> RouteParameter {
    query("search", ["type": "string", "minLength": 1, "maxLength": 500], english, de: german)
  }
}

extension APISchema {
  /// The id of an uploaded file: SHA-256 in lower case.
  static let blob: Value = ["type": "string", "pattern": "^[0-9a-f]{64}$"]

  /// A time or a duration in words: `tomorrow at 8`, `2h`.
  static let words: Value = ["type": "string", "minLength": 1, "maxLength": 300]

  /// A text of at most some characters.
  static func text(upTo limit: Int) -> Value { ["type": "string", "maxLength": .int(Int64(limit))] }

  /// A list of at most some entries.
  static func list(_ items: Value, upTo limit: Int) -> Value {
    ["type": "array", "items": items, "maxItems": .int(Int64(limit))]
  }

  /// An object of which some fields may be missing.
  static func object(_ fields: [(String, Value)], optional: [(String, Value)]) -> Value {
    [
      "type": "object", "properties": .object(fields + optional), "required": .list(fields.map { .string($0.0) }),
    ]
  }
}
