public import Engine

extension RunLogReader {
  /// The open questions of runs: decisions and events that they wait for, those of the runs of their steps included.
  ///
  /// - Parameter runs: The runs; only those that wait are looked up.
  /// - Returns: The open waits by run, oldest first. A run without a question is absent, as is one whose answer has come.
  /// - Throws: The error of the run log if its file cannot be read.
  public func questions(of runs: [RunSummary]) async throws -> [RunID: [OpenWait]] {
    var questions: [RunID: [OpenWait]] = [:]
    for run in runs where run.status == .waiting {
      let waits = try await openWaits(of: run.id, includesParts: true).filter {
        ($0.wait.kind == .approval || $0.wait.kind == .event) && !$0.isAnswered
      }
      if !waits.isEmpty { questions[run.id] = waits }
    }
    return questions
  }
}
