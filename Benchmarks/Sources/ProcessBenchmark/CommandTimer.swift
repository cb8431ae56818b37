import Glibc

/// Runs commands as whole processes and reads what the kernel accounts to them.
struct CommandTimer {
  /// What one run of a command took.
  struct Sample {
    /// User and system time, in milliseconds.
    var cpu: Double
    /// From the start to the end, in milliseconds.
    var elapsed: Double
    /// Peak resident memory, in mebibytes.
    var memory: Double
  }

  /// Why a command gives no sample.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let arguments: [String]

  /// Runs the command once, its output thrown away.
  func sample() throws -> Sample {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var process = pid_t()
    var (begin, end) = (timespec(), timespec())
    clock_gettime(CLOCK_MONOTONIC, &begin)
    let status = posix_spawnp(&process, arguments[0], &actions, nil, &pointers, environ)
    guard status == 0 else {
      throw Failure(description: "\(arguments[0]): \(String(cString: strerror(status)))")
    }
    var usage = rusage()
    var exit: Int32 = 0
    while wait4(process, &exit, 0, &usage) < 0 {
      guard errno == EINTR else { throw Failure(description: "\(arguments[0]): \(String(cString: strerror(errno)))") }
    }
    clock_gettime(CLOCK_MONOTONIC, &end)
    guard exit == 0 else { throw Failure(description: "\(arguments.joined(separator: " ")): exit status \(exit >> 8)") }
    func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000 }
    return Sample(
      cpu: milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
      elapsed: Double(end.tv_sec - begin.tv_sec) * 1000 + Double(end.tv_nsec - begin.tv_nsec) / 1e6,
      memory: Double(usage.ru_maxrss) / 1024)
  }
}
