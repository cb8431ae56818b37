import Glibc

/// Ports of 127.0.0.1 for servers that a test starts and that do not choose a port themselves.
///
/// They lie below the ports that the kernel hands out by itself (32768 and up, `ip_local_port_range`), so that no
/// connection and no other server of a test gets one by chance.
public enum LoopbackPort {
  /// No port could be had.
  public struct Failure: Error {}

  /// A port on which nobody listens.
  public static func free() throws -> Int {
    for _ in 0..<1000 {
      let port = Int.random(in: 10_240..<32_000)
      let socket = bound(to: port)
      guard socket >= 0 else { continue }
      close(socket)
      return port
    }
    throw Failure()
  }

  /// A socket that holds a port; -1 where somebody else does.
  fileprivate static func bound(to port: Int) -> Int32 { socket(at: port, bind) }

  /// A socket that was given an address by a call; -1 where that failed.
  fileprivate static func socket(
    at port: Int, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status != 0 else { return descriptor }
    close(descriptor)
    return -1
  }
}

/// A port at which no connection comes about as long as this lives: somebody listens, but the queue is full.
public final class SilentPort: Sendable {
  /// Its number.
  public let number: Int
  private let descriptors: [Int32]

  /// Takes a port and fills its queue, which holds one connection.
  public init() throws {
    for _ in 0..<1000 {
      let port = Int.random(in: 10_240..<32_000)
      let listener = LoopbackPort.bound(to: port)
      guard listener >= 0 else { continue }
      guard listen(listener, 0) == 0 else {
        close(listener)
        continue
      }
      (number, descriptors) = (port, [listener, LoopbackPort.socket(at: port, connect)])
      return
    }
    throw LoopbackPort.Failure()
  }

  deinit { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
}

/// A port that refuses every connection as long as this lives: it is taken, and nobody listens.
public final class RefusingPort: Sendable {
  /// Its number.
  public let number: Int
  private let descriptor: Int32

  /// Takes a port.
  public init() throws {
    for _ in 0..<1000 {
      let port = Int.random(in: 10_240..<32_000)
      let socket = LoopbackPort.bound(to: port)
      guard socket >= 0 else { continue }
      (number, descriptor) = (port, socket)
      return
    }
    throw LoopbackPort.Failure()
  }

  deinit { close(descriptor) }
}
