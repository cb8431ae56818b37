import CSecrets
import Glibc
import Synchronization

/// Keeps the memory of this process to itself once it holds secrets.
public enum ProcessProtection {
  private static let isOn = Atomic<Bool>(false)

  /// Turns off core dumps, `ptrace` and `/proc/PID/{mem,environ}` by other processes of the same user, and the crash
  /// report of the Swift runtime, which shows registers and the memory they point to. A crash still ends the process with
  /// its signal. Programs that this process starts are not affected. Idempotent; any thread.
  public static func enable() {
    guard !isOn.exchange(true, ordering: .relaxed) else { return }
    _ = csecrets_forbid_dumps()
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGQUIT] { signal(number, SIG_DFL) }
  }

  /// Whether the protection is on.
  public static var isEnabled: Bool { isOn.load(ordering: .relaxed) }
}
