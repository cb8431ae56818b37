import Synchronization

/// Wakes tasks when something has changed.
///
/// A waiter reads ``count``, then the awaited state, and if that is not there yet waits for a change since that
/// count: so no change is missed.
package final class Changes: Sendable {
  private struct State {
    var count = 0
    var lastWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    /// Waiters that were cancelled before they had begun to wait.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// How often ``notify()`` was called.
  package var count: Int { state.withLock { $0.count } }

  /// Something has changed.
  package func notify() {
    let waiters = state.withLock { state -> [Int: CheckedContinuation<Void, Never>] in
      state.count &+= 1
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Returns when something has changed since the count, or the task is cancelled.
  package func wait(since seen: Int) async {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if state.cancelled.remove(waiter) != nil || state.count != seen { return true }
          state.waiters[waiter] = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if let found = state.waiters.removeValue(forKey: waiter) { return found }
        state.cancelled.insert(waiter)
        return nil
      }
      continuation?.resume()
    }
    _ = state.withLock { $0.cancelled.remove(waiter) }
  }
}
