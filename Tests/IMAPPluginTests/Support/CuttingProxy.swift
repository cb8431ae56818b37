import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A proxy on the loopback interface that cuts connections after so many bytes, in one direction.
final class CuttingProxy: Sendable {
  enum Direction: Sendable {
    case toServer
    case toClient
  }

  private struct State {
    var direction = Direction.toServer
    var left = Int.max
    var passed: [Direction: [UInt8]] = [:]
    /// The connections that stand: the client's socket and the server's.
    var standing: [Open] = []
  }

  let port: Int
  private let target: Int
  private let listener: Int32
  private let state = Mutex(State())

  init(target: Int) throws {
    self.target = target
    listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = listener
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard status else { throw CocoaError(.fileReadUnknown) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread { [self] in accept() }.start()
  }

  /// Ends everything.
  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
    cut()
  }

  /// Lets so many bytes pass in one direction, over all connections to come; then cuts all of them.
  func allow(_ count: Int, _ direction: Direction) {
    state.withLock {
      $0.direction = direction
      $0.left = count
      $0.passed = [:]
    }
  }

  /// What has passed.
  func passed(_ direction: Direction) -> [UInt8] { state.withLock { $0.passed[direction] ?? [] } }

  /// Cuts what stands, and returns when the server has dealt with all that had reached it: what a connection has carried is
  /// then done, or never will be.
  func cut() {
    let cut = state.withLock { $0.standing }
    for open in cut { Self.cut(open) }
    // Whoever connects again meanwhile is nobody to wait for.
    while state.withLock({ state in cut.contains { open in state.standing.contains { $0 === open } } }) { usleep(2000) }
  }

  /// The client sees the end at once; the server sees that nothing more comes.
  private static func cut(_ open: Open) {
    shutdown(open.client, Int32(SHUT_RDWR))
    shutdown(open.server, Int32(SHUT_WR))
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      let server = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = Self.address(target)
      let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isConnected else {
        Glibc.close(client)
        Glibc.close(server)
        continue
      }
      // Both threads use both sockets; the one that ends last closes them.
      let open = Open(client, server)
      state.withLock { $0.standing.append(open) }
      Thread { [self] in relay(from: client, to: server, .toServer, open) }.start()
      Thread { [self] in relay(from: server, to: client, .toClient, open) }.start()
    }
  }

  private final class Open: Sendable {
    let client: Int32
    let server: Int32
    init(_ client: Int32, _ server: Int32) { (self.client, self.server) = (client, server) }
    deinit { for socket in [client, server] { Glibc.close(socket) } }
  }

  private func relay(from source: Int32, to target: Int32, _ direction: Direction, _ open: Open) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &buffer, buffer.count)
      let (allowed, isCut) = state.withLock { state -> (Int, Bool) in
        guard count > 0 else { return (0, false) }
        let allowed = direction == state.direction ? min(count, state.left) : state.left > 0 ? count : 0
        if direction == state.direction { state.left -= allowed }
        state.passed[direction, default: []] += buffer[..<allowed]
        return (allowed, state.left == 0)
      }
      if allowed > 0 { _ = send(target, buffer, allowed, Int32(MSG_NOSIGNAL)) }
      guard count > 0, !isCut else { break }
    }
    Self.cut(open)
    guard direction == .toClient else { return }
    // The server closes the connection when it has dealt with all that had come.
    while read(source, &buffer, buffer.count) > 0 {}
    state.withLock { state in state.standing.removeAll { $0 === open } }
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
