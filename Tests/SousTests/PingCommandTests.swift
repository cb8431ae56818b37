import Foundation
import LoopbackPorts
import Synchronization
import Testing

/// `ping`: what a monitoring service on the loopback interface gets.
@Suite(.timeLimit(.minutes(5))) struct PingCommandTests {
  /// A monitoring service that records the paths of requests; it never answers paths with 'silent'.
  private final class Monitor: Sendable {
    private let listener: LoopbackListener
    private let seen = Mutex<[String]>([])

    init() throws {
      listener = try LoopbackListener()
      listener.serve { [self] connection in
        var request = [UInt8](repeating: 0, count: 8192)
        let count = recv(connection, &request, request.count, 0)
        let line = String(decoding: request.prefix(max(0, count)), as: UTF8.self).split(separator: "\r\n").first ?? ""
        let path = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        seen.withLock { $0.append(path) }
        // The connection stays open: the program has to give the request up.
        if path.contains("silent") { return }
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        close(connection)
      }
    }

    var port: Int { listener.port }
    var paths: [String] { seen.withLock { $0 } }
    func end() { listener.end() }
  }

  private func project(_ monitor: Monitor) throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "http: { hosts: [\"127.0.0.1\"] }\n")
    for (name, step) in [
      ("good", "uses: template, with: { text: x }"), ("bad", "uses: fail, with: { message: x }"),
      ("silent", "uses: template, with: { text: x }"), ("gate", "uses: approve, with: { message: Go? }"),
    ] {
      try sous.write(
        "\(name).yaml",
        "name: \(name)\nping: http://127.0.0.1:\(monitor.port)/\(name)\nsteps:\n  - { id: a, \(step) }\n")
    }
    return sous
  }

  @Test func theBeginningAndTheEndOfRunsAreReported() throws {
    let monitor = try Monitor()
    defer { monitor.end() }
    let sous = try project(monitor)
    defer { sous.remove() }
    #expect(try sous("run", "good.yaml").status == 0)
    #expect(try sous("run", "bad.yaml").status == 1)
    #expect(monitor.paths == ["/good/start", "/good", "/bad/start", "/bad/fail"])
    // A replay does nothing outside.
    #expect(try sous("replay", "good").status == 0)
    #expect(monitor.paths.count == 4)
  }

  @Test func aCancelledRunIsNotReportedAsBegunAgain() throws {
    let monitor = try Monitor()
    defer { monitor.end() }
    let sous = try project(monitor)
    defer { sous.remove() }
    try #require(try sous("run", "--queue", "gate.yaml").status == 0)
    try #require(try sous("serve", "--once").status == 0)
    _ = try sous("cancel", "gate")
    #expect(monitor.paths == ["/gate/start"])
  }

  @Test func aRunThatWaitsIsReportedAsBegunOnce() throws {
    let monitor = try Monitor()
    defer { monitor.end() }
    let sous = try project(monitor)
    defer { sous.remove() }
    try #require(try sous("run", "--queue", "gate.yaml").status == 0)
    try #require(try sous("serve", "--once").status == 0)
    try #require(try sous("answer", "yes", "gate").status == 0)
    try #require(try sous("serve", "--once").status == 0)
    #expect(monitor.paths == ["/gate/start", "/gate"])
  }

  @Test func aSilentServiceHoldsUpNoOther() throws {
    let monitor = try Monitor()
    defer { monitor.end() }
    let sous = try project(monitor)
    defer { sous.remove() }
    for recipe in ["silent", "silent", "silent", "good"] {
      try #require(try sous("run", "--queue", "\(recipe).yaml").status == 0)
    }
    let began = ContinuousClock.now
    #expect(try sous("serve", "--once").status == 0)
    // One after the other the requests to the silent service would take a minute.
    #expect(ContinuousClock.now - began < .seconds(40))
    #expect(monitor.paths.filter { $0.hasPrefix("/good") } == ["/good/start", "/good"])
  }
}
