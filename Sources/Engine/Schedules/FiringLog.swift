public import Expressions

/// Keeps how far schedules and triggers have come, and begins their runs.
///
/// A point of a schedule, or an event, and the run that it begins are written in one transaction. Whoever decides says
/// which state he has seen; where that is no longer the state, nothing is written. So neither a crash nor a second process
/// loses a point or begins a run for it twice.
public protocol FiringLog: Sendable {
  /// All schedules that are known, by source.
  func schedules() async throws -> [ScheduleRecord]

  /// Makes schedules known. One that is known with the same digest stays as it is; where its digest is another one, it
  /// begins anew from the cursor given, and keeps its counts.
  ///
  /// - Returns: The schedules as they are kept, in the order given.
  func begin(_ schedules: [ScheduleRecord]) async throws -> [ScheduleRecord]

  /// Writes down what becomes of points of schedules, and begins their runs: in one transaction, each schedule for itself.
  ///
  /// - Returns: What has come of each decision, in the order given.
  func fire(_ firings: [ScheduleFiring]) async throws -> [FiringResult]

  /// Begins the run of an event, unless that event has been dealt with, and notes that it has.
  ///
  /// - Parameters:
  ///   - event: What names the event in its subscription.
  ///   - subscription: What names the subscription.
  ///   - start: The run, which joins the queue; `nil` where the event begins none.
  /// - Returns: Whether the event had not been dealt with.
  func fire(event: String, of subscription: String, _ start: RunStart?) async throws -> Bool

  /// Pauses a schedule, or lets it go on: points that pass meanwhile are skipped.
  ///
  /// - Returns: The schedule; `nil` where none of that source is known.
  func pause(_ source: String, _ isPaused: Bool) async throws -> ScheduleRecord?

  /// What has become of points, the latest first.
  ///
  /// - Parameters:
  ///   - source: Of one schedule; `nil` for all.
  ///   - limit: At most so many.
  func occurrences(of source: String?, limit: Int) async throws -> [OccurrenceRecord]

  /// Forgets points before a moment whose runs have ended.
  func forgetOccurrences(before moment: Timestamp) async throws
}

/// What somebody has decided about points of a schedule.
public struct ScheduleFiring: Sendable {
  /// Seconds after its time, not counting the schedule's `jitter`, from which on a run counts as late.
  package static let lateness = 5.0

  /// What happens where runs of the same schedule have not ended. Decided in the transaction.
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
    /// Whether it makes up for an outage.
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
  /// The revision that the decision is about.
  public var revision: Int
  /// The last point that is accounted for after this.
  public var cursor: Timestamp
  /// The next point.
  public var nextDue: Timestamp?
  /// Points that begin runs, in order.
  public var points: [Point] = []
  /// Points that begin none.
  public var passed: [PassedPoints] = []
  /// What happens where runs of the schedule have not ended.
  public var overlap = Overlap.skip
  /// After so many failed runs in a row the schedule pauses, and these points are skipped; `nil` for never.
  public var pauseAfter: Int?

  /// Creates a decision.
  public init(source: String, revision: Int, cursor: Timestamp, nextDue: Timestamp?) {
    self.source = source
    self.revision = revision
    self.cursor = cursor
    self.nextDue = nextDue
  }

  /// What names the concurrency group in which runs of a schedule take turns whose recipe has none.
  public static func group(of source: String) -> String { "schedule \(source)" }
}

/// Points one after another that begin no run.
public struct PassedPoints: Sendable, Equatable {
  /// What becomes of them: skipped or missed.
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

/// What has come of a decision.
public enum FiringResult: Sendable {
  /// It is written: the schedule as it is now, and what has become of each point that was to begin a run.
  case written(ScheduleRecord, [OccurrenceRecord])
  /// The schedule has changed since: as it is now, `nil` where it is not known any more. Nothing is written.
  case outdated(ScheduleRecord?)
}

/// Decides what becomes of a point whose schedule has runs that have not ended.
///
/// One place for every run log.
public struct OverlapDecision: Sendable {
  /// How many runs of the schedule have not ended, those that wait for their turn among them.
  public var unfinished: Int
  /// How many wait for their turn.
  public var queued: Int

  /// What happens.
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

  /// What happens by a policy.
  public func answer(_ overlap: ScheduleFiring.Overlap) -> Answer {
    switch overlap {
    case .skip: return unfinished > 0 ? .skip : .begin
    case .queue(let limit):
      // One that nobody has taken yet and that nothing keeps from being taken does not wait for its turn.
      let waiting = unfinished > 0 && queued == unfinished ? queued - 1 : queued
      return limit.map { waiting >= $0 } ?? false ? .skip : .line
    case .cancel: return unfinished > 0 ? .displace : .line
    case .allow(let limit): return limit.map { unfinished >= $0 } ?? false ? .skip : .begin
    }
  }
}
