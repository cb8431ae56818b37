import Expressions

/// Follows a run: reports how far it is, until it ends or asks something.
struct RunWatch {
  /// The reason why the caller need not wait any longer.
  enum End: Sendable {
    /// The run has ended, or needs a person.
    case ended
    /// The run asks a person.
    case asks
    /// The time is up.
    case late
  }

  let run: String
  let operations: any AssistantOperations

  /// Waits for the end of the run or for a question.
  ///
  /// - Parameters:
  ///   - stopsAtQuestions: Whether a question ends the wait.
  ///   - seconds: When to stop waiting; `nil` for never.
  ///   - report: Gets the number of steps that are done, their total, and the status, whenever the number has grown.
  /// - Throws: `CancellationError` if the task is cancelled.
  func wait(
    stopsAtQuestions: Bool = true, lateAfter seconds: Double? = nil,
    report: (Int64, Int64, String) -> Void = { _, _, _ in }
  ) async throws -> End {
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    let (stream, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let tasks = [changes(waker)] + (seconds.map { [alarm(waker, after: $0)] } ?? [])
    defer { for task in tasks { task.cancel() } }
    var beats = stream.makeAsyncIterator()
    var known: Int64 = -1
    while true {
      try Task.checkCancellation()
      let summary = try await operations.summary(of: run)
      let done = ["steps_succeeded", "steps_failed", "steps_skipped"].reduce(0) { $0 + (summary[$1]?.intValue ?? 0) }
      let status = summary["status"]?.stringValue ?? ""
      if done > known {
        known = done
        report(done, summary["step_count"]?.intValue ?? 0, status)
      }
      switch status {
      case "succeeded", "failed", "skipped", "cancelled", "needs_attention": return .ended
      case "interrupted" where !operations.resumesRuns: return .ended
      case "waiting" where stopsAtQuestions:
        let detail = try await operations.perform(OperationCall("showRun", path: ["run": run]))
        if !RunReport.questions(detail).isEmpty { return .asks }
      default: break
      }
      if let end, ContinuousClock.now >= end { return .late }
      guard await beats.next(isolation: nil) != nil else { throw CancellationError() }
    }
  }

  private func changes(_ waker: AsyncStream<Void>.Continuation) -> Task<Void, Never> {
    let changes = operations.changes()
    return Task {
      for await _ in changes { waker.yield() }
      waker.finish()
    }
  }

  private func alarm(_ waker: AsyncStream<Void>.Continuation, after seconds: Double) -> Task<Void, Never> {
    Task {
      try? await Task.sleep(for: .seconds(seconds))
      waker.yield()
    }
  }
}
