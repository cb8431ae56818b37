public import Engine
import RunStore

extension RunLogReader {
  /// Hands out lines of the log as they come.
  ///
  /// - Parameters:
  ///   - filter: Which lines.
  ///   - count: Begin with so many of the newest lines; `nil` for all.
  ///   - run: `nil` to end with the lines there are; otherwise go on while this run is at work, or for ever where none is
  ///     named.
  ///   - body: Takes the next lines, at least one; returns whether it wants more.
  /// - Returns: Whether there was any line.
  public func followLines(
    _ filter: LogFilter, newest count: Int?, whileAtWork run: RunID??, _ body: ([LogRecord]) -> Bool
  ) async throws -> Bool {
    var last = if let count { try await lastLines(count, of: filter) } else { Int64(0) }
    var hasLines = false
    while true {
      // The status is read first: lines written before the end are then surely in the answer.
      var goesOn = run != nil
      if case .some(.some(let run)) = run { goesOn = try await status(of: run).isAtWork }
      while true {
        let lines = try await logs(filter, after: last)
        guard let end = lines.last?.id else { break }
        hasLines = true
        last = end
        guard body(lines) else { return true }
      }
      guard goesOn else { return hasLines }
      try? await Task.sleep(for: .milliseconds(200))
      if Task.isCancelled { return hasLines }
    }
  }
}

extension RunStatus {
  /// Whether the run goes on by itself: lines of its log may follow.
  fileprivate var isAtWork: Bool {
    switch self {
    case .queued, .running, .waiting: true
    case .succeeded, .failed, .skipped, .cancelled, .interrupted, .needsAttention: false
    }
  }
}

extension Workspace {
  /// Seconds between two looks for the next run.
  private static var lookInterval: Double { 0.2 }

  /// The newest run if it is at work, otherwise the next run that begins. Waits also until the first run makes the run log.
  ///
  /// - Parameter waits: Called once before it waits.
  /// - Throws: ``UseCaseError``; `CancellationError` as its cause if the task is cancelled.
  public func runAtWorkOrNext(_ waits: () -> Void) async throws(UseCaseError) -> RunID {
    let before = try await newestRun()
    if let before, before.status.isAtWork { return before.id }
    waits()
    while true {
      if let newest = try await newestRun(), newest.id != before?.id { return newest.id }
      try await mapErrors { try await SystemTime().sleep(seconds: Self.lookInterval) }
    }
  }

  private func newestRun() async throws(UseCaseError) -> (id: RunID, status: RunStatus)? {
    try await runLog(
      { log in
        do {
          let id = try await log.resolve("last")
          return (id, try await log.status(of: id))
        } catch let error as RunStoreError where error.code == .runNotFound {
          return nil
        }
      }, ifMissing: { nil })
  }
}
