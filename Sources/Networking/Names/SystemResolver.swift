import Foundation
import Glibc
import Synchronization

/// Asks the system (`getaddrinfo`: /etc/hosts, DNS and whatever nsswitch.conf names).
///
/// The call blocks, for many seconds where a name server is dead, so each runs on a thread of its own that ends with it.
/// Questions for the same name share one call; a limit keeps a dead name server from piling up threads.
final class SystemResolver: HostResolver {
  private typealias Completion = @Sendable (Result<[IPAddress], NameFailure>) -> Void

  private struct State {
    var running: [String: [Completion]] = [:]
    var waiting: [String] = []
    var threads = 0
  }

  private let state = Mutex(State())
  private let threadLimit = 16
  /// `EAI_NODATA` of netdb.h: the name is there, but has no addresses.
  private static let noData: Int32 = -5

  func resolve(_ name: String, completion: @escaping @Sendable (Result<[IPAddress], NameFailure>) -> Void) {
    let starts = state.withLock { state in
      state.running[name, default: []].append(completion)
      guard state.running[name]?.count == 1 else { return false }
      guard state.threads < threadLimit else {
        state.waiting.append(name)
        return false
      }
      state.threads += 1
      return true
    }
    if starts { startThread(for: name) }
  }

  private func startThread(for name: String) {
    let thread = Thread { [self] in
      var next: String? = name
      while let name = next {
        let result = Self.lookUp(name)
        let completions: [Completion]
        (completions, next) = state.withLock { state in
          let completions = state.running.removeValue(forKey: name) ?? []
          let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
          if next == nil { state.threads -= 1 }
          return (completions, next)
        }
        for completion in completions { completion(result) }
      }
    }
    thread.stackSize = 512 << 10
    thread.start()
  }

  private static func lookUp(_ name: String) -> Result<[IPAddress], NameFailure> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(name, nil, &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    switch status {
    case 0: break
    case EAI_NONAME, Self.noData: return .failure(.unknown)
    default: return .failure(.service(String(cString: gai_strerror(status))))
    }
    var addresses: [IPAddress] = []
    var entry = list
    while let current = entry, addresses.count < 64 {
      if let address = address(of: current.pointee), !addresses.contains(address) { addresses.append(address) }
      entry = current.pointee.ai_next
    }
    return addresses.isEmpty ? .failure(.unknown) : .success(addresses)
  }

  private static func address(of entry: addrinfo) -> IPAddress? {
    guard let raw = entry.ai_addr else { return nil }
    switch entry.ai_family {
    case AF_INET:
      guard entry.ai_addrlen >= socklen_t(MemoryLayout<sockaddr_in>.size) else { return nil }
      // By offset (ip(7)): several modules define the struct, and none of them is ours to import.
      return .v4(UInt32(bigEndian: UnsafeRawPointer(raw).loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    case AF_INET6:
      guard entry.ai_addrlen >= socklen_t(MemoryLayout<sockaddr_in6>.size) else { return nil }
      // By offset (ipv6(7)), as above.
      return IPAddress(v6: Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(raw) + 8, count: 16)))
    default: return nil
    }
  }
}
