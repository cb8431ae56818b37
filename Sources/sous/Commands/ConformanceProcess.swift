import Engine
import Expressions
import Foundation
import Glibc
import Localization
import Synchronization

/// The process of `sous plugins check` that loads the plugin: started, listened to, and ended where it hangs.
struct ConformanceProcess {
  /// How the process ended.
  enum Ending {
    /// With its last line.
    case complete
    /// Too early, by a signal.
    case signal(Int32)
    /// Too early, by itself.
    case exit(Int32)
    /// It said nothing for these seconds.
    case hang(Int)
  }

  /// Seconds without a line after which it hangs; a call may take a minute, and answers late.
  static let patience = 100

  /// Where it may keep state.
  let folder: String

  /// Runs it.
  ///
  /// - Parameter take: Takes its lines.
  func run(_ take: (Value) -> Void) throws -> Ending {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    var arguments = Array(CommandLine.arguments.dropFirst())
    arguments.insert(contentsOf: ["--inner", folder], at: arguments.firstIndex(of: "--") ?? arguments.endIndex)
    process.arguments = arguments
    // A crash is reported here; the runtime's own report takes seconds and says less.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no", "LANG": Speech.language == .german ? "de_DE.UTF-8" : "C.UTF-8"]
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    try? output.fileHandleForWriting.close()
    let (isComplete, isHanging) = listen(to: output.fileHandleForReading.fileDescriptor, take)
    if isHanging { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    if isComplete { return .complete }
    if isHanging { return .hang(Self.patience) }
    return process.terminationReason == .uncaughtSignal
      ? .signal(process.terminationStatus) : .exit(process.terminationStatus)
  }

  /// Takes lines until there are no more, or the last one, or none for too long.
  private func listen(to descriptor: Int32, _ take: (Value) -> Void) -> (isComplete: Bool, isHanging: Bool) {
    var rest: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = Glibc.poll(&poll, 1, Int32(Self.patience) * 1000)
      if ready == 0 { return (false, true) }
      if ready < 0 { if errno == EINTR { continue } else { return (false, false) } }
      let count = read(descriptor, &piece, piece.count)
      if count <= 0 { return (false, false) }
      rest += piece[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        if let line = try? Value(json: Array(rest[..<end])) {
          take(line)
          if line["end"] != nil { return (true, false) }
        }
        rest.removeSubrange(...end)
      }
    }
  }
}

/// What the process that loads the plugin says over its standard output, which it takes away from the plugin.
final class ConformanceChannel: Sendable {
  private let descriptor: Int32
  private let last = Mutex(0.0)

  /// Takes standard output; what the plugin prints goes to standard error.
  init() {
    descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 64)
    dup2(STDERR_FILENO, STDOUT_FILENO)
  }

  /// Says one line.
  func write(_ value: Value) {
    let line = Array((value.jsonString + "\n").utf8)
    last.withLock { last in
      var rest = line[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
      last = SystemTime().monotonic
    }
  }

  /// Says that something happens, where nothing was said for a second.
  func beat() {
    guard last.withLock({ SystemTime().monotonic - $0 > 1 }) else { return }
    write(["alive": true])
  }
}
