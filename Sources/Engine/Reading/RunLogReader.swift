public import Expressions

/// What people and programs read of a run log: runs, steps, attempts, lines, waits, statistics.
///
/// A log that cannot answer a question, as one in memory has no index of words, refuses it with an error that says so.
public protocol RunLogReader: Sendable {
  /// The run that a person means: its name, a beginning of it that no other run shares, or `last` for the newest that is no
  /// part of another one.
  func resolve(_ reference: String) async throws -> RunID
  /// Where a run stands; `interrupted` also where the process that worked on it is gone.
  func status(of run: RunID) async throws -> RunStatus
  /// The runs that fit a filter, newest first.
  func runs(_ filter: RunFilter) async throws -> [RunSummary]
  /// The runs that fit a filter, newest first, some at a time, however many they are.
  func forEachPage(of filter: RunFilter, _ body: ([RunSummary]) throws -> Void) async throws
  /// Everything about one run.
  ///
  /// - Parameters:
  ///   - reference: As for ``resolve(_:)``.
  ///   - limit: How many attempts, and how many outputs of items, to give for each step at most.
  func run(_ reference: String, limit: Int) async throws -> RunRecord
  /// All that is recorded of a run, so that somebody can resume it.
  func snapshot(of run: RunID) async throws -> RunSnapshot
  /// Makes sure that a run has a step of this name.
  func requireStep(_ step: String, of run: RunID) async throws
  /// The final output of a step, or of one item of it.
  func output(of run: RunID, step: String, item: Int?) async throws -> Value

  /// Lines of the log that fit a filter, in the order in which they were written.
  ///
  /// - Parameters:
  ///   - filter: Which lines.
  ///   - id: Only lines after this one; 0 from the beginning.
  ///   - limit: At most so many, the oldest ones.
  func logs(_ filter: LogFilter, after id: Int64, limit: Int) async throws -> [LogRecord]
  /// The line after which only so many lines of a filter follow: where a listing of the newest ones begins.
  func lastLines(_ count: Int, of filter: LogFilter) async throws -> Int64

  /// The waits that have begun and not ended, oldest first; decisions for which it is too late are left out.
  ///
  /// - Parameters:
  ///   - run: Only those of this run; `nil` for all decisions that people are asked for.
  ///   - includesParts: Whether those of runs that the run's steps run belong to them.
  func openWaits(of run: RunID?, includesParts: Bool) async throws -> [OpenWait]
  /// The waits for events that have begun and not ended, oldest first.
  func eventWaits() async throws -> [OpenWait]
  /// The events that no run has taken, oldest first; at most `limit`.
  func keptEvents(limit: Int) async throws -> [KeptEvent]
  /// The attempts over which runs need attention: of one run and those that it waits for, or of all runs.
  func doubts(of run: RunID?) async throws -> [Doubt]
  /// How many runs are queued, those of steps not counted; and a run that the first of them waits for.
  func queuedRuns() async throws -> (count: Int, behind: RunID?)
  /// Whether there is a run that has not ended.
  func hasOpenRuns() async throws -> Bool
  /// The circuit breakers as they were last recorded.
  func breakers() async throws -> [BreakerRecord]

  /// What became of runs, by recipe, in the order of the recipes' names; the filter's limit does not matter.
  func statistics(_ filter: RunFilter, prices: RecipeStatistics.Prices) async throws -> [RecipeStatistics]
  /// Looks through what no index of searches knows; queries for these words then find that as well.
  func searchWithoutIndex(_ words: SearchWords) async throws
  /// Writes runs for other programs, the oldest first.
  ///
  /// - Parameters:
  ///   - format: How.
  ///   - filter: Which runs; its limit does not matter.
  ///   - version: The version of the program, for traces.
  ///   - sink: Takes the next bytes, UTF-8.
  /// - Returns: How many runs were written.
  @discardableResult
  func export(
    _ format: ExportFormat, _ filter: RunFilter, version: String, to sink: ([UInt8]) throws -> Void
  ) async throws -> Int
}

extension RunLogReader {
  /// The newest runs.
  public func runs() async throws -> [RunSummary] { try await runs(RunFilter()) }
  /// Everything about one run, with at most 10 000 attempts and outputs of items for each step.
  public func run(_ reference: String) async throws -> RunRecord { try await run(reference, limit: 10_000) }
  /// The decisions that people are asked for, oldest first.
  public func openWaits() async throws -> [OpenWait] { try await openWaits(of: nil, includesParts: false) }
  /// The events that no run has taken, oldest first; at most 1 000.
  public func keptEvents() async throws -> [KeptEvent] { try await keptEvents(limit: 1000) }
  /// The final output of a step.
  public func output(of run: RunID, step: String) async throws -> Value {
    try await output(of: run, step: step, item: nil)
  }
  /// Lines of the log that fit a filter, at most 10 000.
  public func logs(_ filter: LogFilter, after id: Int64 = 0) async throws -> [LogRecord] {
    try await logs(filter, after: id, limit: 10_000)
  }
}
