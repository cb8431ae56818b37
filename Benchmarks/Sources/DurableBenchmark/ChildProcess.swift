import Glibc

/// Another program that is run to its end.
enum ChildProcess {
  /// Runs a program and throws its output away.
  ///
  /// - Returns: Its peak resident memory in megabytes.
  static func peakMemory(of arguments: [String]) throws -> Double {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var process = pid_t()
    let status = posix_spawnp(&process, arguments[0], &actions, nil, &pointers, environ)
    guard status == 0 else {
      throw RawCommits.Failure(description: "\(arguments[0]): \(String(cString: strerror(status)))")
    }
    var usage = rusage()
    var exit: Int32 = 0
    while wait4(process, &exit, 0, &usage) < 0 {
      guard errno == EINTR else { throw RawCommits.Failure(description: String(cString: strerror(errno))) }
    }
    guard exit == 0 else {
      throw RawCommits.Failure(description: "\(arguments.joined(separator: " ")): status \(exit >> 8)")
    }
    return Double(usage.ru_maxrss) * 1024 / 1e6
  }
}
