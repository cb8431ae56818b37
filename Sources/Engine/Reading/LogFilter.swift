public import Expressions

/// Which lines of the log a listing shows.
public struct LogFilter: Sendable {
  /// Only lines of this run; `nil` for all runs that fit ``runs``.
  public var run: RunID?
  /// Whether the lines of the runs that its steps run, such as blocks, belong to ``run``. With ``step``, those of the runs of that
  /// step.
  public var includesParts = false
  /// Only lines of runs that stand so and are of this recipe; its times, words and limit do not matter here.
  public var runs: RunFilter
  /// Only lines of the step with this name.
  public var step: String?
  /// Only lines at least this important.
  public var minimumLevel: LogLevel
  /// Only lines that were written at this time or later.
  public var since: Timestamp?
  /// Only lines that were written before this time.
  public var until: Timestamp?
  /// Only lines in which these words occur.
  public var words: SearchWords?

  /// Creates a filter; without arguments, all lines.
  public init(
    run: RunID? = nil, runs: RunFilter = RunFilter(), step: String? = nil, minimumLevel: LogLevel = .debug,
    since: Timestamp? = nil, until: Timestamp? = nil, words: SearchWords? = nil
  ) {
    self.run = run
    self.runs = runs
    self.step = step
    self.minimumLevel = minimumLevel
    self.since = since
    self.until = until
    self.words = words
  }
}
