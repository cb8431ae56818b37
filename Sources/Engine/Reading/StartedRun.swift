public import Expressions

/// A run that a user of the server has started.
public struct StartedRun: Sendable, Hashable {
  /// The run.
  public let run: RunID
  /// The name of its recipe.
  public let recipe: String
  /// Its status as recorded.
  public let status: RunStatus
  /// When it began.
  public let startedAt: Timestamp

  /// Creates the record of a run.
  package init(run: RunID, recipe: String, status: RunStatus, startedAt: Timestamp) {
    (self.run, self.recipe, self.status, self.startedAt) = (run, recipe, status, startedAt)
  }

  /// The run for programs: `{id, recipe, status, started_at}`.
  public var json: Value {
    [
      "id": .string(run.rawValue), "recipe": .string(recipe), "status": .string(status.rawValue),
      "started_at": .string(startedAt.rfc3339Milliseconds),
    ]
  }
}
