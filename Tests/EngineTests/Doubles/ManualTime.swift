import Engine
import Expressions
import Synchronization

/// A clock that tests own.
///
/// A sleep of up to `jump` seconds is over at once and moves the clock; a longer one (an attempt's deadline) lasts until
/// its task is cancelled. So no test waits, and none depends on how fast the machine is.
final class ManualTime: TimeSource {
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
  ///   - observe: Is told where the clock stands after each sleep that moved it.
  ///   - rest: What comes about in the world before a sleep is over.
  init(
    jump: Double = 100, observe: @escaping @Sendable (Double) -> Void = { _ in },
    rest: @escaping @Sendable () async -> Void = {}
  ) {
    self.jump = jump
    self.rest = rest
    self.observe = observe
  }

  var monotonic: Double { state.withLock { $0.monotonic } }
  var now: Timestamp { Timestamp(seconds: 1_795_000_000 + Int64(state.withLock { $0.monotonic + $0.offset })) }
  /// The sleeps that moved the clock.
  var sleeps: [Double] { state.withLock { $0.sleeps } }

  /// Lets time pass while nobody sleeps.
  func pass(_ seconds: Double) { state.withLock { $0.monotonic += seconds } }

  /// Sets the time of day forwards, or back.
  func jump(by seconds: Double) { state.withLock { $0.offset += seconds } }

  func sleep(seconds: Double) async throws {
    try Task.checkCancellation()
    if seconds <= jump {
      await rest()
      state.withLock {
        $0.monotonic += max(0, seconds)
        $0.sleeps.append(seconds)
      }
      observe(monotonic)
      // Whoever does nothing but sleep must not keep others from their work.
      await Task.yield()
      return
    }
    // Ends by cancellation alone: nothing ever yields into this stream.
    let (stream, _) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    try Task.checkCancellation()
  }
}
