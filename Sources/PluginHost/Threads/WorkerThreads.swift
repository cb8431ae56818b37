import Dispatch
import Engine
import Foundation
import Synchronization

/// Threads on which functions of plugins run, so that one that blocks holds up neither Swift's cooperative threads nor
/// other plugins.
///
/// A thread is made when there is work and nobody idle, up to a limit; it goes when it was idle for a while.
final class WorkerThreads: Sendable {
  typealias Work = @Sendable () -> Void

  private struct State {
    var queue: [Work] = []
    /// Threads that wait, without those that have been woken for a piece of work.
    var idle = 0
    var threads = 0
  }

  private let name: String
  private let limit: Int
  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  init(name: String, limit: Int) {
    self.name = name
    self.limit = max(1, limit)
  }

  /// Runs a piece of work on some thread, soon; beyond the limit, when an earlier one has ended.
  func submit(_ work: @escaping Work) {
    let needsThread = state.withLock { state in
      state.queue.append(work)
      if state.idle > 0 {
        state.idle -= 1
        wake.signal()
        return false
      }
      guard state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    guard needsThread else { return }
    Thread.start(name) { self.work() }
  }

  /// Runs a piece of work and waits for its result for a limited time; a later result is dropped.
  ///
  /// - Parameters:
  ///   - seconds: How long to wait.
  ///   - time: By which that is measured.
  ///   - late: The result when the time is up.
  ///   - cancelled: The result when the task is cancelled; `nil` where it waits all the same.
  ///   - work: The work, which goes on in any case.
  func run<Outcome: Sendable>(
    within seconds: Double, of time: any TimeSource, otherwise late: Outcome, cancelled: Outcome? = nil,
    _ work: @escaping @Sendable () -> Outcome
  ) async -> Outcome {
    let outcome = FirstOutcome<Outcome>()
    submit { outcome.offer(work()) }
    let timer = Task {
      guard (try? await time.sleep(seconds: seconds)) != nil else { return }
      outcome.offer(late)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await outcome.value()
    } onCancel: {
      if let cancelled { outcome.offer(cancelled) }
    }
  }

  private func work() {
    while true {
      let next: Work? = state.withLock { state in
        if !state.queue.isEmpty { return state.queue.removeFirst() }
        state.idle += 1
        return nil
      }
      if let next {
        next()
        continue
      }
      guard wake.wait(timeout: .now() + .seconds(10)) == .timedOut else { continue }
      let isWanted = state.withLock { state in
        guard state.idle > 0 else { return true }
        state.idle -= 1
        state.threads -= 1
        return false
      }
      guard isWanted else { return }
      // Somebody has woken this thread, or one like it, in the meantime: take that signal.
      wake.wait()
    }
  }
}
