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
    if let run = try await newestRuns(RunFilter(statuses: [.running], limit: Self.lookBack)).first { return run.id }
    let newest = try await newestRuns(RunFilter(limit: Self.lookBack))
    // A message or reminder that waits for its time may have been there for years; the newest run is meant.
    if let run = newest.first, run.status.isAtWork { return run.id }
    let known = Set(newest.map(\.id))
    waits()
    while true {
      let found = try await newestRuns(RunFilter(limit: Self.lookBack))
      if let next = found.first(where: { !known.contains($0.id) }) { return next.id }
      try await mapErrors { try await SystemTime().sleep(seconds: Self.lookInterval) }
    }
  }

  /// How many of the newest runs are looked at: a run that begins is among them, even if the clock was set back a little.
  private static var lookBack: Int { 50 }

  /// The newest runs that are not part of others.
  private func newestRuns(_ filter: RunFilter) async throws(UseCaseError) -> [RunSummary] {
    try await runLog({ try await $0.runs(filter) }, ifMissing: { [] }).filter { $0.parent == nil }
  }
}
