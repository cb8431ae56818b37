import Foundation
import Synchronization

/// A server's socket on 127.0.0.1, at a port that the kernel chooses.
public final class LoopbackListener: Sendable {
  /// Where it listens.
  public let port: Int
  private let descriptor: Int32
  private let hasEnded = Mutex(false)

  /// Listens from now on.
  ///
  /// - Parameter queue: How many connections may wait to be taken.
  public init(queue: Int32 = 64) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { [descriptor] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, queue) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isListening else { throw LoopbackPort.Failure() }
  }

  deinit { end() }

  /// Hands each connection to a thread of its own, which closes it, until ``end()``.
  public func serve(_ answer: @escaping @Sendable (Int32) -> Void) {
    // Ends when `accept` fails, as it does once the descriptor is shut down.
    Thread.detachNewThread { [descriptor] in
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        Thread.detachNewThread { answer(connection) }
      }
    }
  }

  /// Takes no more connections. Again, it does nothing.
  public func end() {
    hasEnded.withLock { hasEnded in
      guard !hasEnded else { return }
      hasEnded = true
      shutdown(descriptor, Int32(SHUT_RDWR))
      close(descriptor)
    }
  }
}
