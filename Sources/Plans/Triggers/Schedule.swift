package import Foundation
public import Schedules

/// Points in time at which a recipe runs.
public struct Schedule: Sendable, Hashable {
  /// How the points are described.
  public enum Pattern: Sendable, Hashable {
    /// A cron expression.
    case cron(CronExpression)
    /// A recurrence rule.
    case rrule(RecurrenceRule)
    /// Every so many seconds, whole ones.
    case every(Double)
    /// Single times.
    case once([PointInTime])
    /// Sunrise or sunset at a place, so many seconds later or earlier.
    case sun(SunEvent, Place, offset: Int)
  }

  /// What happens when a run is due and the one before still works.
  public enum Overlap: Sendable, Hashable {
    /// The new one is left out.
    case skip
    /// The new one waits, unless so many wait already.
    case queue(limit: Int)
    /// The old one is cancelled.
    case cancel
    /// They run at once, so many at most.
    case allow(limit: Int)

    /// The words for it.
    package enum Word: String, CaseIterable { case skip, queue, cancel, allow }

    /// How many runs of one schedule wait or run at once, at most, whatever a recipe says.
    public static let most = 1000
  }

  /// What happens to points that passed while Sous was not running.
  public enum CatchUp: String, Sendable, CaseIterable {
    /// They are left out.
    case none
    /// The last one runs.
    case last
    /// All of them run.
    case all
  }

  /// What happens to a point that a clock change leaves out.
  public enum Missing: String, Sendable, CaseIterable {
    /// It moves to the next existing time.
    case shift
    /// It is left out.
    case skip
    /// It moves by as much as the clock leaps, as in RFC 5545.
    case after
    /// It comes as much earlier.
    case before
  }

  /// What happens to a point that a clock change makes twice.
  public enum Repeated: String, Sendable, CaseIterable {
    /// Only the first counts.
    case first
    /// Only the last counts.
    case last
    /// Both count.
    case both
  }

  /// Times at which a schedule rests.
  public struct Exceptions: Sendable, Hashable {
    /// Days.
    public var days: [LocalTime] = []
    /// Files with events in iCalendar, whose times count.
    public var files: [String] = []

    package init(days: [LocalTime] = [], files: [String] = []) {
      self.days = days
      self.files = files
    }
  }

  /// How many missed points run at once, at most, where a recipe does not say.
  public static let usualCap = 100

  /// The points.
  public var pattern: Pattern
  /// The time of day for a recurrence rule, and for days.
  public var at: TimeOfDay?
  /// The IANA time zone; `nil` means the system's.
  public var timezone: String?
  /// Nothing comes before it. A recurrence rule counts from it.
  public var start: PointInTime?
  /// Nothing comes after it; of a day, all of it counts.
  public var end: PointInTime?
  /// What ``Pattern/every(_:)`` counts from.
  public var anchor: PointInTime?
  /// Times at which it rests.
  public var exceptions = Exceptions()
  /// Seconds by which its runs are put off at most, so that many schedules do not begin at once.
  public var jitter = 0.0
  /// What happens when runs would overlap.
  public var overlap: Overlap = .skip
  /// What happens to missed points.
  public var catchUp: CatchUp = .last
  /// How far back missed points count, in seconds; `nil` means no bound.
  public var catchUpWindow: Double?
  /// How many missed points run at once, at most.
  public var catchUpCap = Self.usualCap
  /// After so many failed runs in a row it pauses; `nil` for never.
  public var pauseAfter: Int?
  /// What a clock change does to a point that it leaves out.
  public var missing = Missing(rawValue: MissingTime.standard.rawValue) ?? .after
  /// What a clock change does to a point that it makes twice.
  public var repeated: Repeated = .first

  package init(_ pattern: Pattern) { self.pattern = pattern }
}

/// A time as a recipe writes it: on the schedule's clock, or with an offset from UTC.
public struct PointInTime: Sendable, Hashable, CustomStringConvertible {
  /// The time as it is written.
  public let description: String
  private let local: LocalTime?
  private let fixed: Date?

  /// Reads `2026-12-24`, `2026-12-24T18:00`, or RFC 3339; `nil` where the text is something else.
  public init?(_ text: String) {
    description = text
    local = LocalTime(iso: text)
    fixed = local == nil ? Zone.moment(rfc3339: text) : nil
    if local == nil, fixed == nil { return nil }
  }

  /// Whether it is a day without a time.
  public var isDay: Bool { local != nil && description.utf8.count == 10 }

  /// The time on a clock in a zone; of a day, the given time of day or midnight.
  package func local(in zone: Zone, at time: TimeOfDay? = nil) -> LocalTime {
    guard let local else { return zone.local(fixed ?? .distantPast) }
    guard isDay, let time else { return local }
    return LocalTime(seconds: local.seconds + time.seconds)
  }

  /// Whether it is on the schedule's clock.
  package var isLocal: Bool { local != nil }

  /// The moment; of a day, the given time of day or midnight.
  package func moment(in zone: Zone, at time: TimeOfDay? = nil) -> Date {
    fixed ?? zone.moment(local(in: zone, at: time))
  }

  /// The last moment that belongs to it.
  package func lastMoment(in zone: Zone) -> Date {
    guard isDay, let local else { return moment(in: zone) }
    return zone.moment(LocalTime(seconds: local.seconds + 86_399))
  }
}
