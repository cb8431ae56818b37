public import Expressions

/// Keeps runs and decides which process works on which.
///
/// A run belongs to at most one process. While that process lives, no other process gets the run, even if it makes no progress.
/// Entries of a process are refused once its runs belong to another one.
public protocol RunQueue: RunRecorder, WaitAnswers {
  /// Claims runs that can be worked on: queued ones whose concurrency group is free, waiting ones that are due or have an answer,
  /// interrupted ones, and those whose process has ended.
  ///
  /// Children, for which another run waits, are left to that run.
  ///
  /// - Parameters:
  ///   - limit: At most so many; the highest priority first, then the oldest.
  ///   - now: The time of day.
  /// - Returns: Runs that belong to this process from now on and whose status is `running`.
  func claim(limit: Int, at now: Timestamp) async throws -> [RunID]

  /// Claims one run.
  func claim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome

  /// Claims one run as ``claim(_:at:)`` does, but also one that belongs to this process already: its task has ended because its
  /// journal could not be written.
  func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome

  /// The recorded state of a run.
  ///
  /// - Throws: Also if an earlier entry cannot be written yet, because the answer would lack it.
  func snapshot(of run: RunID) async throws -> RunSnapshot

  /// The result of a run; `nil` if it has not ended, or is not recorded.
  func result(of run: RunID) async throws -> RunResult?

  /// Whether a run in the line of those that a run repeats, or a parent of one, is not recorded any more: the effects of their
  /// parts are then unknown.
  func hasLostOrigin(_ run: RunID) async throws -> Bool

  /// When the next waiting run is due; `nil` if none waits for a point in time.
  func nextDue() async throws -> Timestamp?

  /// The runs of this process with a request to cancel them, those of steps included.
  func cancelRequests() async throws -> [RunID]

  /// The runs that repeat a run with its results, oldest first, without those that steps of other runs have begun and without
  /// replays.
  func repetitions(of run: RunID) async throws -> [RunID]

  /// Requests to cancel a run. Its process cancels it; a run without a process may be claimed at once.
  func requestCancel(of run: RunID) async throws

  /// Makes held runs due at once, which no process could resume, and the runs that wait for them.
  ///
  /// - Parameter run: Only this run and those that its steps run; `nil` for all.
  func releaseHeld(_ run: RunID?, at now: Timestamp) async throws

  /// Writes the heartbeat of this process, for processes on other machines; to be called about every 15 seconds.
  func beat() async throws
}

/// The answer to a claim.
public enum ClaimOutcome: Sendable, Equatable {
  /// It belongs to this process.
  case claimed
  /// Another process works on it; its name for people, such as `process 4711`.
  case taken(by: String)
  /// It has ended, with this status.
  case ended(RunStatus)
  /// Another run of its concurrency group works.
  case groupTaken(by: RunID)
  /// Another run of its concurrency group was interrupted, and no process works on that.
  case groupLeft(by: RunID)
  /// It waits; until when at the latest.
  case waiting(until: Timestamp?)
  /// No such run is recorded.
  case absent
}
