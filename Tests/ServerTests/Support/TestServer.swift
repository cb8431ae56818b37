import Access
import Engine
import Expressions
import Foundation
import Localization
import LoopbackPorts
import OperatingSystem
import Serve
import Server
import TestSupport
import TestWorkspace
import UseCases

/// A daemon with its HTTP side, in a workspace and at a port of its own.
final class TestServer: Sendable {
  /// The password of all users.
  static let password = "correct horse battery"

  let place: Place
  let port: Int
  let access: AccessStore
  let session: Session
  private let task: Task<Void, any Error>
  private let observer: Task<Void, Never>

  /// Starts a daemon.
  ///
  /// - Parameters:
  ///   - recipes: The texts of recipes, by file name without ending.
  ///   - server: Further keys of `server`, indented by two spaces.
  ///   - configuration: Further sections of sous.yaml.
  ///   - rightsInterval: Seconds between two looks at the rights of a caller whose answer goes on.
  init(
    _ recipes: [String: String] = [:], server: String = "", configuration: String = "", rightsInterval: Double? = nil
  ) async throws {
    port = try LoopbackPort.free()
    place = try Place(configuration: "server:\n  listen: 127.0.0.1:\(port)\n\(server)\(configuration)")
    try FileManager.default.createDirectory(atPath: place.folder + "/recipes", withIntermediateDirectories: true)
    for (name, text) in recipes { try place.write("recipes/\(name).yaml", text) }
    let workspace = try place.workspace
    access = try AccessStore.opened(workspace.access, limits: .forTests)
    session = try await Session(try Project(workspace))
    let front = HTTPSide(version: "0.0.1", rightsInterval: rightsInterval)
    let (session, events) = (session, place.events)
    // As the command does with all that happens in the workspace.
    observer = Task { for await event in events { front.observe(event) } }
    task = Task { try await session.serve(WorkOrder(), front: front, version: "0.0.1") }
    let port = port
    try await eventually { HTTPCall.canConnect(port) }
  }

  /// Ends the daemon.
  func stop() async throws {
    session.drain.set()
    try await task.value
    observer.cancel()
    try await session.close()
    access.close()
  }

  /// The token of a new user with a role.
  func token(_ role: String = "administrator", scopes: [String] = [], groups: Set<String> = []) throws -> String {
    let name = role + "-\(UInt32.random(in: 0...UInt32.max))"
    let source = AuditSource(actor: "test", origin: "command")
    let now = SystemTime().now
    _ = try access.addUser(
      UserDraft(name: name, password: Self.password, groups: groups, roles: [role]), by: source, now: now)
    return try access.addToken(name: "test", user: name, scopes: scopes, by: source, now: now).text
  }

  /// A way in which the caller of a stream loses its rights.
  enum Loss: CaseIterable {
    case removedToken, disabledUser, otherRole
  }

  /// Takes the rights of the user of a token away.
  func take(_ loss: Loss, from token: String) throws {
    let (source, now) = (AuditSource(actor: "test", origin: "command"), SystemTime().now)
    let actor = try access.actor(token: token, now: now)
    guard case .token(let id) = actor.origin else { return }
    switch loss {
    case .removedToken: try access.removeToken(id, by: source, now: now)
    case .disabledUser: try access.setDisabled(true, user: actor.user, by: source, now: now)
    case .otherRole:
      try access.saveRole(
        AccessRole(name: "reader", title: .init(verbatim: "Reader"), rules: [AccessRule("recipes: read=all")]),
        replaces: true, by: source,
        now: now)
      _ = try access.changeUser(actor.user, UserChange(roles: ["reader"]), by: source, now: now)
    }
  }

  /// Sends a request, takes the rights of its caller away once the answer has a text and a condition holds, and reads the answer
  /// to its end.
  func answer(
    to request: [UInt8], from token: String, until text: String, losing loss: Loss,
    when isReady: () async throws -> Bool = { true }
  ) async throws -> String {
    let descriptor = HTTPCall.connect(port)
    defer { close(descriptor) }
    let first = await BlockingPool.shared.run { () -> [UInt8] in
      HTTPCall.write(request, to: descriptor)
      return HTTPCall.read(descriptor) { String(decoding: $0, as: UTF8.self).contains(text) }
    }
    try await eventually { try await isReady() }
    try take(loss, from: token)
    let rest = await BlockingPool.shared.run { HTTPCall.read(descriptor) }
    return String(decoding: first + rest, as: UTF8.self)
  }

