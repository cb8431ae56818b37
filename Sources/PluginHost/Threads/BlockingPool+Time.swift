import Engine
import OperatingSystem

extension BlockingPool {
  /// Runs a piece of work and waits for its result for a limited time; a later result is dropped.
  ///
  /// - Parameters:
  ///   - seconds: How long to wait.
  ///   - time: The clock by which that is measured.
  ///   - late: The result when the time is up.
  ///   - cancelled: The result when the task is cancelled; `nil` to wait all the same.
  ///   - work: The work, which goes on in any case.
  func run<Outcome: Sendable>(
    within seconds: Double, of time: any TimeSource, otherwise late: Outcome, cancelled: Outcome? = nil,
    _ work: @escaping @Sendable () -> Outcome
  ) async -> Outcome {
    let outcome = Promise<Outcome>()
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
}
