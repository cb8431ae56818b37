public import Expressions

/// What becomes of one point of a schedule.
public enum OccurrenceOutcome: String, Sendable, CaseIterable {
  /// It has begun a run at its time.
  case run
  /// It has begun a run after an outage.
  case caughtUp = "caught_up"
  /// It has begun none, as a run before it still worked, or the schedule was paused.
  case skipped
  /// It passed while nobody looked, and the schedule does not make up for it.
  case missed
}

/// How far a schedule has come.
///
/// A schedule is known by its ``source``: the recipe's file and what its points are.
public struct ScheduleRecord: Sendable, Equatable {
  /// What has become of the points of a schedule so far.
  public struct Counts: Sendable, Equatable {
    /// Points that have begun a run at their time.
    public var run = 0
    /// Points that have begun a run after an outage.
    public var caughtUp = 0
    /// Points left out, as a run before them still worked or the schedule was paused.
    public var skipped = 0
    /// Points that passed while nobody looked.
    public var missed = 0
    /// Points that queued their run in time, but whose run began more than 5 seconds later, see ``ScheduleFiring``.
    public var late = 0

    /// Creates counts of zero.
    public init() {}

    /// All points that are accounted for.
    public var total: Int { run + caughtUp + skipped + missed }
  }

  /// The recipe's file and a name made from its points: `/home/me/recipes/digest.yaml#5f0c2a91`.
  public var source: String
  /// The recipe's name.
  public var recipe: String
  /// What tells whether the schedule is still the one that it was.
  public var digest: String
  /// Grows with every change; whoever decides something says which one he has seen.
  public var revision = 0
  /// The last point that is accounted for, or when the schedule began.
  public var cursor: Timestamp
  /// The next point; `nil` where there is none.
  public var nextDue: Timestamp?
  /// Whether somebody has paused it.
  public var isPaused = false
  /// What has become of its points.
  public var counts = Counts()
  /// How many of its runs have failed since one has not.
  public var failures = 0

  /// Creates the record of a schedule that begins.
  public init(source: String, recipe: String, digest: String, cursor: Timestamp) {
    self.source = source
    self.recipe = recipe
    self.digest = digest
    self.cursor = cursor
  }
}

/// One point of a schedule, or several one after another of which the same has become.
public struct OccurrenceRecord: Sendable, Equatable {
  /// The schedule.
  public var source: String
  /// The point; the first of several.
  public var at: Timestamp
  /// The last of several.
  public var until: Timestamp
  /// How many points.
  public var count: Int
  /// What has become of them.
  public var outcome: OccurrenceOutcome
  /// The run that has begun.
  public var run: RunID?

  /// Creates the record of a point, or of several.
  public init(
    source: String, at: Timestamp, until: Timestamp? = nil, count: Int = 1, outcome: OccurrenceOutcome,
    run: RunID? = nil
  ) {
    self.source = source
    self.at = at
    self.until = until ?? at
    self.count = count
    self.outcome = outcome
    self.run = run
  }
}

extension OccurrenceRecord {
  /// What a record says of a point that comes, maybe once more, as a clock was set back.
  package enum Knowledge: Sendable {
    /// It has had a run, or was skipped.
    case settled
    /// It counted as missed, which it is not after all.
    case missed
  }

  /// What the record says of a point; `nil` where it is about others.
  package func knowledge(of point: Timestamp) -> Knowledge? {
    guard at <= point, point <= until else { return nil }
    if run != nil { return at == point ? .settled : nil }
    return outcome == .missed ? .missed : .settled
  }

  /// The record without one of its points; `nil` where it had no other. Of several points only the ends are known.
  package func without(_ point: Timestamp) -> OccurrenceRecord? {
    guard count > 1 else { return nil }
    var rest = self
    rest.count -= 1
    if point == at { rest.at = until }
    if rest.count == 1 { rest.until = rest.at }
    return rest
  }
}

extension ScheduleRecord.Counts {
  /// Counts points.
  package mutating func add(_ count: Int, _ outcome: OccurrenceOutcome) {
    switch outcome {
    case .run: run += count
    case .caughtUp: caughtUp += count
    case .skipped: skipped += count
    case .missed: missed += count
    }
  }
}

extension ScheduleRecord {
  /// Notes that one of its runs has ended.
  ///
  /// - Parameter status: How; `nil` where the run is not known any more.
  package mutating func close(_ status: RunStatus?) {
    switch status {
    case .failed: failures += 1
    case .succeeded: failures = 0
    default: break
    }
  }

  /// Pauses where so many of its runs have failed one after another.
  package mutating func rest(after failures: Int?) {
    if let failures, self.failures >= failures { isPaused = true }
  }

  /// Pauses, or goes on; its failures so far are forgiven then.
  package mutating func pause(_ isPaused: Bool) {
    self.isPaused = isPaused
    if !isPaused { failures = 0 }
    revision += 1
  }

  /// The recipe's file.
  public var path: String { source.lastIndex(of: "#").map { String(source[..<$0]) } ?? source }

  /// Counts a point that was to begin a run.
  ///
  /// - Returns: What becomes of it.
  package mutating func take(_ point: ScheduleFiring.Point, _ answer: OverlapDecision.Answer) -> OccurrenceOutcome {
    let outcome: OccurrenceOutcome = answer == .skip ? .skipped : point.isCaughtUp ? .caughtUp : .run
    counts.add(1, outcome)
    return outcome
  }
}

extension RunStart {
  /// The run as it joins the queue for a schedule: where runs take turns and the recipe has no concurrency group, in that
  /// of the schedule.
  package func inLine(_ answer: OverlapDecision.Answer, of source: String) -> RunStart {
    var start = self
    start.isQueued = true
    if answer == .line || answer == .displace, start.group == nil { start.group = ScheduleFiring.group(of: source) }
    return start
  }
}
