import Engine
package import Expressions
import Synchronization

/// A clock that jumps over short sleeps.
///
/// A sleep of up to `jump` seconds is over at once and moves the clock; a longer one (an attempt's deadline) lasts until
/// its task is cancelled. So no test waits, and none depends on how fast the machine is.
package final class JumpingTime: TimeSource {
  private struct State {
    var monotonic = 1000.0
    var sleeps: [Double] = []
    /// How far the time of day was set forwards.
    var offset = 0.0
  }
  private let state = Mutex(State())
  private let jump: Double
  private let rest: @Sendable () async -> Void
  private let observe: @Sendable (Double) -> Void

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - jump: The longest sleep that is over at once, in seconds.
  ///   - observe: Gets the monotonic time after each sleep that moved the clock.
  ///   - rest: Is called before a sleep is over: what happens in the meantime.
  package init(
    jump: Double = 100, observe: @escaping @Sendable (Double) -> Void = { _ in },
    rest: @escaping @Sendable () async -> Void = {}
  ) {
    self.jump = jump
    self.rest = rest
    self.observe = observe
  }

  package var monotonic: Double { state.withLock { $0.monotonic } }
  package var now: Timestamp { Timestamp(seconds: 1_795_000_000 + Int64(state.withLock { $0.monotonic + $0.offset })) }
  /// The sleeps that moved the clock.
  package var sleeps: [Double] { state.withLock { $0.sleeps } }

  /// Lets time pass; it ends no sleep.
  package func pass(_ seconds: Double) { state.withLock { $0.monotonic += seconds } }

  /// Sets the time of day forwards, or back.
  package func jump(by seconds: Double) { state.withLock { $0.offset += seconds } }

  package func sleep(seconds: Double) async throws {
    try Task.checkCancellation()
    if seconds <= jump {
      await rest()
      state.withLock {
        $0.monotonic += max(0, seconds)
        $0.sleeps.append(seconds)
      }
      observe(monotonic)
      // A task that only sleeps must not keep others from their work.
      await Task.yield()
      return
    }
    // Ends by cancellation alone: nothing ever yields into this stream.
    let (stream, _) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    try Task.checkCancellation()
  }
}
