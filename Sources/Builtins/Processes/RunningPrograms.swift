import Glibc
import Synchronization

/// The programs that run just now, each with its group.
public enum RunningPrograms {
  private static let groups = Mutex<Set<pid_t>>([])

  /// Ends all of them at once, for a process that is about to end without waiting for anything.
  public static func kill() {
    groups.withLock { groups in
      for group in groups { Glibc.kill(-group, SIGKILL) }
    }
  }

  static func begin(_ process: pid_t) { groups.withLock { _ = $0.insert(process) } }

  /// To be called before the process is waited for: after that another process may have the number.
  static func end(_ process: pid_t) { groups.withLock { _ = $0.remove(process) } }
}
