import Expressions

/// A recurrence rule as it is written: RFC 5545, section 3.3.10.
struct RecurrenceText {
  /// What is wrong with a rule, with the UTF-8 range of the part that is.
  enum Problem: Equatable {
    /// It has not the shape of a rule, or a part that its frequency does not allow.
    case shape(Range<Int>)
    /// It names points that no year has.
    case never(Range<Int>)
    /// Its end has passed.
    case over(Range<Int>)
  }

  /// `FREQ`.
  enum Frequency: String {
    case secondly = "SECONDLY"
    case minutely = "MINUTELY"
    case hourly = "HOURLY"
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  /// A weekday, 0 for Sunday, with the place among those of its month or year: `-1FR` is (-1, 5).
  struct Weekday: Hashable {
    var ordinal: Int?
    var day: Int
  }

  /// The numbers that a part may have; `nil` for parts that have no numbers.
  private static let bounds: [String: ClosedRange<Int>] = [
    "BYSECOND": 0...60, "BYMINUTE": 0...59, "BYHOUR": 0...23, "BYMONTH": 1...12, "BYMONTHDAY": 1...31,
    "BYYEARDAY": 1...366, "BYWEEKNO": 1...53, "BYSETPOS": 1...366,
  ]
  /// The parts that count from the end where they are negative.
  private static let signed: Set<String> = ["BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS"]
  private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  private(set) var frequency = Frequency.yearly
  /// The numbers of each part that is given.
  private(set) var numbers: [String: Set<Int>] = [:]
  private(set) var days: Set<Weekday> = []
  /// The first day of a week, 0 for Sunday.
  private(set) var weekStart = 1
  private var end: Timestamp?
  private var places: [String: Range<Int>] = [:]

  /// The first thing that is wrong; `nil` where the rule is sound.
  ///
  /// - Parameters:
  ///   - text: The rule.
  ///   - now: The present: a rule whose `UNTIL` lies before it has ended.
  static func problem(_ text: String, now: Timestamp) -> Problem? {
    var rule = RecurrenceText()
    if let range = rule.read(text) ?? rule.misplaced() { return .shape(range) }
    let dated = ["BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYSETPOS"].compactMap { rule.places[$0] }
    if let first = dated.map(\.lowerBound).min(), let last = dated.map(\.upperBound).max(),
      !RecurrenceDays(rule).exist
    {
      return .never(first..<last)
    }
    if let end = rule.end, end < now, let range = rule.places["UNTIL"] { return .over(range) }
    return nil
  }

  /// Reads the parts; gives back the range of the first one that is wrong.
  private mutating func read(_ text: String) -> Range<Int>? {
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

  /// Takes a part; `false` where it is wrong.
  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "FREQ":
      guard let frequency = Frequency(rawValue: value) else { return false }
      self.frequency = frequency
    case "COUNT", "INTERVAL":
      guard let number = Int(value), number >= 1, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
        return false
      }
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
      guard let bounds = Self.bounds[name] else { return false }
      var set: Set<Int> = []
      for element in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Int(element), element.utf8.count <= 4,
          bounds.contains(number) || (Self.signed.contains(name) && bounds.contains(-number))
        else { return false }
        set.insert(number)
      }
      numbers[name] = set
    }
    return true
  }

  /// The range of the first part that does not go with the others.
  private func misplaced() -> Range<Int>? {
    if places["COUNT"] != nil, let end = places["UNTIL"] { return end }
    if numbers["BYWEEKNO"] != nil, frequency != .yearly { return places["BYWEEKNO"] }
    if numbers["BYMONTHDAY"] != nil, frequency == .weekly { return places["BYMONTHDAY"] }
    if numbers["BYYEARDAY"] != nil, [.daily, .weekly, .monthly].contains(frequency) { return places["BYYEARDAY"] }
    let takesOrdinals = frequency == .monthly || (frequency == .yearly && numbers["BYWEEKNO"] == nil)
    if !takesOrdinals, days.contains(where: { $0.ordinal != nil }) { return places["BYDAY"] }
    if numbers["BYSETPOS"] != nil, numbers.count == 1, days.isEmpty { return places["BYSETPOS"] }
    return nil
  }

  private static func weekday(_ text: Substring) -> Weekday? {
    guard text.utf8.count >= 2, let day = weekdays.firstIndex(of: String(text.suffix(2))) else { return nil }
    let head = text.dropLast(2)
    if head.isEmpty { return Weekday(ordinal: nil, day: day) }
    guard head.utf8.count <= 3, let ordinal = Int(head), ordinal != 0, abs(ordinal) <= 53 else { return nil }
    return Weekday(ordinal: ordinal, day: day)
  }

  /// `20270101`, `20270101T080000` or `20270101T080000Z`; a date means its end, a time without a zone the latest moment
  /// at which some clock shows it.
  private static func end(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    let isDigits = { (range: Range<Int>) in bytes[range].allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
    guard bytes.count == 8 || bytes.count == 15 || bytes.count == 16, isDigits(0..<8) else { return nil }
    let part = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
    let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    if bytes.count == 8 { return Timestamp(rfc3339: "\(date)T23:59:59-12:00") }
    guard bytes[8] == UInt8(ascii: "T"), isDigits(9..<15), bytes.count == 15 || bytes[15] == UInt8(ascii: "Z") else {
      return nil
    }
    let time = "\(part(9..<11)):\(part(11..<13)):\(part(13..<15))"
    return Timestamp(rfc3339: "\(date)T\(time)\(bytes.count == 16 ? "Z" : "-12:00")")
  }
}
