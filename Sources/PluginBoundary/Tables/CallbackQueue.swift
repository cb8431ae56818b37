import OperatingSystem
import Synchronization

/// The callbacks of one request or stream: one at a time, in order, on threads that may block.
final class CallbackQueue: Sendable {
  typealias Callback = @Sendable () -> Void

  private struct State {
    var waiting: [Callback] = []
    var isRunning = false
  }

  private let threads: BlockingPool
  private let state = Mutex(State())

  init(threads: BlockingPool) {
    self.threads = threads
  }

  /// Has a callback called after those before it.
  func post(_ callback: @escaping Callback) {
    let starts = state.withLock { state in
      state.waiting.append(callback)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { threads.submit { self.drain() } }
  }

  private func drain() {
    while true {
      let batch = state.withLock { state in
        defer { state.waiting = [] }
        if state.waiting.isEmpty { state.isRunning = false }
        return state.waiting
      }
      guard !batch.isEmpty else { return }
      for callback in batch { callback() }
    }
  }
}
