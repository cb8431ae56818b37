import Dispatch
import Engine
import Expressions
import Synchronization

/// A clock that jumps: time passes only when every task of a run waits, and then at once to whoever wakes first.
///
/// It is the executor of the tasks it serves, so it knows when none of them can go on. What happens outside (a task
/// that does not inherit the executor) holds the clock by ``hold(_:)``. So a run takes no real time, and neither an
/// attempt's timeout nor a pause depends on how fast the machine is.
final class VirtualTime: TimeSource, TaskExecutor {
  private struct Sleeper {
    var wakeAt: Double
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var monotonic = 0.0
    var runnable = 0
    var holds: Set<String> = []
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var nextID = 0
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "sous.virtual-time")
  private let start: Timestamp

  init(start: Timestamp) { self.start = start }

  var monotonic: Double { state.withLock { $0.monotonic } }

  var now: Timestamp {
    let passed = TimeSpan(nanoseconds: Int64((min(monotonic, 9e9) * 1e9).rounded()))
    return start.adding(passed) ?? start
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.runnable += 1 }
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.runnable -= 1 }
      advance()
    }
  }

  /// Stops the clock until ``release(_:)``; the name tells holds apart.
  func hold(_ name: String) {
    state.withLock { _ = $0.holds.insert(name) }
  }

  /// Ends a hold.
  func release(_ name: String) {
    state.withLock { _ = $0.holds.remove(name) }
    queue.async { [self] in advance() }
  }

  /// Jumps to the next sleeper's time where no task can go on.
  private func advance() {
    let woken = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.runnable == 0, state.holds.isEmpty,
        let next = state.sleepers.min(by: { ($0.value.wakeAt, $0.key) < ($1.value.wakeAt, $1.key) })
      else { return nil }
      state.sleepers[next.key] = nil
      state.monotonic = max(state.monotonic, next.value.wakeAt)
      return next.value.continuation
    }
    woken?.resume()
  }

  func sleep(seconds: Double) async throws {
    try Task.checkCancellation()
    guard seconds > 0 else { return }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(id) != nil { return true }
          state.sleepers[id] = Sleeper(wakeAt: state.monotonic + min(seconds, 3.2e9), continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume() }
      }
    } onCancel: {
      let woken = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper.continuation }
        state.cancelled.insert(id)
        return nil
      }
      woken?.resume()
    }
    try Task.checkCancellation()
  }
}
