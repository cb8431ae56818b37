import CProcess
import Glibc

/// Prepares a process that runs for days (`sous serve`, `sous work`), so that it frees its port and runs at once if it crashes.
public enum LongLivedProcess {
  /// The signals after which Swift's runtime reports a crash.
  private static let crashes = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Sets close-on-exec on all open descriptors and switches the crash report of Swift's runtime off: writing the report takes
  /// many seconds, in which the crashed process still holds its port and its runs.
  ///
  /// - Parameter environment: The variables of the process. If `SWIFT_BACKTRACE` is set, the report stays on.
  public static func prepare(environment: [String: String]) {
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
