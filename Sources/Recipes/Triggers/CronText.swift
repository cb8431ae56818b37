/// The shape of cron expressions, and whether they ever fire.
///
/// Fields are `*`, numbers, names, ranges, lists and steps; `L`, `W` and `#` of some dialects are not known. As in
/// crontab(5), a day matches by the day of the month or by the weekday where both are given, and by both where one of
/// the two fields begins with `*`.
enum CronText {
  /// What is wrong with an expression, with the UTF-8 range of the part that is.
  enum Problem: Equatable {
    /// It has not the shape of a cron expression.
    case shape(Range<Int>)
    /// It names days that no year has.
    case never(Range<Int>)
  }

  private static let names = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
  /// The most days that each month can have.
  private static let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// The first thing that is wrong; `nil` where the expression is sound.
  static func problem(_ text: String) -> Problem? {
    let bytes = Array(text.utf8)
    let fields = fields(bytes)
    if fields.count == 1, names.contains(text.lowercased()) { return nil }
    guard fields.count == 5 || fields.count == 6 else { return .shape(0..<bytes.count) }
    let five: [(ClosedRange<Int>, [String])] = [
      (0...59, []), (0...23, []), (1...31, []), (1...12, months), (0...7, weekdays),
    ]
    let bounds = fields.count == 6 ? [(0...59, [])] + five : five
    var sets: [Set<Int>] = []
    for (field, bound) in zip(fields, bounds) {
      let value = String(decoding: bytes[field], as: UTF8.self).lowercased()
      guard let set = values(value, bound.0, names: bound.1) else { return .shape(field) }
      sets.append(set)
    }
    let day = fields.count - 3
    let byWeekday = bytes[fields[day + 2].lowerBound] != UInt8(ascii: "*")
    let byDay = bytes[fields[day].lowerBound] != UInt8(ascii: "*")
    // Every day of a month falls on every weekday in some year, so the weekday rules nothing out.
    if byDay, byWeekday { return nil }
    let exists = sets[day + 1].contains { month in
      lengths.indices.contains(month - 1) && sets[day].contains { $0 <= lengths[month - 1] }
    }
    return exists ? nil : .never(fields[day].lowerBound..<fields[day + 1].upperBound)
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
