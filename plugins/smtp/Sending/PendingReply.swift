import PluginKit
import Synchronization

/// The server's reply to a message, which may come after its call was cancelled.
final class PendingReply: Sendable {
  /// The result of the message.
  enum Outcome: Sendable {
    /// The server has taken it.
    case sent(SendRecord)
    /// The server has not taken it.
    case refused(ActionError)
    /// The outcome is unknown; the error says why.
    case unknown(ActionError)
  }

  private struct State {
    var outcome: Outcome?
    var lastWaiter = 0
    var waiters: [Int: CheckedContinuation<Outcome?, Never>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Hands over the outcome.
  func settle(_ outcome: Outcome) {
    let waiters = state.withLock { state in
      state.outcome = outcome
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume(returning: outcome) }
  }

  /// Waits for the outcome.
  ///
  /// - Throws: `cancelled`, which leaves the reply awaited.
  func outcome() async throws(ActionError) -> Outcome {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (outcome, goesOn) = state.withLock { state -> (Outcome?, Bool) in
          if let outcome = state.outcome { return (outcome, true) }
          if state.cancelled.remove(number) != nil { return (nil, true) }
          state.waiters[number] = continuation
          return (nil, false)
        }
        if goesOn { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter == nil, state.outcome == nil { state.cancelled.insert(number) }
        return waiter
      }
      waiter?.resume(returning: nil)
    }
    state.withLock { _ = $0.cancelled.remove(number) }
    guard let outcome else { throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }
    return outcome
  }
}
