import Foundation
import Localization

/// Turns what the words of a phrase say into moments.
struct PhraseResolver {
  let draft: PhraseDraft
  let now: Date
  let zone: Zone

  /// The local time now.
  private var local: LocalTime { zone.local(now) }
  private var today: Int { local.day }

  /// The meanings of the phrase, the likeliest first.
  func readings(_ range: Range<Int>) throws(ScheduleError) -> [Phrase.When] {
    if let repetition = draft.repetition {
      if let begin = draft.begin { return try beginning(begin, range) }
      return try times.map { time throws(ScheduleError) in try repeated(repetition, time, range) }
    }
    let found = try moments(range)
    let coming = found.filter { $0 > now }
    guard !coming.isEmpty else { throw Self.past(range) }
    var unique: [Date] = []
    for moment in coming where !unique.contains(moment) { unique.append(moment) }
    return unique.map { .once($0) }
  }

  /// A repetition from a day on, as if the phrase had been entered just before that day.
  private func beginning(_ begin: PhraseDraft.Day, _ range: Range<Int>) throws(ScheduleError) -> [Phrase.When] {
    var first = draft
    (first.day, first.repetition, first.begin) = (begin, nil, nil)
    guard let day = try PhraseResolver(draft: first, now: now, zone: zone).days(range).first else { return [] }
    guard day >= today else { throw Self.past(range) }
    var rest = draft
    rest.begin = nil
    let start = zone.moment(LocalTime(seconds: day * Civil.secondsPerDay))
    let from = start > now ? start.addingTimeInterval(-1) : now
    return try PhraseResolver(draft: rest, now: from, zone: zone).readings(range).map { when in
      guard case .repeated(var schedule) = when, start > now else { return when }
      schedule.start = start
      return .repeated(schedule)
    }
  }

