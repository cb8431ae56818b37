public import Expressions

/// Keeps runs and decides which process works on which.
///
/// A run belongs to at most one process. While that process lives, nobody else gets the run, however long it stands
/// still; what it records after its runs have gone to another process is refused.
public protocol RunQueue: RunRecorder, WaitAnswers {
  /// Takes runs that can be worked on: queued ones whose concurrency group is free, waiting ones whose time has come or
  /// whose answer is there, interrupted ones, and those whose process is gone.
  ///
  /// Runs that other runs wait for (children) are left to those.
  ///
  /// - Parameters:
  ///   - limit: At most so many; the highest priority first, then the oldest.
  ///   - now: The time of day.
  /// - Returns: Runs that belong to this process from now on and whose status is `running`.
  func claim(limit: Int, at now: Timestamp) async throws -> [RunID]

  /// Takes one run.
  func claim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome

  /// Takes one run as ``claim(_:at:)`` does, but also one that belongs to this process already: for somebody who has left
  /// it half-way, as its journal could not be written.
  func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome

  /// All that is recorded of a run.
  ///
  /// - Throws: Also where something that was recorded before cannot be written yet, as the answer would lack it.
  func snapshot(of run: RunID) async throws -> RunSnapshot

  /// How a run has ended; `nil` where it has not, or is not known.
  func result(of run: RunID) async throws -> RunResult?

  /// Whether one of the runs that a run repeats, those that they repeat, or one that any of them is part of, is not known
  /// any more: what their parts have done can then not be found.
  func hasLostOrigin(_ run: RunID) async throws -> Bool

  /// When the next waiting run is due; `nil` where none waits for a point in time.
  func nextDue() async throws -> Timestamp?

  /// The runs of this process that somebody has asked to cancel, those of steps among them.
  func cancelRequests() async throws -> [RunID]

  /// The runs that repeat a run with what it has done, oldest first; those that steps of other runs have begun, and replays,
  /// do not count.
  func repetitions(of run: RunID) async throws -> [RunID]

  /// Asks to call a run off. The process it belongs to does it; where it belongs to none it may be claimed at once.
  func requestCancel(of run: RunID) async throws

  /// Makes runs due at once that are held because nobody could go on with them, and the runs that wait for them.
  ///
  /// - Parameter run: Only this run and what its steps run; `nil` for all.
  func releaseHeld(_ run: RunID?, at now: Timestamp) async throws

  /// Shows processes of other machines that this one is alive; to be called about every 15 seconds.
  func beat() async throws
}

/// What became of the wish to work on a run.
public enum ClaimOutcome: Sendable, Equatable {
  /// It belongs to this process.
  case claimed
  /// Another process works on it; what people know it by, such as `process 4711`.
  case taken(by: String)
  /// It has ended, with this status.
  case ended(RunStatus)
  /// Another run of its concurrency group works.
  case groupTaken(by: RunID)
  /// Another run of its concurrency group was interrupted, and nobody works on that.
  case groupLeft(by: RunID)
  /// It waits; until when at the latest.
  case waiting(until: Timestamp?)
  /// No such run is known.
  case absent
}
