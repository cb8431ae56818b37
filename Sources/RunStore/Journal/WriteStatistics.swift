/// What a store has written since it was opened.
public struct WriteStatistics: Sendable, Hashable {
  /// Transactions that were committed.
  public var commits = 0
  /// How many of those waited for the disk.
  public var synchronizedCommits = 0
  /// Journal entries in them.
  public var entries = 0
  /// Requests in them; those beyond `commits` shared a transaction.
  public var requests = 0
  /// Transactions that were rolled back.
  public var rollbacks = 0

  /// Creates empty statistics.
  public init() {}
}
