import Glibc

/// A message to another process and back over a socket pair: the least that a call of a plugin of its own process costs.
struct BareRoundTrip: Sendable {
  /// With this argument the program is the other process.
  static let argument = "--answer-round-trips"
  /// About what the frame of a small call has.
  private static let size = 128
  private static let place: Int32 = 3

  /// Why there is no other process.
  struct Failure: Error {}

  private let descriptor: Int32

  /// Starts the other process, which ends with this one.
  init() throws {
    var pair: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { throw Failure() }
    defer { close(pair[1]) }
    _ = fcntl(pair[0], F_SETFD, FD_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pair[1], Self.place)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/proc/self/exe"), strdup(Self.argument), nil]
    defer { arguments.forEach { free($0) } }
    var process = pid_t()
    guard posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, environ) == 0 else { throw Failure() }
    descriptor = pair[0]
  }

  /// The round trips of one round, sorted, in nanoseconds.
  func round(_ count: Int) throws -> [UInt64] {
    var message = [UInt8](repeating: 0, count: Self.size)
    var samples: [UInt64] = []
    samples.reserveCapacity(count)
    for _ in 0..<count {
      let begin = nanoseconds()
      guard send(descriptor, message, message.count, 0) == Self.size,
        recv(descriptor, &message, message.count, Int32(MSG_WAITALL)) == Self.size
      else { throw Failure() }
      samples.append(nanoseconds() - begin)
    }
    return samples.sorted()
  }

  /// Sends back what comes, until nobody is there any more.
  static func answer() -> Never {
    var message = [UInt8](repeating: 0, count: size)
    while recv(place, &message, size, Int32(MSG_WAITALL)) == size, send(place, message, size, 0) == size {}
    exit(0)
  }
}
