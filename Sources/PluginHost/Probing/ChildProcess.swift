import Foundation

/// Runs a program that may crash or hang, for a limited time.
enum ChildProcess {
  struct Failure: Error {
    let reason: String
  }

  enum Status: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
    /// It has ended; how, nobody can tell: this process was started with SIGCHLD ignored.
    case unknown
  }

  struct Ending {
    let status: Status
    let output: [UInt8]
    /// The last words on standard error, in one line.
    let errors: String
  }

  /// Environment variables a probed plugin sees: none that could hold a secret.
  private static let passedOn: Set<String> = ["PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR", "TZ"]
  private static let outputLimit = 4 << 20

  /// Runs a program and waits for its end. Blocks the calling thread.
  static func run(_ executable: String, _ arguments: [String], limit: Double) throws(Failure) -> Ending {
    let output = try Pipe()
    let errors = try Pipe()
    defer {
      output.close()
      errors.close()
    }
    let process = try spawn(executable, arguments, output: output.writing, errors: errors.writing)
    output.closeWriting()
    errors.closeWriting()

    let deadline = ContinuousClock.now + .seconds(limit)
    var outputBytes: [UInt8] = []
    var errorBytes: [UInt8] = []
    var status: Int32 = 0
    var hasEnded = false
    var isKnown = true
    while !hasEnded || output.isOpen || errors.isOpen {
      if !hasEnded {
        let result = waitpid(process, &status, WNOHANG)
        hasEnded = result == process || (result < 0 && errno == ECHILD)
        isKnown = result >= 0
      }
      // A grandchild may hold the pipes open after the child is gone: then what is there now is all.
      let wait = hasEnded ? 0 : 10
      let hasMore = readReady(output, into: &outputBytes, errors, into: &errorBytes, milliseconds: Int32(wait))
      if hasEnded && !hasMore { break }
      guard ContinuousClock.now >= deadline else { continue }
      // Grandchildren too: one of them may keep a pipe busy for ever.
      kill(-process, SIGKILL)
      if hasEnded { break }
      kill(process, SIGKILL)
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return Ending(status: .timedOut, output: outputBytes, errors: lastWords(errorBytes))
    }
    let ending: Status =
      !isKnown ? .unknown : status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
    return Ending(status: ending, output: outputBytes, errors: lastWords(errorBytes))
  }

  /// The name of a signal: `SIGSEGV`.
  static func signalName(_ signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGSEGV: "SIGSEGV (invalid memory access)", SIGABRT: "SIGABRT (abort)", SIGBUS: "SIGBUS (bus error)",
      SIGILL: "SIGILL (illegal instruction or Swift runtime error)", SIGFPE: "SIGFPE (arithmetic error)",
      SIGTRAP: "SIGTRAP (Swift runtime error)", SIGKILL: "SIGKILL (killed, for instance out of memory)",
      SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS (forbidden system call)",
    ]
    return names[signal] ?? "signal \(signal)"
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], output: Int32, errors: Int32
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)

    // A process group of its own, so that what it starts can be ended with it, and signals as by default.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var environment = ProcessInfo.processInfo.environment.filter { passedOn.contains($0.key) }
    // What a crash says is one line in a message; a backtrace takes seconds and its last line says how many.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    var argv = ([executable] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, executable, &actions, &attributes, &argv, &envp)
    guard result == 0 else { throw Failure(reason: String(cString: strerror(result))) }
    return process
  }

  /// Reads what is there; `false` when there was nothing.
  private static func readReady(
    _ first: Pipe, into firstBytes: inout [UInt8], _ second: Pipe, into secondBytes: inout [UInt8], milliseconds: Int32
  ) -> Bool {
    // A negative descriptor is skipped by poll.
    var descriptors = [
      pollfd(fd: first.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: second.reading, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&descriptors, 2, milliseconds) > 0 else { return false }
    if descriptors[0].revents != 0 { first.read(into: &firstBytes, limit: outputLimit) }
    if descriptors[1].revents != 0 { second.read(into: &secondBytes, limit: 64 << 10) }
    return true
  }

  private static func lastWords(_ bytes: [UInt8]) -> String {
    let lines = String(decoding: bytes.suffix(2000), as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = lines.first { $0.contains("atal error") } ?? lines.last ?? ""
    return String(words.prefix(300))
  }

  /// The two ends of a pipe, closed at most once each.
  private final class Pipe {
    private(set) var reading: Int32
    private(set) var writing: Int32

    init() throws(Failure) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Failure(reason: String(cString: strerror(errno))) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      reading = ends[0]
      writing = ends[1]
    }

    var isOpen: Bool { reading >= 0 }

    /// Reads once; what exceeds the limit is thrown away.
    func read(into bytes: inout [UInt8], limit: Int) {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      let count = Foundation.read(reading, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer.prefix(min(count, max(0, limit - bytes.count)))
      } else if count == 0 || errno != EINTR {
        closeReading()
      }
    }

    func closeReading() {
      if reading >= 0 { Foundation.close(reading) }
      reading = -1
    }

    func closeWriting() {
      if writing >= 0 { Foundation.close(writing) }
      writing = -1
    }

    func close() {
      closeReading()
      closeWriting()
    }
  }
}
