import Synchronization

/// What has happened so far; tests wait for more.
final class Recording<State: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let condition: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<State, Never>
  }

  private struct Content: Sendable {
    var state: State
    var waiters: [Waiter] = []
    var isGivenUp = false
  }

  private let content: Mutex<Content>

  init(_ state: State) { content = Mutex(Content(state: state)) }

  var now: State { content.withLock { $0.state } }

  /// Notes something down.
  func note(_ change: (inout State) -> Void) {
    resume { content in change(&content.state) }
  }

  /// Waits until a condition holds, or the test is out of time.
  func wait(_ condition: @escaping @Sendable (State) -> Bool) async -> State {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        resume { $0.waiters.append(Waiter(condition: condition, continuation: continuation)) }
      }
    } onCancel: {
      resume { $0.isGivenUp = true }
    }
  }

  private func resume(_ change: (inout Content) -> Void) {
    let (state, ready) = content.withLock { content in
      change(&content)
      let ready = content.waiters.filter { content.isGivenUp || $0.condition(content.state) }
      content.waiters.removeAll { content.isGivenUp || $0.condition(content.state) }
      return (content.state, ready)
    }
    for waiter in ready { waiter.continuation.resume(returning: state) }
  }
}
