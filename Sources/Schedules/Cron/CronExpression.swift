import Localization

/// A cron expression, parsed.
///
/// Five fields (minute, hour, day of the month, month, weekday), six with seconds first, seven with years last, or a name
/// such as `@daily`. Fields take numbers, names, ranges, steps and lists; `?` for `*` in the fields of days; `H` for a
/// number that the schedule's name decides; days of the month `L`, `L-3`, `15W` and `LW`; weekdays `5L` (or `L5`, the last
/// Friday) and `5#2` (the second one). Weekdays are 0 to 7, both 0 and 7 for Sunday.
///
/// As in crontab(5), a day matches by the day of the month or by the weekday where both are given, and by both where one
/// of the two fields begins with `*`, `?` included.
public struct CronExpression: Sendable, Hashable {
  /// How the day of the month and the weekday decide together whether a day matches.
  public enum DayRule: Sendable, Hashable {
    /// Both have to match.
    case both
    /// One of them has to match.
    case either
  }

  /// As it is written.
  public let source: String
  /// How the days of the month and the weekdays go together.
  public let dayRule: DayRule
  /// Whether the hour begins with `*`, so that the expression means periods and not times of day: clock changes then neither
  /// move nor drop anything, and an hour that comes twice counts twice.
  public let isPeriodic: Bool
  /// A bit for each second.
  let seconds: UInt64
  /// A bit for each minute.
  let minutes: UInt64
  /// A bit for each hour.
  let hours: UInt64
  /// A bit for each month, bit 1 for January.
  let months: UInt64
  /// The fields that select the days.
  let days: CronDays
  /// The years, sorted; empty for all.
  let years: [Int]

  private static let names = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
  ]

  /// Parses an expression.
  ///
  /// - Parameters:
  ///   - source: The expression.
  ///   - name: The schedule's name, which decides what `H` represents.
  /// - Throws: The first thing that is wrong; ``ScheduleError/Code/never`` where no year has such a day.
  public init(_ source: String, name: String = "") throws(ScheduleError) {
    self.source = source
    let written = source.lowercased()
    let isName = written.hasPrefix("@")
    let bytes = Array((isName ? try Self.named(written, source) : written).utf8)
    let fields = Self.fields(bytes)
    guard (5...7).contains(fields.count) else { throw CronField.shape(0..<source.utf8.count) }
    var parts = fields.map { CronField(text: Array(bytes[$0]), start: $0.lowerBound, name: name) }
    if fields.count == 5 { parts.insert(CronField(text: [UInt8(ascii: "0")], start: 0, name: name), at: 0) }
    seconds = try parts[0].values(.second)
    minutes = try parts[1].values(.minute)
    hours = try parts[2].values(.hour)
    months = try parts[4].values(.month)
    let (day, weekday) = (parts[3], parts[5])
    dayRule = day.isOpen || weekday.isOpen ? .both : .either
    days = CronDays(
      ofMonth: try day.daysOfMonth(), ofWeek: try weekday.weekdays(), dayRule: dayRule)
    years = parts.count == 7 ? try parts[6].years() : []
    isPeriodic = parts[2].isOpen
    let range =
      isName
      ? 0..<source.utf8.count
      : fields[fields.count - (fields.count == 7 ? 4 : 3)]
        .lowerBound..<fields[fields.count - (fields.count == 7 ? 3 : 2)].upperBound
    guard exists else {
      throw ScheduleError(
        .never,
        LocalizedText(
          "this never comes: none of these months has such a day",
          de: "das kommt nie vor: keiner dieser Monate hat einen solchen Tag"),
        advice: LocalizedText(
          "write days that one of the months has; L is the last one",
          de: "Tage angeben, die einer der Monate hat; L ist der letzte"), range: range)
    }
  }

  private static func named(_ written: String, _ source: String) throws(ScheduleError) -> String {
    if let known = names[written] { return known }
    let list = "@yearly, @monthly, @weekly, @daily, @hourly"
    guard written == "@reboot" else {
      throw ScheduleError(
        .invalidCron,
        LocalizedText("there is no schedule called '\(source)'", de: "einen Zeitplan '\(source)' gibt es nicht"),
        advice: LocalizedText("known are \(list)", de: "bekannt sind \(list)"), range: 0..<source.utf8.count)
    }
    throw ScheduleError(
      .unsupported,
      LocalizedText("'@reboot' names no time", de: "'@reboot' nennt keine Zeit"),
      advice: LocalizedText(
        "let systemd or cron start 'sous run' when the machine starts",
        de: "'sous run' beim Start des Rechners von systemd oder cron ausführen lassen"),
      range: 0..<source.utf8.count)
  }

  /// The parts between spaces and tabs.
  private static func fields(_ bytes: [UInt8]) -> [Range<Int>] {
    var fields: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      let start = index
      while index < bytes.count, bytes[index] != 0x20, bytes[index] != 0x09 { index += 1 }
      if index > start { fields.append(start..<index) } else { index += 1 }
    }
    return fields
  }

  /// Whether any year has such a day; the calendar repeats itself after 400 years.
  private var exists: Bool {
    if let first = years.first, let last = years.last {
      return (first...last).contains { year in
        years.contains(year) && (1...12).contains { months >> $0 & 1 == 1 && days.mask(year, $0) != 0 }
      }
    }
    return (2000..<2400).contains { year in
      (1...12).contains { months >> $0 & 1 == 1 && days.mask(year, $0) != 0 }
    }
  }
}

