internal import Glibc
internal import Synchronization

/// How a connection waits while another one holds the lock: in short steps, so that a free moment is not missed.
///
/// SQLite's own `busy_timeout` ends up looking every 100 ms, which starves a process beside a busy writer.
package final class BusyWait: Sendable {
  private let nanoseconds: UInt64
  private let start = Mutex<UInt64>(0)

  /// Waits for at most some seconds in all each time a lock is met.
  package init(seconds: Double) {
    nanoseconds = UInt64(max(0, min(seconds, 3600)) * 1_000_000_000)
  }

  /// Called by SQLite with the number of earlier calls for the same lock; sleeps, or gives up with `false`.
  package func shouldTryAgain(_ earlierCalls: Int) -> Bool {
    let now = BusyWait.now()
    let began = start.withLock { start in
      if earlierCalls == 0 { start = now }
      return start
    }
    guard now &- began < nanoseconds else { return false }
    usleep(earlierCalls < 10 ? 200 : earlierCalls < 100 ? 1000 : 3000)
    return true
  }

  private static func now() -> UInt64 { MonotonicClock.nanoseconds }
}
