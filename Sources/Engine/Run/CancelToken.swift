import Synchronization

/// Calls one run off from outside.
public final class CancelToken: Sendable {
  private struct State {
    var isCancelled = false
    var waiter: CheckedContinuation<Bool, Never>?
  }

  private let state = Mutex(State())

  /// Creates a control for one run.
  public init() {}

  /// Cancels the run: what is under way is cancelled, what was done is undone where the recipe says how, and what
  /// runs at the end still does. Again, it does nothing.
  public func cancel() {
    let waiter = state.withLock { state in
      state.isCancelled = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: true)
  }

  /// Whether the run has been cancelled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Waits until the run is cancelled.
  ///
  /// - Returns: `false` where the surrounding task is cancelled before.
  func waitForCancel() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.isCancelled { return true }
          if Task.isCancelled { return false }
          state.waiter = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: false)
    }
  }
}
