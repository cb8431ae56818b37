/// Keeps the journal of runs.
public protocol RunRecorder: Sendable {
  /// Writes entries in order and all or none.
  ///
  /// Concurrent calls may share one transaction.
  ///
  /// - Parameters:
  ///   - entries: What happened.
  ///   - durability: What must have been reached when the call returns.
  /// - Throws: An error when the journal cannot be written; the engine then stops starting new effects.
  func record(_ entries: [JournalEntry], durability: Durability) async throws

  /// Where runs are best worked on that record here; `nil` where that makes no difference.
  var executor: (any TaskExecutor)? { get }
}

extension RunRecorder {
  /// None.
  public var executor: (any TaskExecutor)? { nil }
}

/// What must have been reached before a write of the journal returns.
public enum Durability: Sendable, Comparable {
  /// Taken in; written soon, with others.
  case accepted
  /// Taken in; on the disk with the next write that somebody waits for, and otherwise within milliseconds.
  ///
  /// For results of effects: the next effect's intent, which waits for the disk, takes them along, so that a step costs
  /// one commit.
  case soon
  /// In the database: survives the end of the process.
  case committed
  /// On the disk: survives the end of the machine.
  case synced
}
