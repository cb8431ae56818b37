import Foundation
import Synchronization

/// A server on 127.0.0.1 whose connections a test answers one by one, each on a thread of its own.
final class LoopbackServer: Sendable {
  let port: Int
  private let descriptor: Int32
  private let counts = Counts()

  private final class Counts: Sendable {
    let connections = Atomic(0)
    let closed = Atomic(0)
  }

  var connections: Int { counts.connections.load(ordering: .relaxed) }
  /// Connections that the other side has closed while ``Connection/waitForClose()`` waited.
  var closed: Int { counts.closed.load(ordering: .relaxed) }

  struct Connection {
    let descriptor: Int32

    /// Reads once.
    func read() -> String {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func write(_ text: String) {
      let bytes = Array(text.utf8)
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads until the other side has gone.
    func waitForClose() { while !read().isEmpty {} }
  }

  init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    self.descriptor = descriptor
    port = Int(UInt16(bigEndian: address.sin_port))
    let counts = counts
    Thread.detachNewThread {
      while true {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { return }
        counts.connections.add(1, ordering: .relaxed)
        Thread.detachNewThread {
          serve(Connection(descriptor: accepted))
          close(accepted)
          counts.closed.add(1, ordering: .relaxed)
        }
      }
    }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}
