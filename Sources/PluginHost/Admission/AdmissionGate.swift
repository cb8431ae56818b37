import Engine
import Localization
import Synchronization

/// Drives an ``AdmissionQueue`` by a clock: callers of one provider wait here for their turn.
final class AdmissionGate: Sendable {
  private struct State {
    var queue: AdmissionQueue
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var lastID: UInt64 = 0
    /// When a timer wakes that has been started.
    var wake: Double?
  }

  private let time: any TimeSource
  private let state: Mutex<State>

  init(concurrency: Int?, rate: AdmissionQueue.Rate?, time: any TimeSource) {
    self.time = time
    state = Mutex(State(queue: AdmissionQueue(concurrency: concurrency, rate: rate)))
  }

  /// Waits for leave to call.
  ///
  /// - Throws: `ActionFailure` of kind `cancelled` when the surrounding task is.
  func admit() async throws(ActionFailure) -> Admission {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let isAdmitted = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        state.withLock { state in
          state.queue.enter(id)
          state.waiters[id] = waiter
        }
        // The handler below may have run before there was anything to cancel.
        if Task.isCancelled { leave(id) } else { advance() }
      }
    } onCancel: {
      leave(id)
    }
    guard isAdmitted else {
      throw ActionFailure(
        .cancelled,
        LocalizedText("The wait for a turn was cancelled.", de: "Das Warten auf die Reihe wurde abgebrochen."))
    }
    return Admission { [self] in
      state.withLock { $0.queue.finish() }
      advance()
    }
  }

  /// How many wait.
  var waiting: Int { state.withLock { $0.waiters.count } }

  private func leave(_ id: UInt64) {
    let waiter = state.withLock { state in
      // Who has been admitted in the meantime goes on.
      state.queue.leave(id) ? state.waiters.removeValue(forKey: id) : nil
    }
    waiter?.resume(returning: false)
    // The one behind may have waited for this one's place alone.
    if waiter != nil { advance() }
  }

  private func advance() {
    let now = time.monotonic
    let (admitted, timer) = state.withLock { state in
      let (ids, wake) = state.queue.admit(at: now)
      let admitted = ids.compactMap { state.waiters.removeValue(forKey: $0) }
      guard let wake, state.wake.map({ wake < $0 }) ?? true else { return (admitted, nil as Double?) }
      state.wake = wake
      return (admitted, wake)
    }
    if let timer { start(timer, now: now) }
    for waiter in admitted { waiter.resume(returning: true) }
  }

  private func start(_ wake: Double, now: Double) {
    // No task awaits this one: it ends when the turn of a caller has come.
    Task { [weak self, time] in
      try? await time.sleep(seconds: max(0, wake - now))
      guard let self else { return }
      self.state.withLock { if $0.wake == wake { $0.wake = nil } }
      self.advance()
    }
  }
}
