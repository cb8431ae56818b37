/// A cron expression, parsed: five fields (minute, hour, day, month, weekday), six with seconds first, or a name such as
/// `@daily`.
///
/// Fields are `*`, numbers, names, ranges, lists and steps; `L`, `W` and `#` of some dialects are not known. As in
/// crontab(5), a day matches by the day of the month or by the weekday where both are given, and by both where one of
/// the two fields begins with `*`.
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
  /// 0 to 59; `[0]` where the expression has no seconds.
  public let seconds: Set<Int>
  /// 0 to 59.
  public let minutes: Set<Int>
  /// 0 to 23.
  public let hours: Set<Int>
  /// 1 to 31.
  public let daysOfMonth: Set<Int>
  /// 1 to 12.
  public let months: Set<Int>
  /// 0 to 6, 0 for Sunday.
  public let weekdays: Set<Int>
  /// How ``daysOfMonth`` and ``weekdays`` go together.
  public let dayRule: DayRule

  /// What is wrong with an expression, with the UTF-8 range of the part that is.
  enum Problem: Error, Equatable {
    /// It has not the shape of a cron expression.
    case shape(Range<Int>)
    /// It names days that no year has.
    case never(Range<Int>)
  }

  private static let names = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
  ]
  private static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
  /// The most days that each month can have.
  private static let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// Parses an expression.
  ///
  /// - Throws: The first thing that is wrong.
  init(_ source: String) throws(Problem) {
    self.source = source
    let written = source.lowercased()
    let text = Self.names[written] ?? written
    let bytes = Array(text.utf8)
    let fields = Self.fields(bytes)
    guard fields.count == 5 || fields.count == 6 else { throw .shape(0..<source.utf8.count) }
    let five: [(ClosedRange<Int>, [String])] = [
      (0...59, []), (0...23, []), (1...31, []), (1...12, Self.monthNames), (0...7, Self.weekdayNames),
    ]
    let bounds = fields.count == 6 ? [(0...59, [])] + five : five
    var sets: [Set<Int>] = fields.count == 5 ? [[0]] : []
    for (field, bound) in zip(fields, bounds) {
      let value = String(decoding: bytes[field], as: UTF8.self)
      guard let set = Self.values(value, bound.0, names: bound.1) else { throw .shape(field) }
      sets.append(set)
    }
    (seconds, minutes, hours, daysOfMonth, months) = (sets[0], sets[1], sets[2], sets[3], sets[4])
    weekdays = Set(sets[5].map { $0 % 7 })
    let day = fields.count - 3
    let isOpen = { (field: Range<Int>) in bytes[field.lowerBound] == UInt8(ascii: "*") }
    dayRule = isOpen(fields[day]) || isOpen(fields[day + 2]) ? .both : .either
    // Every day of a month falls on every weekday in some year, so the weekday rules nothing out.
    let exists = months.contains { month in daysOfMonth.contains { $0 <= Self.lengths[month - 1] } }
    guard dayRule == .either || exists else { throw .never(fields[day].lowerBound..<fields[day + 1].upperBound) }
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

  /// The numbers that a field stands for; `nil` where it is none.
  private static func values(_ text: String, _ bounds: ClosedRange<Int>, names: [String]) -> Set<Int>? {
    var result: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "/", omittingEmptySubsequences: false)
      guard halves.count <= 2, let range = halves.first else { return nil }
      var step = 1
      if halves.count == 2 {
        guard let number = Int(halves[1]), number >= 1, number <= bounds.upperBound else { return nil }
        step = number
      }
      if range == "*" {
        result.formUnion(stride(from: bounds.lowerBound, through: bounds.upperBound, by: step))
        continue
      }
      let ends = range.split(separator: "-", omittingEmptySubsequences: false)
      let numbers = ends.compactMap { number($0, bounds, names: names) }
      guard ends.count <= 2, numbers.count == ends.count, let first = numbers.first, let last = numbers.last,
        first <= last
      else { return nil }
      let end = numbers.count == 1 && halves.count == 2 ? bounds.upperBound : last
      result.formUnion(stride(from: first, through: end, by: step))
    }
    return result
  }

  private static func number(_ text: Substring, _ bounds: ClosedRange<Int>, names: [String]) -> Int? {
    if let position = names.firstIndex(of: String(text)) { return position + (bounds.lowerBound == 1 ? 1 : 0) }
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(text) else { return nil }
    return bounds.contains(number) ? number : nil
  }
}
