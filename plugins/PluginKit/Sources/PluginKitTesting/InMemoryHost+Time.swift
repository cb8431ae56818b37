import PluginKit
import Synchronization

extension InMemoryHost {
  /// Moves the clock forwards, and wakes what waits for a deadline until then.
  public func advance(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    state.withLock { state in
      // Milliseconds come from the whole, so that many small steps lose nothing.
      let before = state.elapsed / 1_000_000
      state.elapsed &+= UInt64(clamping: nanoseconds)
      state.now &+= Int64(clamping: state.elapsed / 1_000_000 - before)
    }
    timeChanges.notify()
  }

  /// Waits until the clock has been moved so far.
  func timer(for duration: Duration) async throws(CancellationError) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = UInt64(clamping: seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
    let due = state.withLock { $0.elapsed } &+ nanoseconds
    while true {
      guard !Task.isCancelled else { throw CancellationError() }
      let seen = timeChanges.count
      if state.withLock({ $0.elapsed >= due }) { return }
      await timeChanges.wait(since: seen)
    }
  }
}
