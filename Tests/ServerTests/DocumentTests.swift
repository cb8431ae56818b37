import Engine
import Expressions
import Localization
import Schemas
import Testing

@testable import Server

/// The description of the API, and problems.
@Suite(.timeLimit(.minutes(2)))
struct DocumentTests {
  @Test func theDescriptionNamesEachOperationOnce() throws {
    let document = APIDocument.document(version: "1.2.3", origin: "https://x", in: .english)
    #expect(document["openapi"] == "3.1.0" && document["info"]?["version"] == "1.2.3")
    let paths = try #require(document["paths"]?.mapValue)
    let count = paths.values.reduce(0) { $0 + ($1.mapValue?.count ?? 0) }
    #expect(count == APIDocument.routes.count)
    #expect(Set(APIDocument.routes.map(\.id)).count == APIDocument.routes.count)
    for route in APIDocument.routes {
      let text = route.summary
      #expect(text.english.hasSuffix(".") && text.german.hasSuffix(".") && text.english != text.german, "\(route.id)")
    }
  }

  @Test func eachReferenceLeadsToASchema() {
    let known = Set(APIDocument.schemas.map(\.0))
    func references(_ value: Value) -> [String] {
      switch value {
      case .map(let map):
        map.entries.flatMap { key, value in
          key.text == "$ref" ? [value.stringValue ?? ""] : references(value)
        }
      case .list(let list): list.flatMap(references)
      default: []
      }
    }
    let found = references(APIDocument.document(version: "", origin: "", in: .english))
    #expect(!found.isEmpty)
    for reference in found {
      #expect(known.contains(String(reference.split(separator: "/").last ?? "")), "\(reference)")
    }
    #expect(known.count == APIDocument.schemas.count)
  }

  @Test func eachLinkLeadsToAParameterOfAnOperation() throws {
    let routes = Dictionary(APIDocument.routes.map { ($0.id, $0) }) { first, _ in first }
    let document = APIDocument.document(version: "", origin: "", in: .english)
    var count = 0
    for operation in document["paths"]?.mapValue?.values.flatMap({ $0.mapValue?.values ?? [] }) ?? [] {
      for response in operation["responses"]?.mapValue?.values ?? [] {
        for (id, link) in response["links"]?.mapValue?.entries ?? [] {
          let route = try #require(routes[id.text], "\(id.text)")
          for name in link["parameters"]?.mapValue?.keys ?? [] {
            #expect(route.parameters.contains { $0.name == name.text }, "\(id.text): \(name.text)")
            count += 1
          }
        }
      }
    }
    #expect(count > 10)
  }

  /// A path with a fixed word where another one has a parameter would hide an object of that name.
  @Test func noPathHidesAnother() {
    func parts(_ path: String) -> [Substring] { path.split(separator: "/") }
    let paths = Set(APIDocument.routes.map(\.path))
    for path in paths {
      for other in paths where other != path && parts(other).count == parts(path).count {
        let isHidden = zip(parts(path), parts(other)).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
        #expect(!isHidden, "\(path) hides an object of \(other)")
      }
    }
  }

  @Test func aProblemSpeaksTheLanguageOfTheCaller() async throws {
    let server = try await TestServer()
    let german = try await server.call("GET", "/runs", fields: [("Accept-Language", "fr, de;q=0.8, en;q=0.5")])
    #expect(german.status == 401 && german.field("content-language") == "de")
    #expect(german.json["title"] == "Zuerst anmelden")
    #expect(german.json["request"]?.stringValue == german.field("x-request-id"))
    let english = try await server.call("GET", "/runs", fields: [("Accept-Language", "xx")])
    #expect(english.json["title"] == "Sign in first")
    try await server.stop()
  }

