import ICalendar

/// A time zone as a calendar defines it itself (RFC 5545 §3.6.5).
struct CalendarZone {
  /// A part of the zone: from when on which offset holds, and how that is repeated each year.
  private struct Observance {
    var start = 0
    var from: Int?
    var to: Int?
    var month: Int?
    /// Which of the month's weekdays, counted from its end where negative, and the weekday, 0 for Sunday.
    var week: (number: Int, weekday: Int)?
    var until: Int?
  }

  var name = ""
  private var observances: [Observance] = []

  mutating func begin() {
    if observances.count < 100 { observances.append(Observance()) }
  }

  mutating func take(_ line: ContentLine) {
    guard !observances.isEmpty else { return }
    let last = observances.count - 1
    switch line.name {
    case "DTSTART": observances[last].start = CalendarReader.localTime(line.value)?.date.secondsSinceEpoch ?? 0
    case "TZOFFSETFROM": observances[last].from = CalendarZone.offset(line.value)
    case "TZOFFSETTO": observances[last].to = CalendarZone.offset(line.value)
    case "RRULE": takeRule(line.value, at: last)
    default: break
    }
  }

  private mutating func takeRule(_ rule: String, at index: Int) {
    for part in rule.uppercased().split(separator: ";") {
      let pieces = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pieces.count == 2 else { continue }
      switch pieces[0] {
      case "BYMONTH": observances[index].month = Int(pieces[1]).flatMap { (1...12).contains($0) ? $0 : nil }
      case "BYDAY":
        let days = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
        guard let weekday = days.firstIndex(of: String(pieces[1].suffix(2))),
          let number = Int(pieces[1].dropLast(2)), (-5...5).contains(number), number != 0
        else { continue }
        observances[index].week = (number, weekday)
      case "UNTIL": observances[index].until = CalendarReader.localTime(pieces[1])?.date.secondsSinceEpoch
      default: break
      }
    }
  }

  /// The seconds east of UTC at a local time in seconds since 1970; `nil` if the zone does not say.
  func offset(atLocal local: Int) -> Int? {
    var latest: (start: Int, offset: Int)?
    for observance in observances {
      guard let offset = observance.to, let start = CalendarZone.lastStart(of: observance, notAfter: local) else {
        continue
      }
      if latest.map({ start > $0.start }) ?? true { latest = (start, offset) }
    }
    if let latest { return latest.offset }
    // Before the first transition, its previous offset applies.
    return observances.min { $0.start < $1.start }.flatMap { $0.from ?? $0.to }
  }

  private static func lastStart(of observance: Observance, notAfter local: Int) -> Int? {
    guard observance.start <= local else { return nil }
    guard let month = observance.month, let week = observance.week else { return observance.start }
    let year = MessageDate(secondsSinceEpoch: local).year
    let timeOfDay = ((observance.start % 86_400) + 86_400) % 86_400
    for candidate in [year, year - 1] {
      guard let day = day(week, month: month, year: candidate),
        let date = MessageDate(year: candidate, month: month, day: day, hour: 0, minute: 0, second: 0, zoneOffset: 0)
      else { continue }
      let start = date.secondsSinceEpoch + timeOfDay
      if start <= local, start >= observance.start, observance.until.map({ start <= $0 + 86_400 }) ?? true {
        return start
      }
    }
    return observance.start
  }

  private static func day(_ week: (number: Int, weekday: Int), month: Int, year: Int) -> Int? {
    guard (1...9999).contains(year),
      let first = MessageDate(year: year, month: month, day: 1, hour: 0, minute: 0, second: 0, zoneOffset: 0)
    else { return nil }
    // 1970-01-01 was a Thursday.
    let weekday = (((first.secondsSinceEpoch / 86_400 + 4) % 7) + 7) % 7
    let length = MessageDate.days(inMonth: month, of: year)
    let earliest = 1 + (week.weekday - weekday + 7) % 7
    let day =
      week.number > 0 ? earliest + 7 * (week.number - 1) : earliest + 7 * ((length - earliest) / 7 + week.number + 1)
    return (1...length).contains(day) ? day : nil
  }

  private static func offset(_ value: String) -> Int? {
    let text = value.trimmingASCIIWhitespace
    let digits = Array(text.utf8.drop { !$0.isDigit })
    guard digits.count >= 4, digits.prefix(4).allSatisfy(\.isDigit) else { return nil }
    let hours = Int(digits[0] - 0x30) * 10 + Int(digits[1] - 0x30)
    let minutes = Int(digits[2] - 0x30) * 10 + Int(digits[3] - 0x30)
    guard hours < 24, minutes < 60 else { return nil }
    return (text.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
