import Engine
import Expressions
import Foundation
import Glibc
import OperatingSystem
import Serve
import Server
import TestSupport
import TestWorkspace
import Testing
import UseCases

/// A server at a Unix socket.
@Suite(.timeLimit(.minutes(2)))
struct SocketTests {
  private static func connect(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status == 0 { return descriptor }
    close(descriptor)
    return -1
  }

  private func get(_ path: String, _ socket: String, _ field: String = "") async -> HTTPCall.Answer? {
    await BlockingPool.shared.run {
      let descriptor = Self.connect(socket)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      HTTPCall.write(
        Array("GET \(path) HTTP/1.1\r\nHost: sous\r\nConnection: close\r\n\(field)\r\n".utf8), to: descriptor)
      return HTTPCall.parse(HTTPCall.read(descriptor))
    }
  }

  /// Serves at a socket of a folder of its own.
  private func serve(_ keys: String, _ body: (String) async throws -> Void) async throws {
    let place = try Place(configuration: nil)
    let path = place.folder + "/http.sock"
    try place.write("sous.yaml", "server:\n  listen: unix:\(path)\n\(keys)")
    try place.makeFolder("recipes")
    try await place.withSession { session in
      let task = Task { try await session.serve(WorkOrder(), front: HTTPSide(version: "1")) }
      try await eventually { await get("/health", path)?.status == 200 }
      try await body(path)
      session.drain.set()
      try await task.value
    }
  }

  private func mode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
  }

  @Test func theUserOfTheDaemonIsAdministrator() async throws {
    try await serve("") { path in
      #expect(mode(path) == 0o600)
      #expect(await get("/api/v1/users", path)?.status == 200)
      // A proxy that is not named does not speak for the user of the daemon.
      #expect(await get("/api/v1/users", path, "X-Forwarded-For: 192.0.2.1\r\n")?.status == 401)
    }
  }

  /// Behind a proxy all requests are those of other people, also if the proxy forgets to say whose.
  @Test func aProxyAtTheSocketGivesNobodyRights() async throws {
    try await serve("  proxies: [unix]\n") { path in
      #expect(mode(path) == 0o660)
      #expect(await get("/api/v1/users", path)?.status == 401)
      #expect(await get("/api/v1/users", path, "X-Forwarded-For: 192.0.2.1\r\n")?.status == 401)
    }
  }
}
