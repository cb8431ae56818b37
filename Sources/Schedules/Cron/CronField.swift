import Localization

/// A field of a cron expression, as it is written in lower case.
struct CronField {
  /// The unit of a field.
  enum Unit: Int {
    case second, minute, hour, day, month, weekday, year

    var bounds: ClosedRange<Int> {
      switch self {
      case .second, .minute: 0...59
      case .hour: 0...23
      case .day: 1...31
      case .month: 1...12
      case .weekday: 0...7
      case .year: 1970...2199
      }
    }

    private static let months = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    var names: [String] {
      switch self {
      case .month: Self.months
      case .weekday: Self.weekdays
      default: []
      }
    }

    var title: LocalizedText {
      switch self {
      case .second: LocalizedText("second", de: "Sekunde")
      case .minute: LocalizedText("minute", de: "Minute")
      case .hour: LocalizedText("hour", de: "Stunde")
      case .day: LocalizedText("day of the month", de: "Tag des Monats")
      case .month: LocalizedText("month", de: "Monat")
      case .weekday: LocalizedText("weekday", de: "Wochentag")
      case .year: LocalizedText("year", de: "Jahr")
      }
    }
  }

  let text: [UInt8]
  /// Where it is in the expression.
  let start: Int
  /// The schedule's name.
  let name: String

  /// Whether it begins with `*` or `?`.
  var isOpen: Bool { text.first == UInt8(ascii: "*") || text.first == UInt8(ascii: "?") }

  private var range: Range<Int> { start..<start + text.count }

