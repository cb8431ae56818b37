import PluginKit
import Synchronization

/// The connections of one provider: no more than so many at a time, and kept a while for the next message.
final class ConnectionPool: Sendable {
  private struct Idle {
    let connection: SMTPConnection
    let since: Duration
  }

  private struct State {
    var idle: [Idle] = []
    var used = 0
    var lastWaiter = 0
    var waiters: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var cancelled: Set<Int> = []
    var keeper: Task<Void, Never>?

    mutating func takeIdle(_ now: Duration, _ idleTime: Duration) -> SMTPConnection? {
      guard let last = idle.popLast(), now - last.since < idleTime else { return nil }
      return last.connection
    }
  }

  private let limit: Int
  private let idleTime: Duration
  private let clock: HostClock
  private let state = Mutex(State())

  init(limit: Int, idleTime: Duration, clock: HostClock) {
    self.limit = max(1, limit)
    self.idleTime = idleTime
    self.clock = clock
  }

  deinit { state.withLock { $0.keeper?.cancel() } }

  /// Waits for a place, and takes the connection that was used last.
  ///
  /// - Returns: `nil` if the caller has to open one. Either way ``giveBack(_:)`` follows.
  /// - Throws: `cancelled`.
  func take() async throws(ActionError) -> SMTPConnection? {
    guard !Task.isCancelled else { throw Self.cancelled }
    let now = clock.monotonic
    let place = state.withLock { state -> (isFree: Bool, connection: SMTPConnection?) in
      guard state.used < limit else { return (false, nil) }
      state.used += 1
      return (true, state.takeIdle(now, idleTime))
    }
    if place.isFree { return place.connection }
    try await waitForPlace()
    let later = clock.monotonic
    return state.withLock { $0.takeIdle(later, idleTime) }
  }

  private func waitForPlace() async throws(ActionError) {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let hasPlace = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.cancelled.remove(number) != nil { return false }
          if state.used < limit {
            state.used += 1
            return true
          }
          state.waiters.append((number, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let place = state.waiters.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiters.remove(at: place).continuation
      }
      waiter?.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(number) }
    guard hasPlace else { throw Self.cancelled }
  }

  private static var cancelled: ActionError { ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }

  /// Ends what ``take()`` has begun.
  ///
  /// - Parameter connection: A reusable connection; `nil` if it is not reusable.
  func giveBack(_ connection: SMTPConnection?) {
    let now = clock.monotonic
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if let connection {
        state.idle.append(Idle(connection: connection, since: now))
        if state.keeper == nil { state.keeper = keep() }
      }
      guard state.waiters.isEmpty else { return state.waiters.removeFirst().continuation }
      state.used -= 1
      return nil
    }
    waiter?.resume(returning: true)
  }

  /// Closes idle connections. Ends when none is left, or when the pool is released.
  private func keep() -> Task<Void, Never> {
    let (clock, idleTime) = (clock, idleTime)
    return Task { [weak self] in
      while !Task.isCancelled {
        // Not a sleep: with a host in memory that would make the time pass.
        _ = try? await clock.withTimeout(idleTime) { for await _ in AsyncStream<Never>.makeStream().stream {} }
        guard let self, await self.closeIdle() else { return }
      }
    }
  }

  /// - Returns: Whether some are left.
  private func closeIdle() async -> Bool {
    let now = clock.monotonic
    let (old, goesOn) = state.withLock { state in
      let old = state.idle.filter { now - $0.since >= idleTime }
      state.idle.removeAll { now - $0.since >= idleTime }
      if state.idle.isEmpty { state.keeper = nil }
      return (old.map(\.connection), !state.idle.isEmpty)
    }
    for connection in old { await connection.close() }
    return goesOn
  }
}
