/// Local times that repeat: a rule with its start, further times and exceptions (RFC 5545, section 3.8.5).
public struct Recurrence: Sendable, Hashable {
  /// `RRULE`; `nil` if only single times are given.
  public let rule: RecurrenceRule?
  /// `DTSTART`.
  public let start: LocalTime
  /// Whether the start is a day without a time.
  public let isDate: Bool
  /// `RDATE`, sorted, and the start if there is no rule.
  public let additional: [LocalTime]
  /// `EXDATE`.
  public let excluded: Set<LocalTime>
  /// The days of `EXDATE` that are dates, counted from 1970-01-01.
  let excludedDays: Set<Int>
  private let series: RecurrenceSeries?

  /// Creates a recurrence.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: Its start; the first time of the series is the first at or after it that the rule names.
  ///   - isDate: Whether the start is a day without a time.
  ///   - additional: Further times.
  ///   - excluded: Times that do not count.
  ///   - excludedDays: Days of which no time counts.
  ///   - zone: Where the clock hangs, for an `UNTIL` in UTC.
  public init(
    _ rule: RecurrenceRule?, start: LocalTime, isDate: Bool = false, additional: [LocalTime] = [],
    excluded: Set<LocalTime> = [], excludedDays: [LocalTime] = [], zone: Zone
  ) {
    self.rule = rule
    self.start = start
    self.isDate = isDate
    self.additional = Set(rule == nil ? additional + [start] : additional).sorted()
    self.excluded = excluded
    self.excludedDays = Set(excludedDays.map(\.day))
    series = rule.map { RecurrenceSeries($0, start: start, isDate: isDate, zone: zone) }
  }

  /// The days on which some of its times do not count, in order.
  public var exceptionDays: [LocalTime] {
    Set(excluded.map(\.day)).union(excludedDays).sorted().map { LocalTime(seconds: $0 * Civil.secondsPerDay) }
  }

  /// Those of ``additional`` that count.
  public var singleTimes: [LocalTime] {
    additional.filter { !excluded.contains($0) && !excludedDays.contains($0.day) }
  }

  /// Whether the rule means periods within a day and not times of day.
  var isPeriodic: Bool {
    guard let rule, [.hourly, .minutely, .secondly].contains(rule.frequency) else { return false }
    return rule.numbers[.hour] == nil
  }

  /// The first time at or after one; `nil` if the series ends, or where nothing comes within ``RecurrenceSeries/horizon``
  /// periods.
  func first(atOrAfter local: Int) -> Int? {
    var from = local
    // Each round passes an excluded time or day.
    for _ in 0...max(4000, 2 * excluded.count) {
      let regular = series?.first(atOrAfter: from)
      let single = additional.first { $0.seconds >= from }?.seconds
      guard let found = [regular, single].compactMap({ $0 }).min() else { return nil }
      let day = Civil.floor(found, Civil.secondsPerDay)
      if excludedDays.contains(day) {
        from = (day + 1) * Civil.secondsPerDay
      } else if excluded.contains(LocalTime(seconds: found)) {
        from = found + 1
      } else {
        return found
      }
    }
    return nil
  }
}