  /// That the text is not a cron expression at all.
  static func shape(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidCron,
      LocalizedText("this is not a cron expression", de: "das ist kein Cron-Ausdruck"),
      advice: LocalizedText(
        "it has five fields (minute hour day month weekday), as in \"0 7 * * 1-5\", six with seconds first, seven with"
          + " years last, or a name such as @daily",
        de: "er hat fünf Felder (Minute Stunde Tag Monat Wochentag), wie \"0 7 * * 1-5\", sechs mit Sekunden vorn,"
          + " sieben mit Jahren am Ende, oder einen Namen wie @daily"), range: range)
  }

  private func wrong(_ part: String, _ unit: Unit) -> ScheduleError {
    let bounds = unit.bounds
    let names = unit.names.first.flatMap { first in unit.names.last.map { " (\(first)–\($0))" } } ?? ""
    let example = unit == .year ? "*, 2026, 2026-2030" : "*, 5, 1-5, */10, 1,3,5"
    return ScheduleError(
      .invalidCron,
      LocalizedText("'\(part)' is not a value for the ", de: "'\(part)' ist kein Wert für das Feld ") + unit.title
        + LocalizedText(" field", de: ""),
      advice: LocalizedText(
        "it takes \(bounds.lowerBound) to \(bounds.upperBound)\(names), as in \(example)",
        de: "es nimmt \(bounds.lowerBound) bis \(bounds.upperBound)\(names), wie in \(example)"), range: range)
  }

  private var parts: [String] {
    text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The bits of a field that knows numbers only.
  func values(_ unit: Unit) throws(ScheduleError) -> UInt64 {
    var mask: UInt64 = 0
    for part in parts { mask |= try bits(part, unit) }
    return mask
  }

  /// The years, sorted; empty for all.
  func years() throws(ScheduleError) -> [Int] {
    if text == [UInt8(ascii: "*")] { return [] }
    var years: Set<Int> = []
    for part in parts {
      guard let numbers = numbers(part, .year) else { throw wrong(part, .year) }
      years.formUnion(numbers)
    }
    return years.sorted()
  }

  func daysOfMonth() throws(ScheduleError) -> CronDays.OfMonth {
    var days = CronDays.OfMonth()
    for part in parts {
      if part == "?" {
        days.days |= try bits("*", .day)
      } else if part == "l" {
        days.fromEnd |= 1
      } else if part == "lw" || part == "wl" {
        days.lastWeekday = true
      } else if part.hasPrefix("l-"), let distance = Digits.number(part.utf8.dropFirst(2)), (1...30).contains(distance)
      {
        days.fromEnd |= 1 << UInt64(distance)
      } else if part.hasSuffix("w"), let day = Digits.number(part.utf8.dropLast()), (1...31).contains(day) {
        days.nearest |= 1 << UInt64(day)
      } else {
        days.days |= try bits(part, .day)
      }
    }
    return days
  }

  func weekdays() throws(ScheduleError) -> CronDays.OfWeek {
    var days = CronDays.OfWeek()
    for part in parts {
      let halves = part.split(separator: "#", omittingEmptySubsequences: false)
      if part == "?" {
        days.weekdays |= 0x7F
      } else if halves.count == 2, let day = number(halves[0], .weekday), let nth = Digits.number(halves[1].utf8),
        (1...5).contains(nth)
      {
        days.numbered |= 1 << UInt64(7 * (nth - 1) + day % 7)
      } else if part == "l" {
        // As Quartz has it: the last day of the week.
        days.weekdays |= 1 << 6
      } else if part.hasSuffix("l"), let day = number(part.dropLast(), .weekday) {
        days.last |= 1 << UInt64(day % 7)
      } else if part.hasPrefix("l"), let day = number(part.dropFirst(), .weekday) {
        days.last |= 1 << UInt64(day % 7)
      } else {
        let mask = try bits(part, .weekday)
        days.weekdays |= mask & 0x7F | mask >> 7 & 1
      }
    }
    return days
  }

  private func bits(_ part: String, _ unit: Unit) throws(ScheduleError) -> UInt64 {
    guard let numbers = numbers(part, unit) else { throw wrong(part, unit) }
    return numbers.reduce(0) { $0 | 1 << UInt64($1) }
  }

  /// The numbers of a part without commas; `nil` if it is none.
  private func numbers(_ part: String, _ unit: Unit) -> [Int]? {
    let halves = part.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count <= 2, let range = halves.first else { return nil }
    var step = 1
    if halves.count == 2 {
      guard let number = Digits.number(halves[1].utf8), number >= 1, number <= unit.bounds.upperBound else {
        return nil
      }
      step = number
    }
    if range.first == "h" { return hashed(range, step: halves.count == 2 ? step : nil, unit) }
    if range == "*" { return Array(stride(from: unit.bounds.lowerBound, through: last(unit), by: step)) }
    let ends = range.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count <= 2, let first = ends.first.flatMap({ number($0, unit) }) else { return nil }
    guard ends.count == 2 else {
      return Array(stride(from: first, through: halves.count == 2 ? last(unit) : first, by: step))
    }
    guard var end = ends.last.flatMap({ number($0, unit) }) else { return nil }
    // 'fri-sun' ends with the Sunday at the end of the week.
    if unit == .weekday, end == 0, first > 0 { end = 7 }
    guard first <= end else { return nil }
    return Array(stride(from: first, through: end, by: step))
  }

  private func last(_ unit: Unit) -> Int { unit == .weekday ? 6 : unit.bounds.upperBound }

  /// `H`, `H(0-29)` and both with a step: a number, or the first of several, that the schedule's name decides.
  private func hashed(_ text: Substring, step: Int?, _ unit: Unit) -> [Int]? {
    // Every month has 28 days; a year that depends on a name is of no use.
    var bounds = unit.bounds.lowerBound...(unit == .day ? 28 : last(unit))
    guard unit != .year else { return nil }
    if text != "h" {
      guard text.hasPrefix("h("), text.hasSuffix(")") else { return nil }
      let ends = text.dropFirst(2).dropLast().split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let first = number(ends[0], unit), let end = number(ends[1], unit), first <= end else {
        return nil
      }
      bounds = first...end
    }
    let hash = StableHash.of("\(unit.rawValue) \(name)")
    guard let step else { return [bounds.lowerBound + Int(hash % UInt64(bounds.count))] }
    let offset = Int(hash % UInt64(min(step, bounds.count)))
    return Array(stride(from: bounds.lowerBound + offset, through: bounds.upperBound, by: step))
  }

  private func number(_ text: Substring, _ unit: Unit) -> Int? {
    if let number = Digits.number(text.utf8) { return unit.bounds.contains(number) ? number : nil }
    return unit.names.firstIndex { $0 == text }.map { $0 + (unit == .month ? 1 : 0) }
  }
}

/// A hash that is the same in every process: FNV-1a, mixed at the end.
enum StableHash {
  static func of(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ (hash >> 33)
  }
}
