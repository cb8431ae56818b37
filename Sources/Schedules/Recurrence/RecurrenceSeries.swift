/// A recurrence rule with its start: a series of local times (RFC 5545, section 3.3.10).
///
/// A period is a year, a month, a week … by the rule's frequency. Missing parts are taken from the start. Like libical, and
/// unlike python-dateutil, a yearly rule with `BYMONTHDAY` alone stays in the month of the start, one with `BYWEEKNO` counts
/// the years of weeks, and stays on the weekday of the start.
struct RecurrenceSeries: Sendable, Hashable {
  /// How many periods, or days where the frequency is less than a day, are looked through for the next time.
  static let horizon = 50_000

  let rule: RecurrenceRule
  /// The start, in seconds of ``LocalTime``.
  let start: Int
  let filter: RecurrenceFilter
  /// Seconds since midnight, sorted, where the frequency is a day or more.
  let times: [Int]
  /// The last time that counts.
  private(set) var last = Int.max

  /// Makes the series.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: Its start.
  ///   - isDate: Whether the start is a day without a time; `BYHOUR` and the like then mean nothing.
  ///   - zone: Where the clock hangs, for an `UNTIL` in UTC.
  init(_ rule: RecurrenceRule, start: LocalTime, isDate: Bool = false, zone: Zone) {
    self.rule = rule
    self.start = start.seconds
    filter = RecurrenceFilter(rule, start: start)
    times = isDate ? [0] : Self.times(rule, start.timeOfDay)
    switch rule.end {
    case nil: break
    case .date(let year, let month, let day): last = (Civil.day(year, month, day) + 1) * Civil.secondsPerDay - 1
    case .local(let year, let month, let day, let second):
      last = Civil.day(year, month, day) * Civil.secondsPerDay + second
    case .moment(let moment): last = zone.local(moment).seconds
    }
    if let count = rule.count { last = lastTime(of: count) }
  }

  private static func times(_ rule: RecurrenceRule, _ start: Int) -> [Int] {
    let part = { (part: RecurrenceRule.Part, own: Int) in
      rule.numbers[part].map { $0.filter { $0 < 60 }.sorted() } ?? [own]
    }
    let seconds = part(.second, start % 60)
    switch rule.frequency {
    case .secondly: return [0]
    case .minutely: return seconds
    case .hourly: return part(.minute, start / 60 % 60).flatMap { minute in seconds.map { minute * 60 + $0 } }
    default:
      let minutes = part(.minute, start / 60 % 60)
      return part(.hour, start / 3600).flatMap { hour in
        minutes.flatMap { minute in seconds.map { hour * 3600 + minute * 60 + $0 } }
      }
    }
  }

  /// The time with a number, from 1; `COUNT` is at most 100 000, see ``RecurrenceRule``.
  private func lastTime(of count: Int) -> Int {
    var time = start - 1
    for _ in 0..<count {
      guard let next = first(atOrAfter: time + 1) else { break }
      time = next
    }
    return time
  }

  /// The first time of the series at or after one, in seconds of ``LocalTime``.
  func first(atOrAfter local: Int) -> Int? {
    let from = max(local, start)
    guard from <= last else { return nil }
    let found: Int? =
      switch rule.frequency {
      case .yearly: filter.isByWeek ? weekYearly(from) : yearly(from)
      case .monthly: monthly(from)
      case .weekly: weekly(from)
      case .daily: daily(from)
      case .hourly: timed(from, unit: 3600)
      case .minutely: timed(from, unit: 60)
      case .secondly: timed(from, unit: 1)
      }
    return found.flatMap { $0 <= last ? $0 : nil }
  }

  // MARK: Periods of days

  private var startDay: Int { Civil.floor(start, Civil.secondsPerDay) }

  /// How many whole intervals after the start the period with a distance begins, at least 0.
  private func aligned(_ distance: Int) -> Int { max(0, distance / rule.interval * rule.interval) }

  private func yearly(_ from: Int) -> Int? {
    let startYear = Civil.date(startDay).year
    var year = startYear + aligned(Civil.date(Civil.floor(from, Civil.secondsPerDay)).year - startYear)
    for _ in 0..<Self.horizon {
      let first = Civil.day(year, 1, 1)
      guard year <= Civil.years.upperBound, first * Civil.secondsPerDay <= last else { return nil }
      if let time = time(in: first..<Civil.day(year + 1, 1, 1), from) { return time }
      guard let next = adding(year) else { return nil }
      year = next
    }
    return nil
  }

  private func weekYearly(_ from: Int) -> Int? {
    let startYear = firstWeekYear
    var year = startYear + aligned(filter.weekYear(Civil.floor(from, Civil.secondsPerDay)) - startYear)
    for _ in 0..<Self.horizon {
      guard year < Civil.years.upperBound else { return nil }
      let first = Civil.firstWeek(year, weekStart: rule.weekStart)
      let range = first..<Civil.firstWeek(year + 1, weekStart: rule.weekStart)
      guard first * Civil.secondsPerDay <= last else { return nil }
      if let time = time(in: range, from) { return time }
      guard let next = adding(year) else { return nil }
      year = next
    }
    return nil
  }

