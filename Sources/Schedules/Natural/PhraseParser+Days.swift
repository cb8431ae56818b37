extension PhraseParser {
  private static let dayPrefixes: Set<String> = [
    "am", "an", "on", "the", "den", "dem", "der", "zum", "bis", "by", "due",
  ]
  private static let links: Set<String> = ["of", "des", "im", "in", "the", "vom", "jedes", "dieses"]

  /// `heute`, `tomorrow`, `day after tomorrow`, `next week`, `Ende des Monats`, `Silvester` …
  mutating func takeRelativeDay(_ index: Int) -> Int {
    if word(index) == "close", word(index + 1) == "of", word(index + 2) == "business", draft.dayPart == nil {
      draft.dayPart = .closing
      return 3
    }
    guard draft.day == nil, draft.repetition == nil else { return 0 }
    if let count = takeMonthAlone(index) { return count }
    let prefix = skip(index, Self.dayPrefixes.union(["zu", "at"]))
    let start = index + prefix
    if let count = takeNamedDay(start) { return prefix + count }
    if let count = takeEdge(start) { return prefix + count }
    return takeNextPeriod(start).map { prefix + $0 } ?? 0
  }

  /// `im April`, `in March`: its first day.
  private mutating func takeMonthAlone(_ index: Int) -> Int? {
    let isNext = ["nächsten", "next"].contains(word(index + 1))
    guard ["im", "in"].contains(word(index)), let month = month(index + (isNext ? 2 : 1)) else { return nil }
    let end = index + (isNext ? 3 : 2)
    draft.day = .date(year: year(end), month: month, day: 1)
    return end + (year(end) == nil ? 0 : 1) - index
  }

  /// `ab morgen`, `from Monday`, `starting on 1 December`: the day from which something repeats.
  mutating func takeBegin(_ index: Int) -> Int {
    guard draft.begin == nil, draft.day == nil,
      ["ab", "from", "starting", "beginning", "beginnend"].contains(word(index))
    else { return 0 }
    let start = index + 1 + skip(index + 1, ["dem", "den", "on", "from", "am"])
    guard weekdaySpan(start) == nil else { return 0 }
    var other = self
    other.draft = PhraseDraft()
    var count = other.takeDate(start - (start > index + 1 ? 1 : 0))
    if count > 0, start > index + 1 { count -= 1 }
    if count == 0 { count = other.takeRelativeDay(start) }
    if count == 0 { count = other.takeWeekday(start) }
    guard count > 0, let day = other.draft.day else { return 0 }
    draft.begin = day
    draft.dayPart = draft.dayPart ?? other.draft.dayPart
    return start + count - index
  }

  private mutating func takeNamedDay(_ index: Int) -> Int? {
    let (first, second, third) = (word(index), word(index + 1), word(index + 2))
    switch first {
    case "heute", "heut", "today":
      draft.day = .offset(second == "week" ? 7 : 0)
      return second == "week" ? 2 : 1
    case "tonight":
      draft.day = .offset(0)
      draft.dayPart = .evening
    case "this" where PhraseWords.dayParts[second] != nil: draft.day = .offset(0)
    // 'den Morgen planen' speaks of the noun.
    case "morgen" where word(index - 1) == "den" && tokens[index].source.first?.isUppercase == true: return nil
    case "tomorrow", "morgen", "tmrw":
      draft.day = .offset(second == "week" ? 8 : 1)
      return second == "week" ? 2 : 1
    case "übermorgen": draft.day = .offset(2)
    case "day" where second == "after" && third == "tomorrow":
      draft.day = .offset(2)
      return 3
    case "christmas" where ["eve", "day"].contains(second):
      draft.day = .date(year: nil, month: 12, day: second == "eve" ? 24 : 25)
      return 2
    case "boxing" where second == "day":
      draft.day = .date(year: nil, month: 12, day: 26)
      return 2
    case "thanksgiving": draft.day = .numbered(4, weekday: 4, months: nil, month: 11)
    case "new" where ["year's", "years", "year’s"].contains(second) && ["eve", "day"].contains(third):
      draft.day = .date(year: nil, month: third == "eve" ? 12 : 1, day: third == "eve" ? 31 : 1)
      return 3
    default:
      if let (month, day) = PhraseWords.holidays[first] {
        draft.day = .date(year: year(index + 1), month: month, day: day)
        return year(index + 1) == nil ? 1 : 2
      }
      if first == "good" && second == "friday" || first == "easter" && ["monday", "sunday"].contains(second) {
        draft.day = .feast(first == "good" ? -2 : second == "monday" ? 1 : 0)
        return 2
      }
      guard let distance = PhraseWords.feasts[first] else { return nil }
      draft.day = .feast(distance)
    }
    return 1
  }

  /// `Ende des Monats`, `end of next month`, `Anfang Mai`, `letzter Tag des Monats`, `Mitte der Woche`.
  private mutating func takeEdge(_ index: Int) -> Int? {
    let first = word(index)
    var next = index + 1
    let edge: Int
    switch first {
    case "end" where word(index + 1) == "of" && PhraseWords.units[word(index + 2 + skip(index + 2, ["the"]))] == .day:
      draft.dayPart = draft.dayPart ?? .closing
      return 3 + skip(index + 2, ["the"])
    case "ende", "end", "monatsende", "monatsletzten", "monatsletzter", "jahresende": edge = 0
    case "anfang", "beginning", "start", "monatsanfang", "monatsersten", "monatserster": edge = 1
    case "mitte", "middle", "mid": edge = 15
    case "mid-january", "mid-february", "mid-march", "mid-april", "mid-may", "mid-june", "mid-july", "mid-august",
      "mid-september", "mid-october", "mid-november", "mid-december":
      draft.day = .date(year: year(next), month: PhraseWords.months[String(first.dropFirst(4))] ?? 1, day: 15)
      return year(next) == nil ? 1 : 2
    case "letzter", "letzten", "last", "erster", "ersten", "first":
      guard ["tag", "day"].contains(word(next)) else { return nil }
      edge = first.hasPrefix("l") ? 0 : 1
      next += 1
    default: return nil
    }
    if first.hasPrefix("monats") {
      draft.day = .dayInMonth(edge, months: 0)
      return 1
    }
    if first == "jahresende" {
      draft.day = .endOfYear(0)
      return 1
    }
    next += skip(next, Self.links.union(["this", "diesen", "der"]))
    let isNext = ["next", "nächsten", "nächstes", "nächster", "kommenden"].contains(word(next))
    if isNext { next += 1 }
    if let month = month(next) {
      let day = edge == 0 ? Civil.length(2026, month) : edge
      draft.day = .date(year: year(next + 1), month: month, day: day)
      return next + (year(next + 1) == nil ? 1 : 2) - index
    }
    switch PhraseWords.units[word(next)] {
    case .month: draft.day = .dayInMonth(edge, months: isNext ? 1 : 0)
    case .week: draft.day = .weekdayOfWeek(edge == 0 ? 5 : edge == 1 ? 1 : 3, weeks: isNext ? 1 : 0)
    case .year where edge == 0: draft.day = .endOfYear(isNext ? 1 : 0)
    case .year where edge == 1: draft.day = .startOfYear(isNext ? 1 : 0)
    default: return nil
    }
    return next + 1 - index
  }

  /// `next week`, `nächsten Monat`, `this weekend`, `am Wochenende`.
  private mutating func takeNextPeriod(_ index: Int) -> Int? {
    var next = index + (word(index) == "in" && ["der", "the"].contains(word(index + 1)) ? 2 : 0)
    let isAfterNext =
      ["übernächste", "übernächsten", "übernächster"].contains(word(next)) && PhraseWords.units[word(next + 1)] == .week
    let isNext =
      isAfterNext
      || ["next", "nächste", "nächsten", "nächstes", "nächster", "kommende", "kommendes", "kommenden"].contains(
        word(next))
    let weeks = isAfterNext ? 2 : 1
    let isThis = ["this", "diese", "dieses", "diesen", "dieser"].contains(word(next))
    if isNext || isThis { next += 1 }
    if isThis, PhraseWords.units[word(next)] == .week {
      let between = skip(next + 1, ["am", "on"])
      guard let (day, part, _) = weekday(next + 1 + between, allowsShort: true) else { return nil }
      draft.day = .weekdayOfThisWeek(day)
      draft.dayPart = part ?? draft.dayPart
      return next + 2 + between - index
    }
    if ["weekend", "wochenende"].contains(word(next)) {
      draft.day = isNext ? .nextWeekday(6) : .weekday(6)
      return next + 1 - index
    }
    guard isNext, let unit = PhraseWords.units[word(next)] else { return nil }
    switch unit {
    case .week:
      // 'nächste Woche Dienstag' names its day.
      let between = skip(next + 1, ["am", "on"])
      if let (day, part, _) = weekday(next + 1 + between, allowsShort: true) {
        draft.day = .weekdayOfWeek(day, weeks: weeks)
        draft.dayPart = part ?? draft.dayPart
        return next + 2 + between - index
      }
      draft.day = .weekdayOfWeek(1, weeks: weeks)
    case .month:
      let between = skip(next + 1, ["am", "on", "the", "den"])
      if between > 0, let day = ordinal(next + 1 + between), day > 0 {
        draft.day = .dayInMonth(day, months: 1)
        return next + 2 + between - index
      }
      draft.day = .dayInMonth(1, months: 1)
    case .year: draft.day = .startOfYear(1)
    default: return nil
    }
    return next + 1 - index
  }

  /// `am Freitag`, `next Tuesday`, `Freitagabend`, `Tuesday next week`, `Montag in einer Woche`.
  mutating func takeWeekday(_ index: Int) -> Int {
    guard draft.day == nil, draft.repetition == nil else { return 0 }
    var next = index + skip(index, ["am", "on", "den", "the", "bis", "by", "zum", "until", "spätestens"])
    let modifier = word(next)
    let isModified = [
      "next", "nächsten", "nächster", "nächste", "this", "diesen", "dieser", "kommenden", "kommender", "coming",
      "übernächsten",
    ].contains(modifier)
    if isModified { next += 1 }
    // 'Do um 9', 'Sa 10 Uhr': words of their own too, so a time has to follow.
    let isShort =
      next > index || Self.clock(word(next + 1)) != nil
      || number(next + 1) != nil && word(next + 2) == "uhr"
      || ["mo", "di", "mi", "do", "fr", "sa"].contains(word(next)) && word(next + 1) == "um"
      || ["mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri"].contains(word(next)) && word(next + 1) == "at"
    guard let (day, part, _) = weekday(next, allowsShort: isShort) else { return 0 }
    // 'Friday, 27 November': the date says which.
    let between = next + 1 + skip(next + 1, ["den", "the", "der", "dem"])
    if !isModified, monthAndDay(between) != nil || Self.numericDate(word(between)) != nil {
      draft.statedWeekday = day
      return next + 1 - index
    }
    if !isModified, draft.isDeltaLed, let delta = draft.delta, delta == .init(days: delta.days), delta.days > 0,
      delta.days % 7 == 0
    {
      draft.day = .weekdayOfWeek(day, weeks: delta.days / 7)
      draft.dayPart = part ?? draft.dayPart
      draft.delta = nil
      return next + 1 - index
    }
    switch modifier {
    case "next", "nächsten", "nächster", "nächste": draft.day = .nextWeekday(day)
    case "übernächsten": draft.day = .weekdayOfWeek(day, weeks: 2)
    default: draft.day = .weekday(day)
    }
    draft.dayPart = part ?? draft.dayPart
    next += 1
    if word(next) == "week", draft.delta == nil {
      draft.delta = .init(days: 7)
      next += 1
    }
    let following = skip(next, ["der", "of"])
    if ["next", "nächste", "nächster", "kommender"].contains(word(next + following)),
      PhraseWords.units[word(next + following + 1)] == .week
    {
      draft.day = .weekdayOfWeek(day, weeks: 1)
      next += following + 2
    }
    return next - index
  }

  /// `the first Monday of next month`, `letzter Freitag im Mai`.
  mutating func takeNumberedDay(_ index: Int) -> Int {
    guard draft.day == nil, draft.repetition == nil else { return 0 }
    var next = index + skip(index, Self.dayPrefixes)
    guard let number = ordinal(next), number <= 5, let (day, _, _) = weekday(next + 1, allowsShort: false) else {
      return 0
    }
    next += 2
    let links = skip(next, Self.links)
    guard links > 0 else { return 0 }
    next += links
    if word(next - 1) == "jedes" || ["jedem", "every", "each"].contains(word(next)) {
      next += ["jedem", "every", "each"].contains(word(next)) ? 1 : 0
      guard PhraseWords.units[word(next)] == .month else { return 0 }
      draft.repetition = .init(frequency: .month, weekdays: [day], ordinal: number)
      return next + 1 - index
    }
    // A month need not have a fifth one.
    guard number <= 4 else { return 0 }
    if let month = month(next) {
      draft.day = .numbered(number, weekday: day, months: nil, month: month)
      return next + 1 - index
    }
    let isNext = ["next", "nächsten", "kommenden"].contains(word(next))
    if isNext || ["this", "diesem"].contains(word(next)) { next += 1 }
    guard PhraseWords.units[word(next)] == .month else { return 0 }
    draft.day = .numbered(number, weekday: day, months: isNext ? 1 : 0, month: nil)
    return next + 1 - index
  }

  // MARK: Dates

  /// `am 3. Mai 2027`, `May 3rd`, `2027-05-03`, `3.5.`, `03/04`, `am 15.`, `on the 1st of each month`.
  mutating func takeDate(_ index: Int) -> Int {
    guard draft.day == nil, draft.repetition == nil else { return 0 }
    let prefix = skip(index, Self.dayPrefixes)
    let start = index + prefix
    if let day = Self.numericDate(word(start)) ?? (prefix > 0 ? Self.numericDate(word(start) + ".") : nil) {
      draft.day = day
      return prefix + 1
    }
    // '2026-12-24T18:00'
    if draft.time == nil, word(start).utf8.count >= 16, let iso = LocalTime(iso: word(start).uppercased()) {
      let (year, month, day) = iso.date
      draft.day = .date(year: year, month: month, day: day)
      draft.time = .init(hour: iso.timeOfDay / 3600, minute: iso.timeOfDay / 60 % 60)
      return prefix + 1
    }
    if let count = takeMonthDate(start) ?? takeChristmas(start) { return prefix + count }
    let isOfEach = word(start + 1) == "of" && ["every", "each"].contains(word(start + 2)) || word(start + 1) == "jedes"
    guard prefix > 0 || isOfEach, let number = ordinal(start), number > 0 else { return 0 }
    if let count = takeDaysOfMonth(start) { return prefix + count }
    return takeDayOfMonth(number, start + 1).map { prefix + 1 + $0 } ?? 0
  }

  /// `erster Weihnachtstag`, `2. Weihnachtsfeiertag`.
  private mutating func takeChristmas(_ start: Int) -> Int? {
    guard ["weihnachtstag", "weihnachtsfeiertag"].contains(word(start + 1)), let number = ordinal(start),
      (1...2).contains(number)
    else { return nil }
    draft.day = .date(year: year(start + 2), month: 12, day: 24 + number)
    return year(start + 2) == nil ? 2 : 3
  }

  /// `3. Mai 2027`, `3 May`, `May 3rd, 2027`, with what repeats it.
  private mutating func takeMonthDate(_ start: Int) -> Int? {
    guard let date = monthAndDay(start) else { return nil }
    var next = start + date.count
    let year = year(next)
    if year != nil { next += 1 }
    draft.day = .date(year: year, month: date.month, day: date.day)
    if ["jedes", "every", "each"].contains(word(next)), PhraseWords.units[word(next + 1)] == .year {
      draft.repetition = .init(frequency: .year, monthDay: date.day, month: date.month)
      draft.day = nil
      next += 2
    }
    return next - start
  }

  /// `3. Mai`, `3rd of May`, `May 3`, with the number of words.
  func monthAndDay(_ start: Int) -> (month: Int, day: Int, count: Int)? {
    let days = 1...31
    let of = skip(start + 1, ["of"])
    if let day = ordinal(start) ?? Digits.number(word(start).utf8), days.contains(day),
      let month = month(start + 1 + of)
    {
      return (month, day, 2 + of)
    }
    guard let month = month(start), let day = ordinal(start + 1) ?? Digits.number(word(start + 1).utf8),
      days.contains(day)
    else { return nil }
    return (month, day, 2)
  }

  /// `1. und 15. jedes Monats`.
  private mutating func takeDaysOfMonth(_ start: Int) -> Int? {
    var days: [Int] = []
    var next = start
    while let day = ordinal(next), day > 0 {
      days.append(day)
      next += 1
      let link = skip(next, ["und", "and", "am", "&", "the"])
      guard ordinal(next + link) != nil else { break }
      next += link
    }
    next += skip(next, ["of", "im", "in"])
    guard days.count > 1, ["jedes", "jeden", "every", "each"].contains(word(next)),
      PhraseWords.units[word(next + 1)] == .month
    else { return nil }
    draft.repetition = .init(frequency: .month, monthDay: days[0], moreMonthDays: Array(days.dropFirst()))
    return next + 2 - start
  }

  /// The words after `am 15.`: nothing, `des Monats`, `of next month`, `jedes Monats`.
  private mutating func takeDayOfMonth(_ day: Int, _ start: Int) -> Int? {
    var next = start
    let isEach = { (word: String) in ["jedes", "jeden", "every", "each"].contains(word) }
    next += skip(next, ["of", "im", "in", "des", "the", "dieses", "this"])
    if isEach(word(next)), PhraseWords.units[word(next + 1)] == .month {
      draft.repetition = .init(frequency: .month, monthDay: day)
      return next + 2 - start
    }
    let isNext = ["next", "nächsten", "kommenden"].contains(word(next))
    if PhraseWords.units[word(isNext ? next + 1 : next)] == .month, next > start || isNext {
      draft.day = isNext ? .dayInMonth(day, months: 1) : .dayOfMonth(day)
      return next + (isNext ? 2 : 1) - start
    }
    guard next == start else { return nil }
    draft.day = .dayOfMonth(day)
    return 0
  }

  /// A date in digits.
  static func numericDate(_ text: String) -> PhraseDraft.Day? {
    if text.utf8.count == 10, let iso = LocalTime(iso: text.replacing("/", with: "-")) {
      let (year, month, day) = iso.date
      return .date(year: year, month: month, day: day)
    }
    for separator in [".", "/"] as [Character] where text.contains(separator) {
      let parts = text.split(separator: separator, omittingEmptySubsequences: true)
      let numbers = parts.compactMap { Digits.number($0.utf8) }
      guard numbers.count == parts.count, (2...3).contains(numbers.count), numbers[0] >= 1, numbers[0] <= 31,
        numbers[1] >= 1, numbers[1] <= 31
      else { return nil }
      let year = numbers.count == 3 ? (numbers[2] < 100 ? 2000 + numbers[2] : numbers[2]) : nil
      if separator == "." {
        // '9.30' is a time; a date ends with a point or has a year.
        guard numbers[1] <= 12, text.hasSuffix(".") || year != nil else { return nil }
        return .date(year: year, month: numbers[1], day: numbers[0])
      }
      switch (numbers[0] <= 12, numbers[1] <= 12) {
      case (true, true):
        return numbers[0] == numbers[1]
          ? .date(year: year, month: numbers[0], day: numbers[1]) : .either(year: year, numbers[0], numbers[1])
      case (true, false): return .date(year: year, month: numbers[0], day: numbers[1])
      case (false, true): return .date(year: year, month: numbers[1], day: numbers[0])
      case (false, false): return nil
      }
    }
    return nil
  }
}
