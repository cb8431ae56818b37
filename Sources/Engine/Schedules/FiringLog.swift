public import Expressions

/// Keeps the progress of schedules and triggers, and begins their runs.
///
/// A point of a schedule, or an event, and the run that it begins are written in one transaction. A caller names the revision on
/// which it decides; if the record has another revision by now, nothing is written. So neither a crash nor a second process loses
/// a point or begins a run for it twice.
public protocol FiringLog: Sendable {
  /// All schedules that are known, by source.
  func schedules() async throws -> [ScheduleRecord]

  /// Records schedules. One that is recorded with the same digest does not change; with another digest it starts again from the
  /// given cursor, and keeps its counts.
  ///
  /// - Returns: The recorded schedules, in the order given.
  func begin(_ schedules: [ScheduleRecord]) async throws -> [ScheduleRecord]

  /// Records the outcomes of points of schedules, and begins their runs: in one transaction, each schedule by itself.
  ///
  /// - Returns: The result of each decision, in the order given.
  func fire(_ firings: [ScheduleFiring]) async throws -> [FiringResult]

  /// Begins the run of an event and marks the event as settled, unless it is settled already.
  ///
  /// - Parameters:
  ///   - event: The name of the event within its subscription.
  ///   - subscription: The name of the subscription.
  ///   - start: The run, which joins the queue; `nil` if the event begins none.
  /// - Returns: Whether the event was not settled before.
  func fire(event: String, of subscription: String, _ start: RunStart?) async throws -> Bool

  /// Pauses a schedule, or ends the pause: points during a pause are skipped.
  ///
  /// - Returns: The schedule; `nil` if none of that source is recorded.
  func pause(_ source: String, _ isPaused: Bool) async throws -> ScheduleRecord?

  /// The outcomes of points, the latest first.
  ///
  /// - Parameters:
  ///   - source: Of one schedule; `nil` for all.
  ///   - limit: At most so many.
  func occurrences(of source: String?, limit: Int) async throws -> [OccurrenceRecord]

  /// Removes points before a moment whose runs have ended.
  func forgetOccurrences(before moment: Timestamp) async throws
}

/// A decision about points of a schedule.
public struct ScheduleFiring: Sendable {
  /// Seconds after its time, not counting the schedule's `jitter`, from which on a run counts as late.
  package static let lateness = 5.0

  /// The policy if runs of the same schedule have not ended. It is applied in the transaction.
  public enum Overlap: Sendable, Equatable {
    /// The point is skipped.
    case skip
    /// The run waits for its turn. At most so many wait, further points are skipped; `nil` for no bound.
    case queue(limit: Int?)
    /// The other runs are cancelled.
    case cancel
    /// They run at once, at most so many; `nil` for no bound.
    case allow(limit: Int?)
  }

  /// A point that begins a run.
  public struct Point: Sendable {
    /// The point.
    public var at: Timestamp
    /// The run.
    public var start: RunStart
    /// Whether the run makes up for an outage.
    public var isCaughtUp: Bool

    /// Creates a point.
    public init(at: Timestamp, start: RunStart, isCaughtUp: Bool = false) {
      self.at = at
      self.start = start
      self.isCaughtUp = isCaughtUp
    }
  }

  /// The schedule.
  public var source: String
  /// The revision of the schedule that the decision is based on.
  public var revision: Int
  /// The cursor of the schedule after this decision: the last point that is settled.
  public var cursor: Timestamp
  /// The next point.
  public var nextDue: Timestamp?
  /// Points that begin runs, in order.
  public var points: [Point] = []
  /// Points that begin no run.
  public var passed: [PassedPoints] = []
  /// The policy if runs of the schedule have not ended.
  public var overlap = Overlap.skip
  /// The number of failed runs in a row after which the schedule pauses, and these points are skipped; `nil`: never.
  public var pauseAfter: Int?

  /// Creates a decision.
  public init(source: String, revision: Int, cursor: Timestamp, nextDue: Timestamp?) {
    self.source = source
    self.revision = revision
    self.cursor = cursor
    self.nextDue = nextDue
  }

  /// The concurrency group of the runs of a schedule that take turns, if their recipe has none.
  public static func group(of source: String) -> String { "schedule \(source)" }
}

/// Consecutive points that begin no run.
public struct PassedPoints: Sendable, Equatable {
  /// Their outcome: skipped or missed.
  public var outcome: OccurrenceOutcome
  /// The first.
  public var first: Timestamp
  /// The last.
  public var last: Timestamp
  /// How many.
  public var count: Int

  /// Creates points.
  public init(_ outcome: OccurrenceOutcome, first: Timestamp, last: Timestamp, count: Int) {
    self.outcome = outcome
    self.first = first
    self.last = last
    self.count = count
  }
}

/// The result of a decision.
public enum FiringResult: Sendable {
  /// Written: the schedule as it is now, and the outcome of each point that was to begin a run.
  case written(ScheduleRecord, [OccurrenceRecord])
  /// Not written, because the schedule has changed since: as it is now; `nil` if it is not recorded any more.
  case outdated(ScheduleRecord?)
}

/// Decides about a point whose schedule has runs that have not ended.
///
/// All run logs use it.
public struct OverlapDecision: Sendable {
  /// How many runs of the schedule have not ended, those in the queue included.
  public var unfinished: Int
  /// How many wait for their turn.
  public var queued: Int

  /// The decision.
  public enum Answer: Sendable, Equatable {
    /// The run joins the queue.
    case begin
    /// The run joins the queue, in the concurrency group of the schedule.
    case line
    /// The others are cancelled, and the run joins the queue.
    case displace
    /// There is no run.
    case skip
  }

  /// Creates a decision.
  public init(unfinished: Int, queued: Int) {
    self.unfinished = unfinished
    self.queued = queued
  }

  /// The decision about a point of several that make up for one outage: they do not overlap each other, so their runs take
  /// turns where a run of a point on time would be skipped or would end the one before.
  public func answerInCatchUp(_ overlap: ScheduleFiring.Overlap) -> Answer {
    switch overlap {
    case .skip, .cancel: .line
    case .queue, .allow: answer(overlap)
    }
  }

  /// The decision by a policy.
  public func answer(_ overlap: ScheduleFiring.Overlap) -> Answer {
    switch overlap {
    case .skip: return unfinished > 0 ? .skip : .begin
    case .queue(let limit):
      // A queued run that is free to be claimed does not wait for its turn.
      let waiting = unfinished > 0 && queued == unfinished ? queued - 1 : queued
      return limit.map { waiting >= $0 } ?? false ? .skip : .line
    case .cancel: return unfinished > 0 ? .displace : .line
    case .allow(let limit): return limit.map { unfinished >= $0 } ?? false ? .skip : .begin
    }
  }
}
