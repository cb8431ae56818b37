import CProcess
import Glibc

/// Prepares a process that works for days, so that it leaves nothing behind when it crashes.
public enum LongLivedProcess {
  /// The signals after which Swift's runtime reports a crash.
  private static let crashes = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Makes descriptors that the process was given close on exec, and ends it at once when it crashes: the report of
  /// Swift's runtime takes many seconds in which the crashed process still holds its port and its runs.
  ///
  /// - Parameter environment: The variables of the process; one in which `SWIFT_BACKTRACE` is set keeps the report.
  public static func begin(environment: [String: String]) {
    process_close_on_exec()
    guard environment["SWIFT_BACKTRACE"] == nil else { return }
    for number in crashes {
      var action = sigaction()
      guard sigaction(number, nil, &action) == 0 else { continue }
      // A signal that the parent ignores is still ignored.
      let handler = action.__sigaction_handler.sa_sigaction.map { unsafeBitCast($0, to: Int.self) } ?? 0
      if handler != 1 { signal(number, SIG_DFL) }
    }
  }
}