  /// The year of weeks that intervals count from: that of the start, or as libical has it the start's own year where the
  /// one before, to which the start's week belongs, has no time left.
  private var firstWeekYear: Int {
    let (year, weekYear) = (Civil.date(startDay).year, filter.weekYear(startDay))
    guard weekYear < year else { return weekYear }
    let range = startDay..<Civil.firstWeek(year, weekStart: rule.weekStart)
    return time(in: range, start) == nil ? year : weekYear
  }

  private func monthly(_ from: Int) -> Int? {
    let begin = Civil.date(startDay)
    let now = Civil.date(Civil.floor(from, Civil.secondsPerDay))
    let startMonth = begin.year * 12 + begin.month - 1
    var month = startMonth + aligned(now.year * 12 + now.month - 1 - startMonth)
    for _ in 0..<Self.horizon {
      let (year, number) = (month / 12, month % 12 + 1)
      guard year <= Civil.years.upperBound else { return nil }
      let first = Civil.day(year, number, 1)
      guard first * Civil.secondsPerDay <= last else { return nil }
      if filter.months >> number & 1 == 1, let time = time(in: first..<first + Civil.length(year, number), from) {
        return time
      }
      guard let next = adding(month) else { return nil }
      month = next
    }
    return nil
  }

  private func weekly(_ from: Int) -> Int? {
    let begin = startDay - Civil.modulo(Civil.weekday(startDay) - rule.weekStart, 7)
    var week = aligned((Civil.floor(from, Civil.secondsPerDay) - begin) / 7)
    for _ in 0..<Self.horizon {
      let first = begin + week * 7
      guard first < 2_932_000, first * Civil.secondsPerDay <= last else { return nil }
      if let time = time(in: first..<first + 7, from) { return time }
      guard let next = adding(week) else { return nil }
      week = next
    }
    return nil
  }

  private func daily(_ from: Int) -> Int? {
    var day = startDay + aligned(Civil.floor(from, Civil.secondsPerDay) - startDay)
    for _ in 0..<Self.horizon {
      // The last day of the year 9999 is 2 932 896.
      guard day < 2_932_000, day * Civil.secondsPerDay <= last else { return nil }
      if let time = time(in: day..<day + 1, from) { return time }
      guard let next = adding(day) else { return nil }
      day = next
    }
    return nil
  }

  private func adding(_ number: Int) -> Int? {
    let (sum, isTooMuch) = number.addingReportingOverflow(rule.interval)
    return isTooMuch || sum > 1 << 40 ? nil : sum
  }

  /// The first time in a period at or after one.
  private func time(in days: Range<Int>, _ from: Int) -> Int? {
    if !filter.positions.isEmpty { return positioned(filter.days(in: days), from) }
    let earliest = max(days.lowerBound, Civil.floor(from, Civil.secondsPerDay))
    guard earliest < days.upperBound else { return nil }
    return filter.firstDay(in: earliest..<days.upperBound) { day in
      times.first { day * Civil.secondsPerDay + $0 >= from }.map { day * Civil.secondsPerDay + $0 }
    }
  }

  /// The first of the times at the positions of `BYSETPOS` at or after one.
  private func positioned(_ days: [Int], _ from: Int) -> Int? {
    let total = days.count * times.count
    var best: Int?
    for position in filter.positions {
      let index = position > 0 ? position - 1 : total + position
      guard index >= 0, index < total else { continue }
      let time = days[index / times.count] * Civil.secondsPerDay + times[index % times.count]
      if time >= from, best.map({ time < $0 }) ?? true { best = time }
    }
    return best
  }

  // MARK: Periods within a day

  private func timed(_ from: Int, unit: Int) -> Int? {
    let begin = Civil.floor(start, unit) * unit
    let (step, isTooMuch) = rule.interval.multipliedReportingOverflow(by: unit)
    guard !isTooMuch, step < 1 << 40 else { return start >= from ? start : nil }
    // The first period at or after a time.
    let next = { (time: Int) in time <= begin ? begin : begin + (time - begin + step - 1) / step * step }
    var period = next(from - unit + 1)
    let limit = min(last, 2_932_000 * Civil.secondsPerDay)
    for _ in 0..<4 * Self.horizon where period <= limit {
      let day = Civil.floor(period, Civil.secondsPerDay)
      let time = period - day * Civil.secondsPerDay
      guard filter.matches(day) else {
        period = next((day + 1) * Civil.secondsPerDay)
        continue
      }
      if let hours = filter.hours, hours >> UInt64(time / 3600) & 1 == 0 {
        period = next(period - time % 3600 + 3600)
      } else if unit < 3600, let minutes = filter.minutes, minutes >> UInt64(time / 60 % 60) & 1 == 0 {
        period = next(period - time % 60 + 60)
      } else if unit == 1, let seconds = filter.seconds, seconds >> UInt64(time % 60) & 1 == 0 {
        period = next(period + 1)
      } else if let found = expanded(period, from) {
        return found
      } else {
        period = next(period + 1)
      }
    }
    return nil
  }

  private func expanded(_ period: Int, _ from: Int) -> Int? {
    guard !filter.positions.isEmpty else { return times.first { period + $0 >= from }.map { period + $0 } }
    let indices = filter.positions.map { $0 > 0 ? $0 - 1 : times.count + $0 }.filter { times.indices.contains($0) }
    return indices.map { period + times[$0] }.filter { $0 >= from }.min()
  }
}
