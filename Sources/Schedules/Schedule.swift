public import Foundation

/// Points in time, one after the other.
///
/// A schedule is pure: the next point depends only on its parts and the zone database.
public struct Schedule: Sendable, Hashable {
  /// How the points are described.
  public enum Form: Sendable, Hashable {
    /// A cron expression.
    case cron(CronExpression)
    /// Every so many seconds of elapsed time, 1 or more, counted from an anchor in both directions.
    case every(seconds: Int, anchor: Date)
    /// A recurrence rule with its start, further times and exceptions.
    case recurrence(Recurrence)
    /// Single local times, sorted.
    case once([LocalTime])
    /// Single moments, sorted.
    case moments([Date])
    /// Sunrise or sunset at a place, with a distance in seconds.
    case sun(SunEvent, Place, offset: Int)
  }

  /// The default start of distances and rules: midnight of 2001-01-01, a Monday, on the zone's clock.
  public static var usualAnchor: LocalTime { LocalTime(seconds: Civil.day(2001, 1, 1) * Civil.secondsPerDay) }

  /// How the points are described.
  public var form: Form
  /// Where the clock hangs.
  public var zone: Zone
  /// The handling of a time of day that a clock change skips.
  public var missing: MissingTime
  /// Which moments count of a time of day that a clock change makes twice.
  public var repeated: RepeatedTime
  /// Nothing comes before it.
  public var start: Date?
  /// Nothing comes after it.
  public var end: Date?
  /// Times that do not count.
  public var exceptions = ExceptionCalendar()
  /// The most by which ``due(_:)`` puts a point off, in seconds.
  public var jitter = 0
  /// The schedule's name, which decides about ``due(_:)``.
  public var name = ""

  /// Creates a schedule.
  public init(
    _ form: Form, zone: Zone, missing: MissingTime = .standard, repeated: RepeatedTime = .first, start: Date? = nil,
    end: Date? = nil
  ) {
    self.form = form
    self.zone = zone
    self.missing = missing
    self.repeated = repeated
    self.start = start
    self.end = end
  }

  /// The first point after a moment.
  ///
  /// - Returns: A whole second. `nil` if nothing comes any more. Cron expressions are exact; a recurrence rule gives up after
  ///   50 000 of its periods without a point, sunrise after a year, and exceptions after 4000 in a row.
  public func next(after date: Date) -> Date? {
    var from = date.wholeSeconds + 1
    if let start {
      from = max(from, start.wholeSeconds + (start.timeIntervalSince1970 > Double(start.wholeSeconds) ? 1 : 0))
    }
    for _ in 0..<4000 {
      guard let found = first(atOrAfter: from) else { return nil }
      if let end, Double(found) > end.timeIntervalSince1970 { return nil }
      guard !exceptions.isEmpty else { return Date(seconds: found) }
      let local = found + zone.offset(at: found)
      guard let resume = exceptions.end(of: local) else { return Date(seconds: found) }
      from = max(found + 1, zone.seconds(resume))
    }
    return nil
  }

  /// The points after a moment, one at a time; there may be no end of them.
  public func occurrences(after date: Date) -> some Sequence<Date> {
    sequence(state: date) { (last: inout Date) -> Date? in
      guard let next = next(after: last) else { return nil }
      last = next
      return next
    }
  }

  /// When a point is due: put off by up to ``jitter`` seconds. Name and point decide by how many.
  public func due(_ occurrence: Date) -> Date {
    guard jitter > 0 else { return occurrence }
    let hash = StableHash.of("\(name) \(occurrence.wholeSeconds)")
    return occurrence.addingTimeInterval(Double(hash % UInt64(jitter + 1)))
  }

  /// The first point at or after a moment, both in seconds since 1970.
  private func first(atOrAfter moment: Int) -> Int? {
    switch form {
    case .cron(let cron):
      return clock(isPeriodic: cron.isPeriodic).first(atOrAfter: moment) { cron.first(atOrAfter: $0) }
    case .recurrence(let recurrence):
      return clock(isPeriodic: recurrence.isPeriodic).first(atOrAfter: moment) { recurrence.first(atOrAfter: $0) }
    case .once(let times):
      return clock(isPeriodic: false).first(atOrAfter: moment) { local in
        times.first { $0.seconds >= local }?.seconds
      }
    case .every(let seconds, let anchor):
      let step = max(1, seconds)
      let (begin, distance) = (anchor.wholeSeconds, moment - anchor.wholeSeconds)
      let next = begin + Civil.floor(distance + step - 1, step) * step
      return next < 253_402_300_800 ? next : nil
    case .moments(let moments): return moments.first { $0.wholeSeconds >= moment }?.wholeSeconds
    case .sun(let event, let place, let offset):
      return event.first(atOrAfter: moment, place: place, offset: offset)
    }
  }

  /// Periods within a day run on through clock changes.
  private func clock(isPeriodic: Bool) -> WallClock {
    WallClock(zone: zone, missing: isPeriodic ? .skip : missing, repeated: isPeriodic ? .both : repeated)
  }
}
