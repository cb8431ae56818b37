public import Expressions

/// The outcome of one point of a schedule.
public enum OccurrenceOutcome: String, Sendable, CaseIterable {
  /// It has begun a run at its time.
  case run
  /// It has begun a run after an outage.
  case caughtUp = "caught_up"
  /// It has begun no run, because an earlier run had not ended, the schedule was paused, or its recipe was switched off.
  case skipped
  /// It passed while no server ran, and the schedule does not make up for it.
  case missed
}

/// The recorded progress of a schedule.
///
/// Its ``source`` names a schedule: the file of the recipe and a name made from its points.
public struct ScheduleRecord: Sendable, Equatable {
  /// How many points of a schedule had each outcome.
  public struct Counts: Sendable, Equatable {
    /// Points that have begun a run at their time.
    public var run = 0
    /// Points that have begun a run after an outage.
    public var caughtUp = 0
    /// Points that were skipped, because an earlier run had not ended, the schedule was paused, or its recipe was switched off.
    public var skipped = 0
    /// Points that passed while no server ran.
    public var missed = 0
    /// Points that queued their run in time, but whose run began more than 5 seconds later, see ``ScheduleFiring``.
    public var late = 0

    /// Creates counts of zero.
    public init() {}

    /// All points that are settled.
    public var total: Int { run + caughtUp + skipped + missed }
  }

  /// The recipe's file and a name made from its points: `/home/me/recipes/digest.yaml#5f0c2a91`.
  public var source: String
  /// The recipe's name.
  public var recipe: String
  /// Changes if the definition of the schedule does.
  public var digest: String
  /// Grows with every change; a decision names the revision that it is based on.
  public var revision = 0
  /// The last point that is settled, or the moment at which the schedule began.
  public var cursor: Timestamp
  /// The next point; `nil` if none follows.
  public var nextDue: Timestamp?
  /// Whether a person has paused it.
  public var isPaused = false
  /// The counts of its points by outcome.
  public var counts = Counts()
  /// How many of its runs have failed since the last one that succeeded.
  public var failures = 0

  /// Creates the record of a schedule that begins.
  public init(source: String, recipe: String, digest: String, cursor: Timestamp) {
    self.source = source
    self.recipe = recipe
    self.digest = digest
    self.cursor = cursor
  }
}

/// One point of a schedule, or consecutive ones with the same outcome.
public struct OccurrenceRecord: Sendable, Equatable {
  /// The schedule.
  public var source: String
  /// The point; the first of several.
  public var at: Timestamp
  /// The last of several.
  public var until: Timestamp
  /// How many points.
  public var count: Int
  /// Their outcome.
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
  /// The knowledge of a record about a point that comes again after a clock was set back.
  package enum Knowledge: Sendable {
    /// It has had a run, or was skipped.
    case settled
    /// It counted as missed, but it is not missed any more.
    case missed
  }

  /// The knowledge of the record about a point; `nil` if it covers other points.
  package func knowledge(of point: Timestamp) -> Knowledge? {
    guard at <= point, point <= until else { return nil }
    if run != nil { return at == point ? .settled : nil }
    return outcome == .missed ? .missed : .settled
  }

  /// The record without one of its points; `nil` if it had no other. Of several points only the first and the last are known.
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
  /// Counts the end of one of its runs.
  ///
  /// - Parameter status: Its status; `nil` if the run is not recorded any more.
  package mutating func close(_ status: RunStatus?) {
    switch status {
    case .failed: failures += 1
    case .succeeded: failures = 0
    default: break
    }
  }

  /// Pauses if so many of its runs have failed in a row.
  package mutating func rest(after failures: Int?) {
    if let failures, self.failures >= failures { isPaused = true }
  }

  /// Pauses, or ends the pause and sets the failures to 0.
  package mutating func pause(_ isPaused: Bool) {
    self.isPaused = isPaused
    if !isPaused { failures = 0 }
    revision += 1
  }

  /// The recipe's file.
  public var path: String { source.lastIndex(of: "#").map { String(source[..<$0]) } ?? source }

  /// Counts a point that was to begin a run.
  ///
  /// - Returns: Its outcome.
  package mutating func take(_ point: ScheduleFiring.Point, _ answer: OverlapDecision.Answer) -> OccurrenceOutcome {
    let outcome: OccurrenceOutcome = answer == .skip ? .skipped : point.isCaughtUp ? .caughtUp : .run
    counts.add(1, outcome)
    return outcome
  }
}

extension RunStart {
  /// The run as it joins the queue for a schedule: if runs take turns and the recipe has no concurrency group, it gets that of
  /// the schedule.
  package func inLine(_ answer: OverlapDecision.Answer, of source: String) -> RunStart {
    var start = self
    start.isQueued = true
    if answer == .line || answer == .displace, start.group == nil { start.group = ScheduleFiring.group(of: source) }
    return start
  }
}
