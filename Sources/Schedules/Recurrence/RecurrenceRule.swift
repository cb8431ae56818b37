public import Foundation
import Localization

/// A recurrence rule, parsed: RFC 5545, section 3.3.10.
public struct RecurrenceRule: Sendable, Hashable {
  /// `FREQ`.
  public enum Frequency: String, Sendable {
    /// Every so many seconds, minutes, hours, days, weeks, months or years.
    case secondly = "SECONDLY"
    case minutely = "MINUTELY"
    case hourly = "HOURLY"
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  /// The parts that hold numbers.
  public enum Part: String, Sendable {
    case second = "BYSECOND"
    case minute = "BYMINUTE"
    case hour = "BYHOUR"
    case month = "BYMONTH"
    case dayOfMonth = "BYMONTHDAY"
    case dayOfYear = "BYYEARDAY"
    case week = "BYWEEKNO"
    case position = "BYSETPOS"

    /// The numbers that it may have.
    fileprivate var bounds: ClosedRange<Int> {
      switch self {
      case .second: 0...60
      case .minute: 0...59
      case .hour: 0...23
      case .month: 1...12
      case .dayOfMonth: 1...31
      case .dayOfYear, .position: 1...366
      case .week: 1...53
      }
    }

    /// Whether negative numbers count from the end.
    fileprivate var isSigned: Bool {
      switch self {
      case .dayOfMonth, .dayOfYear, .week, .position: true
      case .second, .minute, .hour, .month: false
      }
    }
  }

  /// A weekday, 0 for Sunday, with the place among those of its month or year: `-1FR` is (-1, 5).
  public struct Weekday: Sendable, Hashable {
    /// The place, negative from the end; `nil` for each of them.
    public var ordinal: Int?
    /// 0 for Sunday.
    public var day: Int
  }

  /// `UNTIL`, the last moment that counts.
  public enum End: Sendable, Hashable {
    /// A date; all of that day counts.
    case date(year: Int, month: Int, day: Int)
    /// A time of day in the zone of the schedule.
    case local(year: Int, month: Int, day: Int, second: Int)
    /// A moment.
    case moment(Date)
  }

  /// The highest `COUNT`.
  static let mostCounted = 100_000
  private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  /// As it is written.
  public let source: String
  /// `FREQ`.
  public private(set) var frequency = Frequency.yearly
  /// `INTERVAL`, at least 1.
  public private(set) var interval = 1
  /// `COUNT`, at least 1; `nil` for no bound.
  public private(set) var count: Int?
  /// `UNTIL`; `nil` for no end.
  public private(set) var end: End?
  /// The numbers of each part that is given.
  public private(set) var numbers: [Part: Set<Int>] = [:]
  /// `BYDAY`.
  public private(set) var days: Set<Weekday> = []
  /// `WKST`: the first day of a week, 0 for Sunday.
  public private(set) var weekStart = 1

  /// Parses a rule, such as `FREQ=WEEKLY;BYDAY=MO`.
  ///
  /// - Throws: The first thing that is wrong; ``ScheduleError/Code/never`` where no year has such a point.
  public init(_ source: String) throws(ScheduleError) {
    self.source = source
    var places: [String: Range<Int>] = [:]
    if let range = read(source, &places) ?? misplaced(places) { throw Self.shape(source, range) }
    let dated = ["BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYSETPOS"].compactMap { places[$0] }
    if let first = dated.map(\.lowerBound).min(), let last = dated.map(\.upperBound).max(),
      !surelyExists, !RecurrenceDays(self).exist
    {
      throw Self.never(first..<last)
    }
  }

  /// The UTF-8 range of `UNTIL` in ``source``, where that lies before a moment wherever on earth the rule applies.
  public func rangeOfEnd(before now: Date) -> Range<Int>? {
    // Clocks are at most twelve hours behind UTC.
    let west = 12 * 3600
    let latest: Date? =
      switch end {
      case nil: nil
      case .moment(let moment): moment
      case .date(let year, let month, let day):
        Date(seconds: (Civil.day(year, month, day) + 1) * Civil.secondsPerDay - 1 + west)
      case .local(let year, let month, let day, let second):
        Date(seconds: Civil.day(year, month, day) * Civil.secondsPerDay + second + west)
      }
    guard let latest, latest < now else { return nil }
    var offset = 0
    for part in source.split(separator: ";", omittingEmptySubsequences: false) {
      let range = offset..<offset + part.utf8.count
      if part.uppercased().hasPrefix("UNTIL=") { return range }
      offset = range.upperBound + 1
    }
    return nil
  }

  /// Whether one look shows that the rule has points, so that no year has to be gone through.
  private var surelyExists: Bool {
    guard numbers[.position] == nil else { return false }
    let parts = [Part.month, .dayOfMonth, .dayOfYear, .week].filter { numbers[$0] != nil }
    if parts.isEmpty { return days.contains { abs($0.ordinal ?? 1) <= (frequency == .monthly ? 5 : 53) } }
    guard days.isEmpty else { return false }
    guard parts == [.month, .dayOfMonth] else { return parts.count == 1 }
    let lengths = (numbers[.month] ?? []).map { Civil.length(2000, $0) }
    return (numbers[.dayOfMonth] ?? []).contains { day in lengths.contains { abs(day) <= $0 } }
  }

  /// Reads the parts; gives back the range of the first one that is wrong.
  private mutating func read(_ text: String, _ places: inout [String: Range<Int>]) -> Range<Int>? {
    var offset = 0
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let range = offset..<offset + part.utf8.count
      offset = range.upperBound + 1
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = halves.first?.uppercased(), let value = halves.last?.uppercased(),
        places.updateValue(range, forKey: name) == nil, take(name, value)
      else { return range }
    }
    return places["FREQ"] == nil ? 0..<text.utf8.count : nil
  }

