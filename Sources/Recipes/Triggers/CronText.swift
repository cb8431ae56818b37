/// The shape of cron expressions.
enum CronText {
  private static let names = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  /// The UTF-8 range of the first part that is wrong; `nil` where the expression has the right shape.
  ///
  /// Fields are `*`, numbers, names, ranges, lists and steps; `L`, `W` and `#` of some dialects are not known.
  static func firstProblem(_ text: String) -> Range<Int>? {
    let bytes = Array(text.utf8)
    var fields: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      let start = index
      while index < bytes.count, bytes[index] != 0x20, bytes[index] != 0x09 { index += 1 }
      if index > start { fields.append(start..<index) } else { index += 1 }
    }
    if fields.count == 1, names.contains(text.lowercased()) { return nil }
    guard fields.count == 5 || fields.count == 6 else { return 0..<bytes.count }
    let five: [(ClosedRange<Int>, [String])] = [
      (0...59, []), (0...23, []), (1...31, []), (1...12, months), (0...7, weekdays),
    ]
    let bounds = fields.count == 6 ? [(0...59, [])] + five : five
    for (field, bound) in zip(fields, bounds) {
      let value = String(decoding: bytes[field], as: UTF8.self).lowercased()
      if !isField(value, bound.0, names: bound.1) { return field }
    }
    return nil
  }

  private static func isField(_ text: String, _ bounds: ClosedRange<Int>, names: [String]) -> Bool {
    text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
      let halves = part.split(separator: "/", omittingEmptySubsequences: false)
      guard halves.count <= 2, let range = halves.first else { return false }
      if halves.count == 2 {
        guard let step = Int(halves[1]), step >= 1, step <= bounds.upperBound else { return false }
      }
      if range == "*" { return true }
      let ends = range.split(separator: "-", omittingEmptySubsequences: false)
      let numbers = ends.compactMap { end -> Int? in
        if let position = names.firstIndex(of: String(end)) { return position + (bounds.lowerBound == 1 ? 1 : 0) }
        guard end.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(end) else { return nil }
        return bounds.contains(number) ? number : nil
      }
      guard ends.count <= 2, numbers.count == ends.count, let first = numbers.first else { return false }
      return numbers.count == 1 || first <= (numbers.last ?? first)
    }
  }
}

/// The shape of recurrence rules: RFC 5545, section 3.3.10.
enum RecurrenceText {
  private static let frequencies = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
  private static let parts = [
    "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY", "BYYEARDAY",
    "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST",
  ]

  /// The UTF-8 range of the first part that is wrong; `nil` where the rule has the right shape.
  static func firstProblem(_ text: String) -> Range<Int>? {
    var offset = 0
    var seen: Set<String> = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let range = offset..<offset + part.utf8.count
      offset = range.upperBound + 1
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = halves.first?.uppercased(), parts.contains(name), let value = halves.last,
        !value.isEmpty, seen.insert(name).inserted
      else { return range }
      switch name {
      case "FREQ": if !frequencies.contains(value.uppercased()) { return range }
      case "COUNT", "INTERVAL":
        guard let number = Int(value), number >= 1 else { return range }
      default: break
      }
    }
    return seen.contains("FREQ") ? nil : 0..<text.utf8.count
  }
}
