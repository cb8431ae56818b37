import Expressions
import Foundation
import LoopbackPorts
import OperatingSystem
import Testing

@testable import Server

/// Clients that break the rules of HTTP, send too slowly, or are many.
@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
  @Test(arguments: [
    ("HTTP/1.1\r\nHost: x", 401), ("HTTP/1.1\r\nHost: [::1]:80", 401), ("HTTP/1.1", 400),
    ("HTTP/1.1\r\nHost: a/b", 400), ("HTTP/1.1\r\nHost: a b", 400),
  ])
  func aRequestNamesOneHost(head: String, expected: Int) async throws {
    let server = try await TestServer()
    let answer = try await HTTPCall(server.port).raw(
      Array("GET /api/v1/runs \(head)\r\nConnection: close\r\n\r\n".utf8))
    #expect(answer.status == expected)
    try await server.stop()
  }

  @Test func aRequestThatIsNotHTTPIsRefused() async throws {
    let server = try await TestServer()
    let answer = try await HTTPCall(server.port).raw(Array("HELO there\r\n\r\n".utf8))
    #expect(answer.status == 400)
    #expect(try await server.call("GET", "/openapi.json").status == 200)
    try await server.stop()
  }

  @Test func incompleteRequestsDoNotBlockOthers() async throws {
    let server = try await TestServer()
    var slow: [Int32] = []
    for number in 0..<200 {
      let descriptor = HTTPCall.connect(server.port)
      let head = "POST /api/v1/events HTTP/1.1\r\nHost: x\r\n" + (number % 2 == 0 ? "Content-Length: 9\r\n\r\n" : "")
      HTTPCall.write(Array(head.utf8), to: descriptor)
      slow.append(descriptor)
    }
    #expect(try await server.call("GET", "/openapi.json").status == 200)
    for descriptor in slow { close(descriptor) }
    try await server.stop()
  }

  @Test func aRequestThatArrivesTooSlowlyIsCutOff() async throws {
    let server = try await TestServer(server: "  limits: { time: 1s }\n")
    let (port, token) = (server.port, try server.token())
    let answer = await BlockingPool.shared.run {
      let descriptor = HTTPCall.connect(port)
      defer { close(descriptor) }
      let head = HTTPCall(port).head(
        "POST", "/api/v1/events", [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")], 9)
      HTTPCall.write(head + [0x7B], to: descriptor)
      return HTTPCall.read(descriptor)
    }
    // Cut off, without any effect.
    #expect(answer.isEmpty)
    try await server.stop()
  }

  @Test func aLargeBodyThatArrivesSteadilyIsNotCutOff() async throws {
    let server = try await TestServer(server: "  limits: { time: 1s }\n")
    let (port, token) = (server.port, try server.token())
    let piece = [UInt8](repeating: 0x61, count: 300_000)
    let answer = await BlockingPool.shared.run {
      let descriptor = HTTPCall.connect(port)
      defer { close(descriptor) }
      let head = HTTPCall(port).head("POST", "/api/v1/files", [("Authorization", "Bearer \(token)")], 2 * piece.count)
      HTTPCall.write(head + piece, to: descriptor)
      // The time for a small request is over when the server cuts off one that begins now and is not completed.
      let small = HTTPCall.connect(port)
      defer { close(small) }
      let start = HTTPCall(port).head("POST", "/api/v1/files", [("Authorization", "Bearer \(token)")], 9)
      HTTPCall.write(start + [0x61], to: small)
      _ = HTTPCall.read(small)
      HTTPCall.write(piece, to: descriptor)
      return HTTPCall.parse(HTTPCall.read(descriptor))
    }
    #expect(answer?.status == 201 || answer?.status == 200, "\(answer?.text ?? "cut off")")
    try await server.stop()
  }

  @Test func theOldestConnectionThatWaitsForNothingIsEvicted() {
    var table = ClientTable(places: 4)
    let ids = (0..<4).compactMap { _ in table.enter().id }
    #expect(ids.count == 4)
    table.note(.body, of: ids[0])
    table.note(.answering, of: ids[1])
    table.note(.idle, of: ids[2])
    // First those without a complete head, then those without a complete body, then idle ones.
    #expect(table.enter().evicted == ids[3])
    table.note(.answering, of: ids[3] + 1)
    #expect(table.enter().evicted == ids[0])
    table.note(.answering, of: ids[3] + 2)
    #expect(table.enter().evicted == ids[2])
    table.note(.answering, of: ids[3] + 3)
    #expect(table.enter() == ClientTable.Entry())
  }

  @Test func aBucketFillsEvenly() {
    var bucket = TokenBucket(perSecond: 2, burst: 3, at: 0)
    #expect((0..<3).allSatisfy { _ in bucket.take(at: 0) == nil })
    #expect(bucket.take(at: 0) == 0.5)
    #expect(bucket.take(at: 0.5) == nil)
    #expect(bucket.take(at: 0.5) == 0.5)
    // A clock that goes back gives nothing.
    #expect(bucket.take(at: 0) != nil)
    #expect(!bucket.isFull(at: 1) && bucket.isFull(at: 10))
  }

  @Test func theDescriptionIsFoundWithoutTheVersion() async throws {
    let server = try await TestServer()
    let answer = try await HTTPCall(server.port).send("GET", APIResponder.descriptionPath, [])
    #expect(answer.status == 200 && answer.json["openapi"] == "3.1.0")
    #expect(answer.json == (try await server.call("GET", "/openapi.json").json))
    try await server.stop()
  }

  @Test func aClientThatAsksTooOftenWaits() async throws {
    let server = try await TestServer(server: "  limits: { per_minute: 20 }\n")
    // At once: one after the other, a slow machine would have new ones to give meanwhile.
    let answers = try await withThrowingTaskGroup(of: HTTPCall.Answer.self) { group in
      for _ in 0..<40 { group.addTask { try await server.call("GET", "/openapi.json") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.contains { $0.status == 200 })
    let refused = try #require(answers.first { $0.status != 200 })
    #expect(refused.status == 429 && refused.code == "too_many_requests")
    #expect(refused.field("retry-after").flatMap { Int($0) } ?? 0 >= 1)
    try await server.stop()
  }

  @Test(arguments: [
    (["10.0.0.0/8"], "10.1.2.3", "1.2.3.4", "1.2.3.4"), (["10.0.0.0/8"], "9.9.9.9", "1.2.3.4", "9.9.9.9"),
    // What a client writes before the addresses of proxies does not count.
    (["10.0.0.0/8"], "10.1.2.3", "6.6.6.6, 1.2.3.4, 10.9.9.9", "1.2.3.4"),
    (["10.0.0.0/8"], "10.1.2.3", "nonsense", "10.1.2.3"), ([], "127.0.0.1", "1.2.3.4", "127.0.0.1"),
    (["unix"], "unix", "1.2.3.4", "1.2.3.4"), (["fd00::/8"], "fd00::1", "2001:db8::1", "2001:db8::1"),
  ])
  func theAddressOfAClientBehindProxiesIsKnown(proxies: [String], peer: String, forwarded: String, expected: String) {
    #expect(TrustedProxies(proxies).client(peer: peer, forwarded: forwarded).address == expected)
  }
}
