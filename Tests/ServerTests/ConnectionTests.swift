import Foundation
import Testing

@testable import Networking

/// Clients that break the rules of HTTP or send too slowly.
@Suite(.timeLimit(.minutes(2)))
struct HTTPListenerTests {
  private struct Handler: RequestHandler {
    func admit(_ request: IncomingRequest) -> Result<Int, RefusedRequest> { .success(100) }
    func answer(_ request: IncomingRequest) async -> OutgoingAnswer { OutgoingAnswer(202, body: []) }
  }

  /// A connection to the listener.
  private func connection(_ port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }

  private func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// The status of the answer to a request; 0 if none comes.
  private func status(_ port: Int, _ request: String) -> Int {
    let descriptor = connection(port)
    defer { close(descriptor) }
    write(request, to: descriptor)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 { answer += buffer.prefix(count) }
    return String(decoding: answer, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  @Test(arguments: [
    ("HTTP/1.1\r\nHost: x", 202), ("HTTP/1.1\r\nHost: [::1]:80", 202), ("HTTP/1.1\r\nHost:", 202), ("HTTP/1.0", 202),
    ("HTTP/1.1", 400), ("HTTP/1.1\r\nHost: x\r\nHost: x", 400), ("HTTP/1.0\r\nHost: x\r\nHost: y", 400),
    ("HTTP/1.1\r\nHost: a/b", 400), ("HTTP/1.1\r\nHost: a b", 400),
  ])
  func aRequestNamesOneHost(head: String, expected: Int) async throws {
    let listener = try await HTTPListener.start(host: "127.0.0.1", port: 0, Handler())
    #expect(status(listener.port, "POST / \(head)\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}") == expected)
    await listener.close()
  }

  @Test func incompleteRequestsDoNotBlockOthers() async throws {
    let listener = try await HTTPListener.start(host: "127.0.0.1", port: 0, Handler())
    var slow: [Int32] = []
    for number in 0..<200 {
      let descriptor = connection(listener.port)
      write("POST / HTTP/1.1\r\nHost: x\r\n" + (number % 2 == 0 ? "Content-Length: 9\r\n\r\n" : ""), to: descriptor)
      slow.append(descriptor)
    }
    #expect(status(listener.port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}") == 202)
    for descriptor in slow { close(descriptor) }
    await listener.close()
  }

  @Test func theOldestIncompleteRequestIsEvicted() {
    var table = ClientTable()
    let ids = (0..<ClientTable.places).compactMap { _ in table.enter().id }
    #expect(ids.count == ClientTable.places)
    table.note(.body, of: ids[0])
    table.note(.answering, of: ids[1])
    #expect(table.enter().evicted == ids[2])
    for id in ids.dropFirst(3) { table.note(.answering, of: id) }
    // All others are being answered: the newest client, which has not sent its head, is evicted.
    #expect(table.enter().evicted == (ids.last ?? 0) + 1)
  }

  @Test func aClientIsRefusedWhileAllPlacesAreBeingAnswered() {
    var table = ClientTable()
    func enterAnswered() -> ClientTable.Entry {
      let entry = table.enter()
      if let id = entry.id { table.note(.answering, of: id) }
      return entry
    }
    let entries = (0..<ClientTable.places + ClientTable.refusals + 1).map { _ in enterAnswered() }
    #expect(entries.prefix(ClientTable.places).allSatisfy { !$0.isTooMany && $0.evicted == nil })
    #expect(entries[ClientTable.places].isTooMany)
    #expect(entries.last?.id == nil)
  }
}
