import Dispatch
import Foundation
public import PluginKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension InMemoryHost {
  /// Connects the streams that plugins open to real servers, on ports of the loopback interface.
  ///
  /// ```swift
  /// host.connectStreams { _ in server.port }
  /// ```
  ///
  /// What the host's manifest allows counts as with ``accept(_:)``. TLS is not made: a stream that asks for it ends with
  /// `unsupported`.
  ///
  /// - Parameter port: The port on 127.0.0.1 for a request; `nil` for what ``accept(_:)`` answers.
  public func connectStreams(_ port: @escaping @Sendable (StreamRequest) -> Int?) {
    state.withLock { $0.loopback = port }
  }
}

/// A TCP connection to 127.0.0.1, for tests: a thread that reads and a queue that writes.
// What two threads change is behind the condition's lock.
final class LoopbackStream: StreamControl, @unchecked Sendable {
  /// How much may have arrived that nobody has read.
  private static let window = 1 << 20

  private let receiver: any StreamReceiver
  private let port: Int
  private let writes = DispatchQueue(label: "LoopbackStream", attributes: .initiallyInactive)
  private let condition = NSCondition()
  private var socket: Int32 = -1
  private var unread = 0
  private var isClosed = false
  private var sent: UInt64 = 0
  /// Writes that wait for another thread; what follows has to wait as well.
  private var queued = 0

  init(port: Int, _ receiver: any StreamReceiver) {
    self.port = port
    self.receiver = receiver
  }

  /// Connects; everything else follows from the receiver's calls.
  func start() {
    let thread = Thread { [self] in run() }
    thread.name = "loopback stream"
    thread.start()
  }

  private func run() {
    guard let socket = connected() else {
      // A queue that was never activated may not be let go of.
      writes.activate()
      return receiver.receiveEnd(
        ActionError(.refused, "Nothing listens on 127.0.0.1:\(port): \(String(cString: strerror(errno)))."))
    }
    condition.withLock { self.socket = socket }
    receiver.receiveOpened()
    // Writes wait until the connection stands.
    writes.activate()
    receiver.receiveEnd(read(socket))
    writes.async { [self] in
      condition.withLock { self.socket = -1 }
      Glibc.close(socket)
    }
  }

  private func connected() -> Int32? {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let code = errno
      Glibc.close(socket)
      errno = code
      return nil
    }
    var isOn: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    return socket
  }

  /// Reads until the end.
  ///
  /// - Returns: Why it broke; `nil` for a good end.
  private func read(_ socket: Int32) -> ActionError? {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      condition.withLock {
        while unread >= Self.window, !isClosed { condition.wait() }
      }
      let count = recv(socket, &buffer, buffer.count, 0)
      if count == 0 { return nil }
      guard count > 0 else {
        if errno == EINTR { continue }
        let reason = String(cString: strerror(errno))
        return condition.withLock { isClosed } ? nil : ActionError(.io, "The connection broke: \(reason).")
      }
      condition.withLock { unread += count }
      receiver.receiveData(Array(buffer[..<count]))
    }
  }

  func write(_ piece: [UInt8]) {
    // What the system takes at once needs no other thread.
    let (isAtOnce, start) = condition.withLock { () -> (Bool, Int) in
      guard queued == 0, socket >= 0 else {
        queued += 1
        return (false, 0)
      }
      let count = max(0, Self.send(socket, piece[...], Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
      if count < piece.count { queued += 1 }
      return (count == piece.count, count)
    }
    if isAtOnce { return report(piece.count) }
    writes.async { [self] in
      let socket = condition.withLock { self.socket }
      var rest = piece[start...]
      while socket >= 0, !rest.isEmpty {
        let count = Self.send(socket, rest, Int32(MSG_NOSIGNAL))
        // The reader sees the same end.
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
      report(piece.count)
      condition.withLock { queued -= 1 }
    }
  }

  private func report(_ count: Int) {
    let total = condition.withLock {
      sent += UInt64(count)
      return sent
    }
    receiver.receiveSent(total)
  }

  private static func send(_ socket: Int32, _ bytes: ArraySlice<UInt8>, _ flags: Int32) -> Int {
    bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, flags) }
  }

  func consumed(_ count: Int) {
    condition.withLock {
      unread -= count
      condition.broadcast()
    }
  }

  func startTLS() {
    close()
    receiver.receiveEnd(ActionError(.unsupported, "Streams to the loopback interface have no TLS in tests."))
  }

  func close() {
    let isFirst = condition.withLock {
      defer { isClosed = true }
      condition.broadcast()
      return !isClosed
    }
    guard isFirst else { return }
    writes.async { [self] in
      let socket = condition.withLock { self.socket }
      if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }
}