  /// Sends a request to the API.
  func call(
    _ method: String, _ path: String, _ token: String? = nil, _ body: Value? = nil, fields: [(String, String)] = []
  ) async throws -> HTTPCall.Answer {
    var fields = fields
    if let token { fields.append(("Authorization", "Bearer " + token)) }
    if body != nil { fields.append(("Content-Type", "application/json")) }
    return try await HTTPCall(port).send(method, "/api/v1" + path, fields, body?.json() ?? [])
  }
}

extension AccessLimits {
  /// Passwords cost little, so that tests do not wait for them.
  static var forTests: AccessLimits {
    var limits = AccessLimits.standard
    limits.passwordCost = PasswordCost(logarithm: 10, blockSize: 8, parallelism: 1) ?? .standard
    return limits
  }
}

/// One request of HTTP/1.1 over a connection of its own.
struct HTTPCall: Sendable {
  struct Answer: Sendable {
    var status = 0
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var json: Value { (try? Value(json: body)) ?? .null }
    var text: String { String(decoding: body, as: UTF8.self) }
    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    /// The code of a problem.
    var code: String? { json["code"]?.stringValue }
  }

  struct Failure: Error {}

  let port: Int

  init(_ port: Int) { self.port = port }

  static func connect(_ port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(clamping: port).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status != 0 {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  static func canConnect(_ port: Int) -> Bool {
    let descriptor = connect(port)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads what comes until the other side closes, or until `isEnough` holds.
  static func read(_ descriptor: Int32, until isEnough: ([UInt8]) -> Bool = { _ in false }) -> [UInt8] {
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
      answer += buffer.prefix(count)
      if isEnough(answer) { break }
    }
    return answer
  }

  /// Sends a request and reads the whole answer.
  func send(_ method: String, _ path: String, _ fields: [(String, String)] = [], _ body: [UInt8] = []) async throws
    -> Answer
  {
    try await raw(head(method, path, fields, body.isEmpty && method == "GET" ? nil : body.count) + body)
  }

  /// The head of a request.
  func head(_ method: String, _ path: String, _ fields: [(String, String)], _ length: Int?) -> [UInt8] {
    var text = "\(method) \(path) HTTP/1.1\r\n"
    if !fields.contains(where: { $0.0.lowercased() == "host" }) { text += "Host: 127.0.0.1:\(port)\r\n" }
    text += "Connection: close\r\n"
    if let length, !fields.contains(where: { $0.0.lowercased() == "content-length" }) {
      text += "Content-Length: \(length)\r\n"
    }
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// Sends bytes and reads the whole answer.
  func raw(_ bytes: [UInt8]) async throws -> Answer {
    let port = port
    let answer = try await BlockingPool.shared.run {
      let descriptor = Self.connect(port)
      guard descriptor >= 0 else { throw Failure() }
      defer { close(descriptor) }
      Self.write(bytes, to: descriptor)
      return Self.read(descriptor)
    }
    guard let parsed = Self.parse(answer) else { throw Failure() }
    return parsed
  }

  /// Reads an answer; `nil` if it is not one.
  static func parse(_ bytes: [UInt8]) -> Answer? {
    guard let end = range(of: Array("\r\n\r\n".utf8), in: bytes) else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    var answer = Answer(status: status)
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      answer.fields.append(
        (line[..<colon].lowercased(), String(line[line.index(after: colon)...]).trimmingCharacters(in: .whitespaces)))
    }
    let rest = Array(bytes[(end + 4)...])
    if status == 100 { return parse(rest) }
    answer.body = answer.field("transfer-encoding") == "chunked" ? unchunked(rest) : rest
    return answer
  }

  private static func range(of part: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= part.count else { return nil }
    return (0...(bytes.count - part.count)).first { bytes[$0] == part[0] && Array(bytes[$0..<$0 + part.count]) == part }
  }

  private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
    var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    while let end = rest.firstIndex(of: 0x0A) {
      let size =
        Int(String(decoding: rest[..<end], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines), radix: 16)
        ?? 0
      let start = end + 1
      guard size > 0, start + size <= rest.endIndex else { break }
      result += rest[start..<start + size]
      rest = rest[min(rest.endIndex, start + size + 2)...]
    }
    return result
  }
}
