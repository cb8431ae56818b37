import Engine
import Synchronization

/// Drives a ``DeadlineQueue`` by a clock.
///
/// One timer serves all calls: a sleep per call would cost more than the call, and a sleep that is cancelled keeps its
/// memory until it would have ended.
final class Deadlines: Sendable {
  private let time: any TimeSource
  private let queue = Mutex(DeadlineQueue())

  init(time: any TimeSource) {
    self.time = time
  }

  /// Has something done after a number of seconds, unless it is cancelled before.
  func set(
    _ purpose: DeadlineQueue.Purpose, of call: UInt64, in seconds: Double, _ action: @escaping @Sendable () -> Void
  ) {
    // A sleep takes finite numbers only; a century is long enough.
    let deadline = time.monotonic + min(max(0, seconds), 3.2e9)
    if let timer = queue.withLock({ $0.set(purpose, of: call, at: deadline, action) }) { start(timer) }
  }

  /// Takes a deadline back.
  func remove(_ purpose: DeadlineQueue.Purpose, of call: UInt64) {
    queue.withLock { $0.remove(purpose, of: call) }
  }

  private func start(_ timer: DeadlineQueue.Timer) {
    // No task awaits this one: it ends when it has been replaced or no deadline is left.
    Task { [weak self, time] in
      try? await time.sleep(seconds: max(0, timer.wake - time.monotonic))
      self?.fire(timer.number)
    }
  }

  private func fire(_ number: Int) {
    let now = time.monotonic
    let (due, next) = queue.withLock { $0.fire(number, at: now) }
    if let next { start(next) }
    for action in due { action() }
  }
}
