import Engine
package import Expressions
import Synchronization

/// A clock that stands still until a test moves it; a sleep lasts until then.
package final class ManualTime: TimeSource {
  private struct Sleeper {
    var wakesAt: Double
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var monotonic = 0.0
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var observers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Creates a clock at 2023-11-14 22:13:20 UTC.
  package init() {}

  package var now: Timestamp { Timestamp(seconds: 1_700_000_000 + Int64(monotonic)) }
  package var monotonic: Double { state.withLock { $0.monotonic } }

  package func sleep(seconds: Double) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let observers: [CheckedContinuation<Void, Never>] = state.withLock { state in
          if state.cancelled.contains(id) {
            continuation.resume(throwing: CancellationError())
            return []
          }
          state.sleepers[id] = Sleeper(wakesAt: state.monotonic + seconds, continuation: continuation)
          defer { state.observers = [] }
          return state.observers
        }
        for observer in observers { observer.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        return state.sleepers.removeValue(forKey: id)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns as soon as a task sleeps.
  package func waitForSleeper() async {
    await withCheckedContinuation { observer in
      let isThere = state.withLock { state in
        if state.sleepers.isEmpty { state.observers.append(observer) }
        return !state.sleepers.isEmpty
      }
      if isThere { observer.resume() }
    }
  }

  /// Moves the clock and ends the sleeps that are due.
  package func advance(by seconds: Double) {
    let due = state.withLock { state in
      state.monotonic += seconds
      let now = state.monotonic
      let due = state.sleepers.filter { $0.value.wakesAt <= now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.wakesAt < $1.wakesAt }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