  /// Takes a part; `false` if it is wrong.
  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "FREQ":
      guard let frequency = Frequency(rawValue: value) else { return false }
      self.frequency = frequency
    case "COUNT", "INTERVAL":
      guard let number = Int(value), number >= 1, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
        return false
      }
      // The end of a rule that counts is looked for when it is read.
      guard name == "INTERVAL" || number <= Self.mostCounted else { return false }
      if name == "COUNT" { count = number } else { interval = number }
    case "UNTIL":
      guard let end = Self.end(value) else { return false }
      self.end = end
    case "WKST":
      guard let day = Self.weekdays.firstIndex(of: value) else { return false }
      weekStart = day
    case "BYDAY":
      for element in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let day = Self.weekday(element) else { return false }
        days.insert(day)
      }
    default:
      guard let part = Part(rawValue: name) else { return false }
      var set: Set<Int> = []
      for element in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Int(element), element.utf8.count <= 4,
          part.bounds.contains(number) || (part.isSigned && part.bounds.contains(-number))
        else { return false }
        set.insert(number)
      }
      numbers[part] = set
    }
    return true
  }

  /// The range of the first part that does not go with the others.
  private func misplaced(_ places: [String: Range<Int>]) -> Range<Int>? {
    if places["COUNT"] != nil, let end = places["UNTIL"] { return end }
    if numbers[.week] != nil, frequency != .yearly { return places["BYWEEKNO"] }
    if numbers[.dayOfMonth] != nil, frequency == .weekly { return places["BYMONTHDAY"] }
    if numbers[.dayOfYear] != nil, [.daily, .weekly, .monthly].contains(frequency) { return places["BYYEARDAY"] }
    let takesOrdinals = frequency == .monthly || (frequency == .yearly && numbers[.week] == nil)
    if !takesOrdinals, days.contains(where: { $0.ordinal != nil }) { return places["BYDAY"] }
    if numbers[.position] != nil, numbers.count == 1, days.isEmpty { return places["BYSETPOS"] }
    return nil
  }

  private static func weekday(_ text: Substring) -> Weekday? {
    guard text.utf8.count >= 2, let day = weekdays.firstIndex(of: String(text.suffix(2))) else { return nil }
    let head = text.dropLast(2)
    if head.isEmpty { return Weekday(ordinal: nil, day: day) }
    guard head.utf8.count <= 3, let ordinal = Int(head), ordinal != 0, abs(ordinal) <= 53 else { return nil }
    return Weekday(ordinal: ordinal, day: day)
  }

  /// `20270101`, `20270101T080000` or `20270101T080000Z`.
  private static func end(_ text: String) -> End? {
    let bytes = Array(text.utf8)
    let number = { (range: Range<Int>) -> Int? in
      bytes[range].allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    guard bytes.count == 8 || bytes.count == 15 || bytes.count == 16, let year = number(0..<4),
      let month = number(4..<6), let day = number(6..<8),
      LocalTime(year: year, month: month, day: day) != nil
    else { return nil }
    if bytes.count == 8 { return .date(year: year, month: month, day: day) }
    guard bytes[8] == UInt8(ascii: "T"), let hour = number(9..<11), let minute = number(11..<13),
      let second = number(13..<15), hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60 + second
    if bytes.count == 15 { return .local(year: year, month: month, day: day, second: seconds) }
    guard bytes[15] == UInt8(ascii: "Z") else { return nil }
    return .moment(Date(seconds: Civil.day(year, month, day) * Civil.secondsPerDay + seconds))
  }

  private static func shape(_ source: String, _ range: Range<Int>) -> ScheduleError {
    let part = String(decoding: Array(source.utf8)[range], as: UTF8.self).uppercased()
    let isExtension = part.hasPrefix("RSCALE=") || part.hasPrefix("SKIP=") || part.hasPrefix("BYEASTER=")
    guard !isExtension else {
      return ScheduleError(
        .unsupported,
        LocalizedText(
          "'\(part)' is not supported in recurrence rules", de: "'\(part)' wird in Regeln nicht unterstützt"),
        advice: LocalizedText("use the parts of RFC 5545 only", de: "nur die Teile von RFC 5545 benutzen"), range: range
      )
    }
    if part.hasPrefix("COUNT="), let number = Int(part.dropFirst(6)), number > mostCounted {
      return ScheduleError(
        .unsupported,
        LocalizedText("COUNT is at most \(mostCounted)", de: "COUNT ist höchstens \(mostCounted)"),
        advice: LocalizedText("use UNTIL", de: "UNTIL benutzen"), range: range)
    }
    return ScheduleError(
      .invalidRule,
      LocalizedText("this is not a recurrence rule", de: "das ist keine Wiederholungsregel"),
      advice: LocalizedText(
        "it looks like \"FREQ=WEEKLY;BYDAY=MO\" (RFC 5545)", de: "sie sieht aus wie \"FREQ=WEEKLY;BYDAY=MO\" (RFC 5545)"
      ),
      range: range)
  }

  private static func never(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .never,
      LocalizedText(
        "this never comes: no year has such a day", de: "das kommt nie vor: kein Jahr hat einen solchen Tag"),
      advice: LocalizedText(
        "write days that a month or a year has; -1 is the last one",
        de: "Tage angeben, die ein Monat oder Jahr hat; -1 ist der letzte"), range: range)
  }
}