  @Test(arguments: [
    ("GET", "/nowhere", 404, "no_such_route"), ("PUT", "/runs", 405, "method_not_allowed"),
    ("GET", "/runs?limit=0", 422, "input_invalid"), ("GET", "/runs?nonsense=1", 422, "input_invalid"),
    ("GET", "/runs/nothing", 404, "not_found"), ("GET", "/recipes/%2e%2e%2fsous", 404, "not_found"),
    ("GET", "/files/xyz", 422, "input_invalid"), ("GET", "/runs/%ff", 422, "input_invalid"),
  ])
  func aWrongAddressIsAProblem(method: String, path: String, status: Int, code: String) async throws {
    let server = try await TestServer()
    let answer = try await server.call(method, path, try server.token())
    #expect(answer.status == status && answer.code == code, "\(answer.text)")
    try await server.stop()
  }

  /// The objects that the paths of operations name do not exist.
  @Test func anUnknownNameIsNotFound() async throws {
    let server = try await TestServer(server: "  limits: { per_minute: 100000 }\n")
    let token = try server.token()
    var count = 0
    for route in APIDocument.routes where route.path.contains("{") && route.right != .everyone {
      // These are for sessions of browsers; a role is made by its PUT.
      if ["me"].contains(route.group) || route.method == .put { continue }
      if case .json(_, isRequired: true)? = route.body { continue }
      let path = route.path.split(separator: "/").map { part -> String in
        guard part.hasPrefix("{") else { return String(part) }
        let schema = route.parameters.first { "{\($0.name)}" == part }?.schema["pattern"]?.stringValue ?? ""
        return schema.contains("a-f") ? String(repeating: "0", count: 64) : schema.isEmpty ? "nothing-here" : "99999999"
      }.reduce("") { $0 + "/" + $1 }
      let answer = try await server.call(route.method.rawValue, path, token)
      #expect(answer.status == 404, "\(route.id): \(answer.text)")
      count += 1
    }
    #expect(count > 40)
    try await server.stop()
  }

  @Test(arguments: [
    ("application/xml", 415, "media_type"), ("text/plain", 415, "media_type"),
    ("application/json", 422, "input_invalid"),
  ])
  func aBodyIsJSON(type: String, status: Int, code: String) async throws {
    let server = try await TestServer()
    let answer = try await HTTPCall(server.port).send(
      "POST", "/api/v1/events", [("Authorization", "Bearer \(try server.token())"), ("Content-Type", type)],
      Array("{\"event\":3}".utf8))
    #expect(answer.status == status && answer.code == code, "\(answer.text)")
    try await server.stop()
  }

  @Test func aBodyThatIsTooLargeIsRefusedBeforeItArrives() async throws {
    let server = try await TestServer(server: "  limits: { body: 1M }\n")
    let call = HTTPCall(server.port)
    let fields = [("Authorization", "Bearer \(try server.token())"), ("Content-Type", "application/json")]
    let answer = try await call.raw(call.head("POST", "/api/v1/events", fields, 5 << 20) + [0x7B])
    #expect(answer.status == 413 && answer.code == "too_large")
    try await server.stop()
  }

  @Test func aFileIsKeptAndReadInParts() async throws {
    let server = try await TestServer()
    let token = try server.token()
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let kept = try await HTTPCall(server.port).send(
      "POST", "/api/v1/files", [("Authorization", "Bearer \(token)"), ("Content-Type", "image/png")], bytes)
    #expect(kept.status == 201 && (kept.json["size"]) == 600_000)
    let path = "/files/" + (try #require(kept.json["blob"]?.stringValue))
    #expect(try await server.call("GET", path, token).body == bytes)
    for (range, part) in [
      ("bytes=0-9", 0..<10), ("bytes=262140-262150", 262_140..<262_151), ("bytes=599990-", 599_990..<600_000),
      ("bytes=-5", 599_995..<600_000), ("bytes=10-99999999", 10..<600_000),
    ] {
      let answer = try await server.call("GET", path, token, fields: [("Range", range)])
      #expect(answer.status == 206 && answer.body == Array(bytes[part]), "\(range)")
    }
    #expect(try await server.call("GET", path, token, fields: [("Range", "bytes=600000-")]).status == 416)
    #expect(try await server.call("GET", path, token).field("content-disposition") == "attachment")
    try await server.stop()
  }
}
