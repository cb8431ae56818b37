public import Engine

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
      if case .some(.some(let run)) = run { goesOn = try await status(of: run) == .running }
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
