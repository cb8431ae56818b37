/// A day named in a text, in English or German.
struct DayMention {
  /// The day's number since 1970-01-01.
  let day: Int
  /// How many words name it.
  let length: Int

  /// The day as `2026-11-30`.
  var text: String { String(MessageDate(secondsSinceEpoch: day * 86_400).rfc3339.prefix(10)) }

  private static let months: [String: Int] = {
    var months: [String: Int] = [:]
    let names = [
      ["january", "januar", "jan", "jänner"], ["february", "februar", "feb"], ["march", "märz", "mar", "mär"],
      ["april", "apr"], ["may", "mai"], ["june", "juni", "jun"], ["july", "juli", "jul"], ["august", "aug"],
      ["september", "sep", "sept"], ["october", "oktober", "oct", "okt"], ["november", "nov"],
      ["december", "dezember", "dec", "dez"],
    ]
    for (index, list) in names.enumerated() { for name in list { months[name] = index + 1 } }
    return months
  }()

  /// Weekdays, 0 for Thursday, as 1970-01-01 was one.
  private static let weekdays: [String: Int] = [
    "thursday": 0, "donnerstag": 0, "friday": 1, "freitag": 1, "saturday": 2, "samstag": 2, "sonnabend": 2, "sunday": 3,
    "sonntag": 3, "monday": 4, "montag": 4, "tuesday": 5, "dienstag": 5, "wednesday": 6, "mittwoch": 6,
  ]

  /// Reads a day at the beginning of some words in lower case.
  ///
  /// - Parameter today: The day the message was written, since 1970-01-01: a day without a year is the next one after it.
  init?(_ words: ArraySlice<String>, today: Int) {
    guard let first = words.first else { return nil }
    let second = words.dropFirst().first ?? ""
    let third = words.dropFirst(2).first ?? ""
    if let (year, month, day) = DayMention.numeric(first) {
      guard let found = DayMention.resolve(year, month, day, today: today) else { return nil }
      self.init(day: found, length: 1)
    } else if let day = DayMention.dayNumber(first), let month = DayMention.months[DayMention.bare(second)] {
      let year = DayMention.year(third)
      guard let found = DayMention.resolve(year, month, day, today: today) else { return nil }
      self.init(day: found, length: year == nil ? 2 : 3)
    } else if let month = DayMention.months[DayMention.bare(first)], let day = DayMention.dayNumber(second) {
      let year = DayMention.year(third)
      guard let found = DayMention.resolve(year, month, day, today: today) else { return nil }
      self.init(day: found, length: year == nil ? 2 : 3)
    } else if let weekday = DayMention.weekdays[DayMention.bare(first)] {
      // `Freitag, 4. Dezember` and `Friday (4 December)` name the day twice.
      let article = second == "den" || second == "dem" || second == "the" ? 1 : 0
      if let exact = DayMention(words.dropFirst(1 + article), today: today), exact.day % 7 == weekday {
        self.init(day: exact.day, length: exact.length + 1 + article)
      } else {
        let distance = ((weekday - today % 7) + 7) % 7
        self.init(day: today + (distance == 0 ? 7 : distance), length: 1)
      }
    } else {
      switch DayMention.bare(first) {
      case "today", "heute", "tonight": self.init(day: today, length: 1)
      case "tomorrow", "morgen": self.init(day: today + 1, length: 1)
      case "übermorgen": self.init(day: today + 2, length: 1)
      default: return nil
      }
    }
  }

  private init(day: Int, length: Int) {
    self.day = day
    self.length = length
  }

  private static func bare(_ word: String) -> String {
    String(word.drop { !$0.isLetter && !$0.isNumber }.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
  }

  /// `30`, `30.`, `30th`, `1st,`.
  private static func dayNumber(_ word: String) -> Int? {
    let text = bare(word)
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count)
    guard digits.count <= 2, ["", "st", "nd", "rd", "th"].contains(rest), let day = Int(digits) else { return nil }
    return (1...31).contains(day) ? day : nil
  }

  private static func year(_ word: String) -> Int? {
    let text = bare(word)
    guard text.count == 4, let year = Int(text), (1970...2100).contains(year) else { return nil }
    return year
  }

  /// `30.11.2026`, `30.11.26`, `30.11.`, `2026-11-30`, `11/30/2026`, `30/11/2026`.
  private static func numeric(_ word: String) -> (year: Int?, month: Int, day: Int)? {
    let text = word.drop { $0 == "(" || $0 == "\"" }
    let body = text.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" || $0 == "/" }
    for separator in [".", "-", "/"] as [Character] where body.contains(separator) {
      let pieces = body.split(separator: separator, omittingEmptySubsequences: false)
      let numbers = pieces.prefix(3).compactMap { Int($0) }
      guard pieces.allSatisfy({ $0.count <= 4 }), numbers.count >= 2 else { return nil }
      let hasYear = numbers.count == 3 && pieces.count <= 4
      if separator == "-" { return hasYear && pieces[0].count == 4 ? (numbers[0], numbers[1], numbers[2]) : nil }
      let year = hasYear ? (numbers[2] < 100 ? 2000 + numbers[2] : numbers[2]) : nil
      if separator == "." {
        // `3.5` is a number; `3.5.` is a day.
        guard hasYear || pieces.count == 3 && pieces[2].isEmpty else { return nil }
        return (year, numbers[1], numbers[0])
      }
      guard hasYear else { return nil }
      return numbers[0] > 12 ? (year, numbers[1], numbers[0]) : (year, numbers[0], numbers[1])
    }
    return nil
  }

  /// Without a year: the next such day, counting the last two months as past.
  private static func resolve(_ year: Int?, _ month: Int, _ day: Int, today: Int) -> Int? {
    func number(_ year: Int) -> Int? {
      MessageDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0, zoneOffset: 0)
        .map { $0.secondsSinceEpoch / 86_400 }
    }
    if let year { return number(year) }
    let current = MessageDate(secondsSinceEpoch: today * 86_400).year
    guard let found = number(current) else { return number(current + 1) }
    return found < today - 60 ? number(current + 1) : found
  }
}
