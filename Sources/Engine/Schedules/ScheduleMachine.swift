public import Expressions

/// Decides what becomes of the points of one schedule. It is pure: state and time of day in, decision out.
///
/// Points are decided in order, each once: what is not after the cursor is never looked at again, also where the clock was
/// set back. A clock that was set ahead is an outage like any other; where it was ahead by more than
/// ``Policy/longestStep`` and is set right, the schedule goes on from the time it shows then.
public struct ScheduleMachine: Sendable {
  /// What happens to points that passed while nobody looked.
  public enum CatchUp: String, Sendable, CaseIterable {
    /// They are missed.
    case none
    /// The last one runs, unless a later point runs at its time.
    case last
    /// They run, the latest ones where there are more than ``Policy/catchUpLimit``.
    case all
  }

  /// How a schedule wants its points to be treated.
  public struct Policy: Sendable, Equatable {
    /// What happens to points that passed while nobody looked.
    public var catchUp = CatchUp.last
    /// How far back such points count, in seconds; `nil` for no bound.
    public var catchUpWindow: Double?
    /// How many points run at once after an outage, at most.
    public var catchUpLimit = 100
    /// Seconds by which runs are spread: a schedule begins each of its runs by the same part of it later.
    public var jitter = 0.0
    /// Up to how many seconds after its time a point still counts as on time.
    public var tolerance = 30.0
    /// Up to how many seconds a cursor may lie ahead of the clock: beyond it the clock was wrong when the cursor was
    /// written.
    public var longestStep = 86_400.0

    /// Creates the usual policy.
    public init() {}
  }

  /// What is to be done.
  public struct Decision: Sendable, Equatable {
    /// A point that begins a run.
    public struct Point: Sendable, Equatable {
      /// The point.
      public var at: Timestamp
      /// Whether it makes up for an outage.
      public var isCaughtUp = false
    }

    /// Points that begin runs, in order.
    public var points: [Point] = []
    /// Points that begin none, in order.
    public var passed: [PassedPoints] = []
    /// The last point that is accounted for after this.
    public var cursor: Timestamp
    /// The next point; `nil` where there is none.
    public var nextDue: Timestamp?
    /// When to decide again; `nil` where there is nothing more to decide.
    public var wake: Timestamp?

    /// Whether the record has to be changed.
    public func changes(_ record: ScheduleRecord) -> Bool { cursor != record.cursor || nextDue != record.nextDue }
  }

  /// Points that are looked at in one decision; what is left is decided in the next one.
  static let limit = 50_000

  private let source: any OccurrenceSource
  private let policy: Policy

  /// Creates a machine.
  ///
  /// - Parameters:
  ///   - source: The points.
  ///   - policy: How they are treated.
  public init(_ source: any OccurrenceSource, _ policy: Policy = Policy()) {
    self.source = source
    self.policy = policy
  }

  /// The first point after a moment; `nil` where there is none any more.
  public func point(after moment: Timestamp) -> Timestamp? {
    source.next(after: moment).flatMap { $0 > moment ? $0 : nil }
  }

  /// Seconds by which the runs of a schedule begin later, the same for all of them.
  public func delay(of schedule: String) -> Double {
    guard policy.jitter > 0 else { return 0 }
    // FNV-1a: the same in every process.
    let hash = schedule.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return policy.jitter * Double(hash >> 11) / Double(1 << 53 as UInt64)
  }

  /// Decides about the points that have come since the cursor.
  ///
  /// - Parameters:
  ///   - record: How far the schedule has come.
  ///   - isHeld: Whether its points are skipped, as somebody has switched it off.
  ///   - now: The time of day.
  public func decide(_ record: ScheduleRecord, isHeld: Bool = false, at now: Timestamp) -> Decision {
    let delay = delay(of: record.source)
    let cursor = record.cursor.seconds(since: now) > policy.longestStep ? now : record.cursor
    var decision = Decision(cursor: cursor, nextDue: nil)
    var past = PastPoints(limit: policy.catchUp == .all ? min(max(1, policy.catchUpLimit), Self.limit / 5) : 1)
    var at = cursor
    var count = 0
    while let point = source.next(after: at), point > at {
      let late = now.seconds(since: point) - delay
      guard late >= 0 else {
        decision.nextDue = point
        decision.wake = point.adding(seconds: delay)
        break
      }
      if isHeld || record.isPaused {
        past.pass(point, .skipped)
      } else if late <= policy.tolerance {
        decision.points.append(.init(at: point))
      } else if policy.catchUp == .none || policy.catchUpWindow.map({ late > $0 }) ?? false {
        past.pass(point, .missed)
      } else {
        past.keep(point)
      }
      at = point
      count += 1
      if count >= Self.limit, decision.points.isEmpty {
        // What may still run is decided with what follows.
        decision.passed = past.passed
        decision.cursor = past.kept.isEmpty ? at : past.passed.last?.last ?? cursor
        (decision.nextDue, decision.wake) = (past.kept.first ?? source.next(after: at), now)
        return decision
      }
    }
    past.trim(to: policy.catchUp == .last && !decision.points.isEmpty ? 0 : past.limit)
    decision.points = past.kept.map { .init(at: $0, isCaughtUp: true) } + decision.points
    decision.passed = past.passed
    decision.cursor = at
    return decision
  }
}

/// Points that are over: the latest ones, which may still run, and the others, which do not.
private struct PastPoints {
  let limit: Int
  private(set) var kept: [Timestamp] = []
  private(set) var passed: [PassedPoints] = []

  init(limit: Int) { self.limit = limit }

  mutating func keep(_ point: Timestamp) {
    kept.append(point)
    // In portions, as each removal moves the rest.
    if kept.count >= 2 * limit { trim(to: limit) }
  }

  /// Gives up all points but the latest.
  mutating func trim(to count: Int) {
    guard kept.count > count else { return }
    for point in kept.prefix(kept.count - count) { pass(point, .missed) }
    kept.removeFirst(kept.count - count)
  }

  mutating func pass(_ point: Timestamp, _ outcome: OccurrenceOutcome) {
    guard let last = passed.last, last.outcome == outcome else {
      return passed.append(PassedPoints(outcome, first: point, last: point, count: 1))
    }
    passed[passed.count - 1].last = point
    passed[passed.count - 1].count += 1
  }
}