extension CronExpression {
  /// The first matching time at or after one, in seconds of ``LocalTime``; `nil` if the years are over.
  ///
  /// The calendar repeats itself after 400 years, so looking further than that is of no use.
  func first(atOrAfter local: Int) -> Int? {
    let today = Civil.floor(local, Civil.secondsPerDay)
    let (year, month, day) = Civil.date(today)
    guard year <= Civil.years.upperBound else { return nil }
    if isWanted(year), months >> month & 1 == 1, days.mask(year, month) >> day & 1 == 1,
      let time = time(atOrAfter: local - today * Civil.secondsPerDay)
    {
      return today * Civil.secondsPerDay + time
    }
    guard let next = self.day(after: (year, month, day)), let time = time(atOrAfter: 0) else { return nil }
    return next * Civil.secondsPerDay + time
  }

  private func isWanted(_ year: Int) -> Bool { years.isEmpty || years.contains(year) }

  /// The next matching day after one.
  private func day(after date: (year: Int, month: Int, day: Int)) -> Int? {
    var (year, month, day) = (date.year, date.month, date.day + 1)
    let last = min(year + 400, Civil.years.upperBound)
    while year <= last {
      if !isWanted(year) {
        guard let next = years.first(where: { $0 > year }) else { return nil }
        (year, month, day) = (next, 1, 1)
        continue
      }
      if months >> month & 1 == 1 {
        let rest = days.mask(year, month) & (~0 << UInt64(day))
        if rest != 0 { return Civil.day(year, month, rest.trailingZeroBitCount) }
      }
      (month, day) = (month + 1, 1)
      if month == 13 { (year, month) = (year + 1, 1) }
    }
    return nil
  }

  /// The first time of day at or after one, in seconds since midnight.
  private func time(atOrAfter time: Int) -> Int? {
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    let startOfMinute = minutes.trailingZeroBitCount * 60
    if hours >> hour & 1 == 1 {
      if minutes >> minute & 1 == 1 {
        let rest = seconds & (~0 << UInt64(second))
        if rest != 0 { return hour * 3600 + minute * 60 + rest.trailingZeroBitCount }
      }
      let rest = minutes & (~0 << UInt64(minute + 1))
      if rest != 0 { return hour * 3600 + rest.trailingZeroBitCount * 60 + seconds.trailingZeroBitCount }
    }
    let rest = hours & (~0 << UInt64(hour + 1))
    guard rest != 0 else { return nil }
    return rest.trailingZeroBitCount * 3600 + startOfMinute + seconds.trailingZeroBitCount
  }
}
