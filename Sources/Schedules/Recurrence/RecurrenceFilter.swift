/// Which days a recurrence rule names, with what it takes from its start.
struct RecurrenceFilter: Sendable, Hashable {
  /// A bit for each month, bit 1 for January.
  let months: UInt64
  /// A bit for each hour, minute and second that a part of the rule names; `nil` for all.
  let hours: UInt64?
  let minutes: UInt64?
  let seconds: UInt64?
  /// `BYSETPOS`.
  let positions: [Int]
  /// Whether the periods are years of weeks.
  let isByWeek: Bool

  private let monthDays: Set<Int>?
  private let yearDays: Set<Int>?
  private let weeks: Set<Int>?
  /// A bit for each weekday, bit 0 for Sunday.
  private let weekdays: UInt64
  private let numbered: [RecurrenceRule.Weekday]
  /// Whether weekdays are numbered within their month.
  private let isMonthly: Bool
  private let weekStart: Int

  init(_ rule: RecurrenceRule, start: LocalTime) {
    let date = start.date
    let isOpen = rule.numbers[.dayOfMonth] == nil && rule.numbers[.dayOfYear] == nil && rule.days.isEmpty
    isByWeek = rule.frequency == .yearly && rule.numbers[.week] != nil
    var months = rule.numbers[.month]
    var monthDays = rule.numbers[.dayOfMonth]
    var weekdays = Set(rule.days.filter { $0.ordinal == nil }.map(\.day))
    let isYearOpen = rule.numbers[.dayOfYear] == nil && rule.days.isEmpty && !isByWeek
    if rule.frequency == .yearly, months == nil, isYearOpen { months = [date.month] }
    if isOpen {
      switch rule.frequency {
      case .yearly where isByWeek, .weekly: weekdays = [Civil.weekday(start.day)]
      case .yearly, .monthly: monthDays = [date.day]
      default: break
      }
    }
    self.months = Self.mask(months) ?? ~0
    self.monthDays = monthDays
    yearDays = rule.numbers[.dayOfYear]
    weeks = rule.numbers[.week]
    numbered = rule.days.filter { $0.ordinal != nil }.sorted { ($0.ordinal ?? 0, $0.day) < ($1.ordinal ?? 0, $1.day) }
    self.weekdays = Self.mask(weekdays) ?? 0
    isMonthly = rule.frequency == .monthly || rule.numbers[.month] != nil
    weekStart = rule.weekStart
    positions = (rule.numbers[.position] ?? []).sorted()
    hours = Self.mask(rule.numbers[.hour])
    minutes = Self.mask(rule.numbers[.minute])
    seconds = Self.mask(rule.numbers[.second])
  }

  private static func mask(_ numbers: Set<Int>?) -> UInt64? { numbers.map { $0.reduce(0) { $0 | 1 << UInt64($1) } } }

  /// The year of weeks that a day belongs to.
  func weekYear(_ day: Int) -> Int {
    let year = Civil.date(day).year
    if day >= Civil.firstWeek(year + 1, weekStart: weekStart) { return year + 1 }
    return day < Civil.firstWeek(year, weekStart: weekStart) ? year - 1 : year
  }

  func matches(_ day: Int) -> Bool { matches(day, Civil.date(day)) }

  /// The days of a range that match.
  func days(in range: Range<Int>) -> [Int] {
    var days: [Int] = []
    _ = firstDay(in: range) { day -> Int? in
      days.append(day)
      return nil
    }
    return days
  }

  /// The first answer that is not `nil` for the days of a range that match.
  func firstDay(in range: Range<Int>, _ answer: (Int) -> Int?) -> Int? {
    var day = range.lowerBound
    var date = Civil.date(day)
    while day < range.upperBound {
      let length = Civil.length(date.year, date.month)
      if months >> UInt64(date.month) & 1 == 1 {
        if matches(day, date), let found = answer(day) { return found }
        day += 1
        date.day += 1
      } else {
        day += length - date.day + 1
        date.day = length + 1
      }
      if date.day > length {
        date = date.month == 12 ? (date.year + 1, 1, 1) : (date.year, date.month + 1, 1)
      }
    }
    return nil
  }

  private func matches(_ day: Int, _ date: (year: Int, month: Int, day: Int)) -> Bool {
    guard months >> UInt64(date.month) & 1 == 1 else { return false }
    let length = Civil.length(date.year, date.month)
    if let monthDays, !monthDays.contains(date.day), !monthDays.contains(date.day - length - 1) { return false }
    if let yearDays {
      let position = day - Civil.day(date.year, 1, 1) + 1
      let days = Civil.isLeap(date.year) ? 366 : 365
      guard yearDays.contains(position) || yearDays.contains(position - days - 1) else { return false }
    }
    if let weeks, isByWeek, !matches(day, weeks: weeks) { return false }
    return matches(day, weekday: date, length)
  }

  private func matches(_ day: Int, weeks: Set<Int>) -> Bool {
    let year = weekYear(day)
    let first = Civil.firstWeek(year, weekStart: weekStart)
    let count = (Civil.firstWeek(year + 1, weekStart: weekStart) - first) / 7
    let week = (day - first) / 7 + 1
    return weeks.contains(week) || weeks.contains(week - count - 1)
  }

  private func matches(_ day: Int, weekday date: (year: Int, month: Int, day: Int), _ length: Int) -> Bool {
    guard weekdays != 0 || !numbered.isEmpty else { return true }
    let weekday = Civil.weekday(day)
    if weekdays >> UInt64(weekday) & 1 == 1 { return true }
    return numbered.contains { wanted in
      guard wanted.day == weekday, let ordinal = wanted.ordinal else { return false }
      let position = isMonthly ? date.day : day - Civil.day(date.year, 1, 1) + 1
      let total = isMonthly ? length : Civil.isLeap(date.year) ? 366 : 365
      return ordinal > 0 ? (position - 1) / 7 + 1 == ordinal : (total - position) / 7 + 1 == -ordinal
    }
  }
}