  static func past(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidTime, LocalizedText("this time is past", de: "diese Zeit ist schon vorbei"),
      advice: LocalizedText("name one that is to come", de: "eine nennen, die noch kommt"), range: range)
  }

  private static func noDate(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidTime, LocalizedText("there is no such date", de: "ein solches Datum gibt es nicht"),
      advice: LocalizedText("check day and month", de: "Tag und Monat prüfen"), range: range)
  }

  private static func otherWeekday(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidTime, LocalizedText("this date is another weekday", de: "dieses Datum ist ein anderer Wochentag"),
      advice: LocalizedText("leave out the weekday or the date", de: "den Wochentag oder das Datum weglassen"),
      range: range)
  }

  // MARK: Times of day

  /// The seconds since midnight that are meant, the likeliest first.
  private var times: [Int] {
    guard let time = draft.time else { return [(draft.dayPart?.rawValue ?? 9) * 3600] }
    let seconds = time.hour * 3600 + time.minute * 60
    if let part = draft.dayPart, time.isOpen || time.hour < 12 {
      switch part {
      case .evening where time.isOpen && time.hour < 5: return [seconds]
      case .afternoon, .evening, .closing: return [time.hour < 12 ? seconds + 43_200 : seconds]
      case .noon: return [time.isOpen && time.hour < 6 ? seconds + 43_200 : seconds]
      case .night: return [time.hour >= 6 && time.hour < 12 ? seconds + 43_200 : seconds]
      default: return [seconds]
      }
    }
    // Between one and six o'clock most people are awake in the afternoon only.
    guard time.isOpen, (1...5).contains(time.hour) else { return [seconds] }
    return [seconds + 43_200, seconds]
  }

  // MARK: Moments

  private func moments(_ range: Range<Int>) throws(ScheduleError) -> [Date] {
    if let delta = draft.delta { return try distant(delta, range) }
    guard draft.day != nil else { return timesWithoutDay }
    let days = try self.days(range)
    if let stated = draft.statedWeekday, !days.allSatisfy({ Civil.weekday($0) == stated }) {
      throw Self.otherWeekday(range)
    }
    if draft.time == nil, draft.dayPart == nil, days.first == today { return laterToday(days) }
    return days.flatMap { day in times.map { moment(isSmallHours && day == today ? day + 1 : day, $0) } }
  }

  /// `heute Nacht um 2`, `tonight at 1 am`: the small hours behind today, unless it is before them.
  private var isSmallHours: Bool {
    guard draft.day == .offset(0), draft.time != nil, draft.dayPart == .night || draft.dayPart == .evening else {
      return false
    }
    return times.allSatisfy { $0 < 5 * 3600 && moment(today, $0) <= now }
  }

  private func moment(_ day: Int, _ time: Int) -> Date {
    // Midnight at the end of a day is the one people mean.
    let isMidnight = draft.dayPart == .midnight && draft.time == nil
    return zone.moment(LocalTime(seconds: (isMidnight ? day + 1 : day) * Civil.secondsPerDay + time))
  }

  /// Today without a time of day: the next part of the day, and the other days at nine.
  private func laterToday(_ days: [Int]) -> [Date] {
    let parts = [9, 12, 15, 19, 22].map { $0 * 3600 }
    let next = parts.first { moment(today, $0) > now } ?? 23 * 3600 + 59 * 60
    return days.map { $0 == today ? moment($0, next) : moment($0, times[0]) }
  }

  /// A time of day alone: today, or tomorrow if it is over.
  private var timesWithoutDay: [Date] {
    guard let time = draft.time, time.isOpen, draft.dayPart == nil else {
      let today = times.map { moment(self.today, $0) }
      return today.filter { $0 > now }.isEmpty ? times.map { moment(self.today + 1, $0) } : today
    }
    let early = time.hour % 12 * 3600 + time.minute * 60
    let hours = [early, early + 43_200]
    let isNight = (1...5).contains(time.hour)
    // 'at 12' is noon.
    if time.hour == 12 {
      let noon = [0, 1].map { moment(today + $0, 43_200 + time.minute * 60) }
      return noon.filter { $0 > now }.prefix(1).map(\.self)
    }
    let coming = hours.map { moment(today, $0) }.filter { $0 > now }
    // Before nine, 'at 9' is clear; before three, 'at 3' is not.
    if coming.count == 2 { return isNight ? [coming[1], coming[0]] : [coming[0]] }
    let tomorrow = moment(today + 1, isNight && coming.isEmpty ? hours[1] : hours[0])
    let evening = coming.first ?? moment(today + 1, isNight ? hours[0] : hours[1])
    return isNight ? [evening, tomorrow].sorted() : [tomorrow, evening]
  }

  private func distant(_ delta: PhraseDraft.Distance, _ range: Range<Int>) throws(ScheduleError) -> [Date] {
    guard delta.seconds < 1 << 33, delta.days < 400_000, delta.months < 12_000 else { throw Self.noDate(range) }
    let bases = draft.day == nil ? [today] : try days(range)
    return bases.flatMap { base in
      var day = adding(delta.months, to: base) + delta.days
      var rest = delta.workdays
      while rest > 0 {
        day += 1
        if (1...5).contains(Civil.weekday(day)) { rest -= 1 }
      }
      let hasTime = draft.time != nil || draft.dayPart != nil
      if !hasTime, delta.seconds > 0, delta.months == 0, delta.days == 0, draft.day == nil || draft.day == .offset(0) {
        return [Date(seconds: now.wholeSeconds + delta.seconds)]
      }
      let clock = draft.day == nil ? local.timeOfDay : times[0]
      return (hasTime ? times : [clock]).map { moment(day, $0).addingTimeInterval(Double(delta.seconds)) }
    }
  }

  /// A day some months later, the last of its month if that is too short.
  private func adding(_ months: Int, to day: Int) -> Int {
    guard months != 0 else { return day }
    let (year, month, number) = Civil.date(day)
    let total = year * 12 + month - 1 + months
    let (newYear, newMonth) = (Civil.floor(total, 12), Civil.modulo(total, 12) + 1)
    return Civil.day(newYear, newMonth, min(number, Civil.length(newYear, newMonth)))
  }

  // MARK: Days

  private func days(_ range: Range<Int>) throws(ScheduleError) -> [Int] {
    let weekday = Civil.weekday(today)
    let monday = today - (weekday + 6) % 7
    let coming = { (day: Int) in today + (day - weekday + 7) % 7 }
    let inWeek = { (day: Int, weeks: Int) in monday + weeks * 7 + (day + 6) % 7 }
    switch draft.day {
    case nil: return [today]
    case .offset(let days): return [today + days]
    case .weekday(let day):
      guard day == weekday else { return [coming(day)] }
      return draft.delta == nil ? [today, today + 7] : [today + 7, today]
    case .nextWeekday(let day):
      let next = coming(day) == today ? today + 7 : coming(day)
      // Within this week, some mean the day to come and some that of the week after.
      return next < monday + 7 ? [next, next + 7] : [next]
    case .weekdayOfWeek(let day, let weeks):
      let found = inWeek(day, weeks)
      return [found < today ? found + 7 : found]
    case .weekdayOfThisWeek(let day): return [inWeek(day, 0)]
    case .date(let year, let month, let day): return [try date(year, month, day, range)]
    case .either(let year, let first, let second):
      return [try date(year, second, first, range), try date(year, first, second, range)]
    case .dayOfMonth(let day): return [try dayOfMonth(day, range)]
    case .dayInMonth(let day, let months):
      let (year, month, _) = Civil.date(adding(months, to: today - Civil.date(today).day + 1))
      let found = Civil.day(year, month, day == 0 ? Civil.length(year, month) : min(day, Civil.length(year, month)))
      return [found < today ? adding(1, to: found) : found]
    case .numbered(let number, let day, let months, let month): return [numbered(number, day, months, month)]
    case .feast(let distance):
      let year = Civil.date(today).year
      let found = PhraseWords.easter(year) + distance
      return [found < today ? PhraseWords.easter(year + 1) + distance : found]
    case .endOfYear(let years): return [Civil.day(Civil.date(today).year + years, 12, 31)]
    case .startOfYear(let years): return [Civil.day(Civil.date(today).year + years, 1, 1)]
    }
  }

  private func date(_ year: Int?, _ month: Int, _ day: Int, _ range: Range<Int>) throws(ScheduleError) -> Int {
    if let year {
      guard let found = LocalTime(year: year, month: month, day: day)?.day else { throw Self.noDate(range) }
      return found
    }
    let first = Civil.date(today).year
    // A leap day comes within eight years.
    for year in first...first + 8 {
      if let found = LocalTime(year: year, month: month, day: day)?.day, found >= today,
        found > today || times.contains(where: { moment(found, $0) > now })
      {
        return found
      }
    }
    throw Self.noDate(range)
  }

  private func dayOfMonth(_ day: Int, _ range: Range<Int>) throws(ScheduleError) -> Int {
    let (year, month, _) = Civil.date(today)
    for offset in 0..<3 {
      let (nextYear, nextMonth) = ((year * 12 + month - 1 + offset) / 12, (month - 1 + offset) % 12 + 1)
      guard let found = LocalTime(year: nextYear, month: nextMonth, day: day)?.day, found >= today else { continue }
      if found > today || times.contains(where: { moment(found, $0) > now }) { return found }
    }
    throw Self.noDate(range)
  }

  private func numbered(_ number: Int, _ weekday: Int, _ months: Int?, _ month: Int?) -> Int {
    let (year, current, _) = Civil.date(today)
    func find(_ year: Int, _ month: Int) -> Int {
      let first = Civil.day(year, month, 1)
      let earliest = first + (weekday - Civil.weekday(first) + 7) % 7
      return number > 0
        ? earliest + 7 * (number - 1) : earliest + (Civil.length(year, month) - (earliest - first) - 1) / 7 * 7
    }
    if let month {
      let found = find(year, month)
      return found < today ? find(year + 1, month) : found
    }
    let total = year * 12 + current - 1 + (months ?? 0)
    let found = find(total / 12, total % 12 + 1)
    return found < today ? find((total + 1) / 12, (total + 1) % 12 + 1) : found
  }

  // MARK: Repetitions

  private func repeated(
    _ repetition: PhraseDraft.Repetition, _ time: Int, _ range: Range<Int>
  ) throws(ScheduleError) -> Phrase.When {
    let seconds: Int? =
      switch repetition.frequency {
      case .second: 1
      case .minute: 60
      case .hour: 3600
      default: nil
      }
    if let seconds {
      let step = seconds * repetition.interval
      // Full hours, quarters of an hour and so on.
      let anchor = zone.moment(LocalTime(seconds: Civil.day(2001, 1, 1) * Civil.secondsPerDay))
      return .repeated(Schedule(.every(seconds: step, anchor: anchor), zone: zone))
    }
    let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    let frequency =
      [PhraseWords.Unit.week: "WEEKLY", .month: "MONTHLY", .year: "YEARLY"][repetition.frequency] ?? "DAILY"
    var rule = "FREQ=\(frequency)"
    let days = repetition.weekdays.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 }
    if !days.isEmpty {
      let number = repetition.ordinal.map { $0 == 0 ? "-1" : "\($0)" } ?? ""
      rule += ";BYDAY=" + days.map { number + names[$0] }.joined(separator: ",")
    }
    if let month = repetition.month { rule += ";BYMONTH=\(month)" }
    let isRepeatedDay = repetition.weekdays.isEmpty && [.month, .year].contains(repetition.frequency)
    if let day = repetition.monthDay ?? (isRepeatedDay ? Civil.date(today).day : nil), isRepeatedDay,
      repetition.moreMonthDays.isEmpty,
      let last = lastDay(day, repetition.month ?? (repetition.frequency == .year ? Civil.date(today).month : nil))
    {
      if repetition.frequency == .year, repetition.month == nil { rule += ";BYMONTH=2" }
      rule += last
    } else if let day = repetition.monthDay {
      let days = Set([day] + repetition.moreMonthDays).sorted()
      rule += ";BYMONTHDAY=" + days.map(String.init).joined(separator: ",")
    }
    let time = time % Civil.secondsPerDay
    rule += try hours(beside: time, range)
    let begin = LocalTime(seconds: today * Civil.secondsPerDay + time)
    guard let next = Self.schedule(rule, begin, zone)?.next(after: now) else { throw Self.noDate(range) }
    // Intervals count from the first time.
    if repetition.interval > 1 { rule += ";INTERVAL=\(repetition.interval)" }
    let start = LocalTime(seconds: zone.local(next).day * Civil.secondsPerDay + time)
    guard let schedule = Self.schedule(rule, start, zone) else { throw Self.noDate(range) }
    return .repeated(schedule)
  }

  /// The part of a rule for a day that some months do not have: the last day of those months counts instead. RFC 5545 leaves
  /// such months out, which 'every month' does not mean.
  private func lastDay(_ day: Int, _ month: Int?) -> String? {
    if let month { return month == 2 && day == 29 ? ";BYMONTHDAY=-1" : nil }
    // A position counts over the hours of a day as well.
    guard day >= 29, day == 31 || draft.moreTimes.isEmpty else { return nil }
    return day == 31
      ? ";BYMONTHDAY=-1" : ";BYMONTHDAY=" + (28...day).map(String.init).joined(separator: ",") + ";BYSETPOS=-1"
  }

  /// The part of a rule for several times of a day; a rule takes each of its hours with each of its minutes.
  private func hours(beside time: Int, _ range: Range<Int>) throws(ScheduleError) -> String {
    guard !draft.moreTimes.isEmpty else { return "" }
    guard draft.moreTimes.allSatisfy({ $0.minute == time / 60 % 60 }) else {
      throw ScheduleError(
        .unsupported,
        LocalizedText(
          "several times of a day need the same minute", de: "mehrere Zeiten eines Tages brauchen dieselbe Minute"),
        advice: LocalizedText("write two schedules", de: "zwei Zeitpläne schreiben"), range: range)
    }
    let hours = Set([time / 3600] + draft.moreTimes.map { $0.hour % 24 }).sorted()
    return ";BYHOUR=" + hours.map(String.init).joined(separator: ",")
  }

  private static func schedule(_ rule: String, _ start: LocalTime, _ zone: Zone) -> Schedule? {
    guard let rule = try? RecurrenceRule(rule) else { return nil }
    return Schedule(.recurrence(Recurrence(rule, start: start, zone: zone)), zone: zone)
  }
}
