public import Expressions

/// A line of the run log.
public struct LogRecord: Sendable {
  /// A step of a run that has the run of the line as its block or recipe.
  public struct Place: Sendable, Hashable {
    /// The step's name.
    public var step: String
    /// The item's position in a `for_each`, from 0.
    public var item: Int?

    package init(step: String, item: Int?) { (self.step, self.item) = (step, item) }

    /// `{step, item}`.
    fileprivate var json: Value { .object([("step", .string(step)), ("item", .number(item))]) }
  }

  /// Grows with every line of the file; ask for the lines after it to follow a run.
  public var id: Int64
  /// The run.
  public var run: RunID
  /// The run's recipe.
  public var recipe: String
  /// The steps around the run, the outermost first: from the run that the filter names to the block or recipe whose run has logged
  /// the line.
  public var within: [Place] = []
  /// The step's name; `nil` for the run as a whole.
  public var step: String?
  /// The item's position in a `for_each`, from 0.
  public var item: Int?
  /// The attempt's number, from 1.
  public var attempt: Int?
  /// How important it is.
  public var level: LogLevel
  /// The text.
  public var message: String
  /// When it was written.
  public var at: Timestamp

  package init(
    id: Int64, run: RunID, recipe: String, step: String? = nil, item: Int? = nil, attempt: Int? = nil, level: LogLevel,
    message: String, at: Timestamp
  ) {
    self.id = id
    self.run = run
    self.recipe = recipe
    self.step = step
    self.item = item
    self.attempt = attempt
    self.level = level
    self.message = message
    self.at = at
  }

  /// The line for `sous logs --json`: `{id, at, level, run, recipe, within, step, item, attempt, message}`; `within` is a
  /// list of `{step, item}`.
  public var json: Value {
    .object([
      ("id", .int(id)),
      ("at", .time(at)),
      ("level", .string(level.rawValue)),
      ("run", .string(run.rawValue)),
      ("recipe", .string(recipe)),
      ("within", .list(within.map(\.json))),
      ("step", .text(step)),
      ("item", .number(item)),
      ("attempt", .number(attempt)),
      ("message", .string(message)),
    ])
  }
}
