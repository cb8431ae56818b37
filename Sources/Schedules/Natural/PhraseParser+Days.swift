extension PhraseParser {
  private static let dayPrefixes: Set<String> = [
    "am", "an", "on", "the", "den", "dem", "der", "zum", "bis", "by", "due",
  ]
  private static let links: Set<String> = ["of", "des", "im", "in", "the", "vom", "jedes", "dieses"]

  /// `heute`, `tomorrow`, `day after tomorrow`, `next week`, `Ende des Monats`, `Silvester` …
  mutating func takeRelativeDay(_ index: Int) -> Int {
    guard draft.day == nil, draft.repetition == nil else { return 0 }
    let prefix = skip(index, Self.dayPrefixes.union(["zu", "at"]))
    let start = index + prefix
    if let count = takeNamedDay(start) { return prefix + count }
    if let count = takeEdge(start) { return prefix + count }
    return takeNextPeriod(start).map { prefix + $0 } ?? 0
  }

  private mutating func takeNamedDay(_ index: Int) -> Int? {
    let (first, second, third) = (word(index), word(index + 1), word(index + 2))
    switch first {
    case "heute", "today": draft.day = .offset(0)
    case "tonight":
      draft.day = .offset(0)
      draft.dayPart = .evening
    case "this" where PhraseWords.dayParts[second] != nil: draft.day = .offset(0)
    case "tomorrow", "morgen", "tmrw": draft.day = .offset(1)
    case "übermorgen": draft.day = .offset(2)
    case "day" where second == "after" && third == "tomorrow":
      draft.day = .offset(2)
      return 3
    case "christmas" where second == "eve":
      draft.day = .date(year: nil, month: 12, day: 24)
      return 2
    case "new" where ["year's", "years", "year’s"].contains(second) && ["eve", "day"].contains(third):
      draft.day = .date(year: nil, month: third == "eve" ? 12 : 1, day: third == "eve" ? 31 : 1)
      return 3
    default:
      if let (month, day) = PhraseWords.holidays[first] {
        draft.day = .date(year: year(index + 1), month: month, day: day)
        return year(index + 1) == nil ? 1 : 2
      }
      if first == "good" && second == "friday" || first == "easter" && second == "monday" {
        draft.day = .feast(first == "good" ? -2 : 1)
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
    case "ende", "end", "monatsende", "jahresende": edge = 0
    case "anfang", "beginning", "start", "monatsanfang": edge = 1
    case "mitte", "middle": edge = 15
    case "letzter", "letzten", "last", "erster", "ersten", "first":
      guard ["tag", "day"].contains(word(next)) else { return nil }
      edge = first.hasPrefix("l") ? 0 : 1
      next += 1
    default: return nil
    }
    if first == "monatsende" || first == "monatsanfang" {
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
    default: return nil
    }
    return next + 1 - index
  }

  /// `next week`, `nächsten Monat`, `this weekend`, `am Wochenende`.
  private mutating func takeNextPeriod(_ index: Int) -> Int? {
    var next = index
    let isNext = ["next", "nächste", "nächsten", "nächstes", "nächster", "kommende", "kommendes", "kommenden"]
      .contains(word(next))
    if isNext || ["this", "diese", "dieses", "diesen"].contains(word(next)) { next += 1 }
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
        draft.day = .weekdayOfWeek(day, weeks: 1)
        draft.dayPart = part ?? draft.dayPart
        return next + 2 + between - index
      }
      draft.day = .weekdayOfWeek(1, weeks: 1)
    case .month: draft.day = .dayInMonth(1, months: 1)
    case .year: draft.day = .startOfYear(1)
    default: return nil
    }
    return next + 1 - index
  }

  /// `am Freitag`, `next Tuesday`, `Freitagabend`, `Tuesday next week`, `Montag in einer Woche`.
  mutating func takeWeekday(_ index: Int) -> Int {
    guard draft.day == nil, draft.repetition == nil else { return 0 }
    var next = index + skip(index, ["am", "on", "den", "the", "bis", "by", "zum"])
    let modifier = word(next)
    let isModified = [
      "next", "nächsten", "nächster", "nächste", "this", "diesen", "dieser", "kommenden", "kommender", "coming",
      "übernächsten",
    ].contains(modifier)
    if isModified { next += 1 }
    let isShort = next > index || Self.clock(word(next + 1)) != nil
    guard let (day, part, _) = weekday(next, allowsShort: isShort) else { return 0 }
    switch modifier {
    case "next", "nächsten", "nächster", "nächste": draft.day = .nextWeekday(day)
    case "übernächsten": draft.day = .weekdayOfWeek(day, weeks: 2)
    default: draft.day = .weekday(day)
    }
    draft.dayPart = part ?? draft.dayPart
    next += 1
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
    guard let number = ordinal(next), number <= 4, let (day, _, _) = weekday(next + 1, allowsShort: false) else {
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
    if let day = Self.numericDate(word(start)) {
      draft.day = day
      return prefix + 1
    }
    if let count = takeMonthDate(start) { return prefix + count }
    guard prefix > 0, let number = ordinal(start), number > 0 else { return 0 }
    return takeDayOfMonth(number, start + 1).map { prefix + 1 + $0 } ?? 0
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

  /// What follows `am 15.`: nothing, `des Monats`, `of next month`, `jedes Monats`.
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
    if text.utf8.count == 10, let iso = LocalTime(iso: text) {
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
