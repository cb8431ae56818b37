import Glibc
import UseCases

/// Tells systemd how a service fares; see sd_notify(3). Does nothing where nobody asks for it.
struct ServiceNotifier: Sendable {
  private let address: String?
  /// Seconds between two signs of life that systemd waits for; `nil` where it waits for none.
  let watchdogSeconds: Double?

  /// - Parameter environment: The variables of the process: `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`.
  init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    watchdogSeconds = isMeant ? environment["WATCHDOG_USEC"].flatMap(Double.init).map { $0 / 1_000_000 } : nil
  }

  /// Sends lines such as `READY=1`; what cannot be sent is dropped.
  func tell(_ message: String) {
    guard let address else { return }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    var path = Array(address.utf8)
    // A name that begins with `@` stands for an abstract socket, which begins with NUL.
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    guard path.count < MemoryLayout.size(ofValue: place.sun_path) else { return }
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let bytes = Array(message.utf8)
    _ = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
