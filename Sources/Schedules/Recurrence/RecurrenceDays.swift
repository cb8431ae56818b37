/// Finds out whether the points exist that a recurrence rule describes.
///
/// It goes through 28 years without a century: in them every year begins on each weekday, with and without a leap day,
/// and after each kind of year, so what none of them has no year has.
struct RecurrenceDays {
  private static let years = 2001...2028

  /// One day with all that a rule can ask about it.
  private struct Day {
    var month: Int
    var day: Int
    var monthLength: Int
    var yearDay: Int
    var yearLength: Int
    /// 0 for Sunday.
    var weekday: Int
    /// The week of the year as ISO 8601 counts it, with weeks that begin on the rule's `WKST`.
    var week: Int
    var weeksInYear: Int
    /// The fields that distinguish the periods of the rule's frequency.
    var period: Int
  }

  private let rule: RecurrenceRule

  init(_ rule: RecurrenceRule) {
    self.rule = rule
  }

  /// Whether any year has a point of the rule.
  var exist: Bool {
    let positions = rule.numbers[.position]
    // A single point will do unless positions among those of a period are asked for.
    let wanted = positions.map { $0.map(abs).min() ?? 1 } ?? 1
    let times = timesPerDay
    let oneOfEach = wanted > 1 && leavesDayOpen
    var counts: [Int: Int] = [:]
    // 2001-01-01 was a Monday.
    var weekday = 1
    var serial = 0
    for year in Self.years {
      let isLeap = year.isMultiple(of: 4)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      let first = weekday
      var dayOfYear = 0
      for (month, length) in zip(1..., lengths) {
        for day in 1...length {
          dayOfYear += 1
          let (week, weeks) = self.week(dayOfYear, firstWeekday: first, isLeap: isLeap, wasLeap: (year - 1) % 4 == 0)
          let candidate = Day(
            month: month, day: day, monthLength: length, yearDay: dayOfYear, yearLength: isLeap ? 366 : 365,
            weekday: weekday, week: week, weeksInYear: weeks, period: period(year, month, serial, weekday))
          if matches(candidate), !oneOfEach || standsForItsKind(candidate) {
            let count = counts[candidate.period, default: 0] + times
            if count >= wanted { return true }
            counts[candidate.period] = count
          }
          weekday = (weekday + 1) % 7
          serial += 1
        }
      }
    }
    return false
  }

  /// Whether the day of a rule is that of its start, since no part of it says which.
  private var leavesDayOpen: Bool {
    rule.days.isEmpty && rule.numbers[.dayOfMonth] == nil && rule.numbers[.dayOfYear] == nil
      && (rule.numbers[.week] == nil || rule.numbers[.month] == nil)
  }

  /// Whether a day is the one that is counted of those among which the start chooses.
  private func standsForItsKind(_ day: Day) -> Bool {
    switch rule.frequency {
    case .yearly where rule.numbers[.week] != nil: day.weekday == rule.weekStart
    case .yearly: day.day == 1 && (rule.numbers[.month] != nil || day.month == 1)
    case .monthly: day.day == 1
    case .weekly: day.weekday == rule.weekStart
    default: true
    }
  }

  /// How many points a day of the rule can have in one of its periods.
  private var timesPerDay: Int {
    let count = { (part: RecurrenceRule.Part) in max(rule.numbers[part]?.count ?? 1, 1) }
    switch rule.frequency {
    case .secondly: return 1
    case .minutely: return count(.second)
    case .hourly: return count(.second) * count(.minute)
    default: return count(.second) * count(.minute) * count(.hour)
    }
  }

  private func period(_ year: Int, _ month: Int, _ serial: Int, _ weekday: Int) -> Int {
    switch rule.frequency {
    case .yearly: year
    case .monthly: year * 12 + month
    case .weekly: serial - (weekday - rule.weekStart + 7) % 7
    default: serial
    }
  }

  /// The number of a day's week and how many weeks its year has.
  private func week(_ dayOfYear: Int, firstWeekday: Int, isLeap: Bool, wasLeap: Bool) -> (Int, Int) {
    // Days from the first of January back to the start of its week.
    let before = (firstWeekday - rule.weekStart + 7) % 7
    let weeks = weekCount(before, isLeap: isLeap)
    // The first week has at least four days in the year.
    let start = before <= 3 ? -before : 7 - before
    let position = dayOfYear - 1 - start
    if position < 0 {
      let earlier = (before - (wasLeap ? 2 : 1) + 7) % 7
      let last = weekCount(earlier, isLeap: wasLeap)
      return (last, last)
    }
    let number = position / 7 + 1
    return number > weeks ? (1, weeks) : (number, weeks)
  }

  private func weekCount(_ before: Int, isLeap: Bool) -> Int {
    before == 3 || (isLeap && before == 2) ? 53 : 52
  }

  private func matches(_ day: Day) -> Bool {
    if let months = rule.numbers[.month], !months.contains(day.month) { return false }
    if let weeks = rule.numbers[.week], !weeks.contains(day.week), !weeks.contains(day.week - day.weeksInYear - 1) {
      return false
    }
    if let days = rule.numbers[.dayOfYear], !days.contains(day.yearDay),
      !days.contains(day.yearDay - day.yearLength - 1)
    {
      return false
    }
    if let days = rule.numbers[.dayOfMonth], !days.contains(day.day), !days.contains(day.day - day.monthLength - 1) {
      return false
    }
    guard !rule.days.isEmpty else { return true }
    let isOfMonth = rule.frequency == .monthly || rule.numbers[.month] != nil
    let position = isOfMonth ? day.day : day.yearDay
    let length = isOfMonth ? day.monthLength : day.yearLength
    return rule.days.contains { wanted in
      guard wanted.day == day.weekday else { return false }
      guard let ordinal = wanted.ordinal else { return true }
      return ordinal > 0 ? (position - 1) / 7 + 1 == ordinal : (length - position) / 7 + 1 == -ordinal
    }
  }
}
