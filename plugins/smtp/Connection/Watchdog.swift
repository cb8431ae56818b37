import PluginKit
import Synchronization

/// Ends a stream on which something takes too long.
///
/// Most waits end long before their time, so one timer serves many of them: it looks at what is due when it rings.
final class Watchdog: Sendable {
  private struct State {
    /// When the wait that goes on has to be over.
    var due: Duration?
    /// When the timer rings.
    var wake = Duration.zero
    var timer: Task<Void, Never>?
    var number = 0
  }

  private let stream: ByteStream
  private let clock: HostClock
  private let state = Mutex(State())

  init(_ stream: ByteStream, _ clock: HostClock) {
    self.stream = stream
    self.clock = clock
  }

  deinit { state.withLock { $0.timer?.cancel() } }

  /// Does something; when the time is over, whatever waits for the stream fails with `timeout`.
  func within<Result>(
    _ limit: Duration, _ body: () async throws(ActionError) -> Result
  ) async throws(ActionError) -> Result {
    begin(limit)
    defer { state.withLock { $0.due = nil } }
    return try await body()
  }

  private func begin(_ limit: Duration) {
    let now = clock.monotonic
    state.withLock { state in
      let due = now + limit
      state.due = due
      guard state.timer == nil || state.wake > due else { return }
      state.timer?.cancel()
      state.wake = due
      state.number += 1
      state.timer = timer(state.number, limit)
    }
  }

  private func timer(_ number: Int, _ limit: Duration) -> Task<Void, Never> {
    let clock = clock
    // Ends when nothing is due any more; cancelled with the watchdog.
    return Task { [weak self] in
      var pause = limit
      while !Task.isCancelled {
        // Not a sleep: with a host in memory that would make the time pass.
        _ = try? await clock.withTimeout(pause) { for await _ in AsyncStream<Never>.makeStream().stream {} }
        guard !Task.isCancelled, let next = self?.ring(number) else { return }
        pause = next
      }
    }
  }

  /// - Returns: When to ring again; `nil` for not at all.
  private func ring(_ number: Int) -> Duration? {
    let now = clock.monotonic
    let (pause, isLate) = state.withLock { state -> (Duration?, Bool) in
      guard state.number == number else { return (nil, false) }
      guard let due = state.due, due > now else {
        state.timer = nil
        return (nil, state.due != nil)
      }
      state.wake = due
      return (due - now, false)
    }
    if isLate {
      stream.close(
        throwing: ActionError(
          .timeout, "The mail server did not answer in time.",
          german: "Der Mailserver hat nicht rechtzeitig geantwortet."
        ))
    }
    return pause
  }
}
