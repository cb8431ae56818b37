public import Expressions

/// Which runs a listing shows.
public struct RunFilter: Sendable {
  /// Only runs that stand so; empty for all. A run whose process is gone counts as `interrupted`.
  public var statuses: Set<RunStatus>
  /// Only runs of the recipe with this name.
  public var recipe: String?
  /// Only runs that began at this time or later.
  public var since: Timestamp?
  /// Only runs that began before this time.
  public var until: Timestamp?
  /// Only runs in whose inputs, outputs, failures or log lines these words occur.
  public var words: SearchWords?
  /// Only runs that one of these users of the server has started; `nil` for all.
  public var startedBy: Set<String>?
  /// Only runs that send a message of the outbox.
  public var isMail = false
  /// At most so many, the newest ones; at least 1.
  public var limit: Int

  /// Creates a filter; without arguments, the twenty newest runs.
  public init(
    statuses: Set<RunStatus> = [], recipe: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
    words: SearchWords? = nil, limit: Int = 20
  ) {
    self.statuses = statuses
    self.recipe = recipe
    self.since = since
    self.until = until
    self.words = words
    self.limit = limit
  }
}
