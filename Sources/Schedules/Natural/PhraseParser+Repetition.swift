extension PhraseParser {
  private static let every: Set<String> = ["jeden", "jede", "jedes", "jeder", "every", "each", "alle", "all"]
  private static let adverbs: [String: PhraseDraft.Repetition] = [
    "täglich": .init(frequency: .day), "daily": .init(frequency: .day), "wöchentlich": .init(frequency: .week),
    "weekly": .init(frequency: .week), "monatlich": .init(frequency: .month), "monthly": .init(frequency: .month),
    "jährlich": .init(frequency: .year), "yearly": .init(frequency: .year), "annually": .init(frequency: .year),
    "stündlich": .init(frequency: .hour), "hourly": .init(frequency: .hour),
    "vierteljährlich": .init(frequency: .month, interval: 3), "quarterly": .init(frequency: .month, interval: 3),
    "quartalsweise": .init(frequency: .month, interval: 3), "halbjährlich": .init(frequency: .month, interval: 6),
    "zweiwöchentlich": .init(frequency: .week, interval: 2), "fortnightly": .init(frequency: .week, interval: 2),
    "biweekly": .init(frequency: .week, interval: 2), "werktags": .init(frequency: .week, weekdays: [1, 2, 3, 4, 5]),
    "wochentags": .init(frequency: .week, weekdays: [1, 2, 3, 4, 5]),
    "wochentagen": .init(frequency: .week, weekdays: [1, 2, 3, 4, 5]),
    "werktagen": .init(frequency: .week, weekdays: [1, 2, 3, 4, 5]),
    "wochenenden": .init(frequency: .week, weekdays: [6, 0]),
    "weekdays": .init(frequency: .week, weekdays: [1, 2, 3, 4, 5]),
    "weekends": .init(frequency: .week, weekdays: [6, 0]),
  ]

  /// Parts of a day that say that it comes each week: `Monday mornings`.
  private static let oftenParts: Set<String> = ["mornings", "afternoons", "evenings", "nights"]

  /// `jeden Montag`, `alle 2 Wochen freitags`, `every weekday`, `daily`, `montags`, `every first Monday of the month` …
  mutating func takeRepetition(_ index: Int) -> Int {
    if draft.repetition != nil { return takeRest(index) }
    guard draft.day == nil else { return 0 }
    let prefix = skip(index, ["am", "an", "on", "immer", "always", "the"])
    let start = index + prefix
    if let known = Self.adverbs[word(start)] {
      draft.repetition = known
      return prefix + 1 + takeDays(start + 1)
    }
    if let (_, _, isPlural) = weekday(start, allowsShort: false),
      isPlural || Self.oftenParts.contains(word(start + 1)) || ["immer", "always"].contains(word(index))
    {
      draft.repetition = .init(frequency: .week)
      return prefix + takeDays(start)
    }
    if let (days, count) = weekdaySpan(start + skip(start, ["from", "von"])) {
      draft.repetition = .init(frequency: .week, weekdays: days)
      return prefix + skip(start, ["from", "von"]) + count
    }
    if let count = takeSpan(start) ?? takeList(start) ?? takeOnce(start) { return prefix + count }
    if word(start) == "letzter" || word(start) == "letzten" || word(start) == "last", let count = takeLastDay(start) {
      return prefix + count
    }
    // 'all day' is how long something takes.
    guard Self.every.contains(word(start)), word(start) != "all" || PhraseWords.units[word(start + 1)] != .day else {
      return 0
    }
    let count = takeEvery(start + 1)
    return count > 0 ? prefix + 1 + count : 0
  }

  /// `Monday to Friday`, `Montag bis Donnerstag`, `Mo bis Fr`.
  func weekdaySpan(_ start: Int) -> (days: [Int], count: Int)? {
    guard let (first, _, isPlural) = weekday(start, allowsShort: true), !isPlural,
      ["bis", "to", "through", "thru", "-", "–"].contains(word(start + 1)),
      let (last, _, _) = weekday(start + 2, allowsShort: true)
    else { return nil }
    return ((0...(last - first + 7) % 7).map { (first + $0) % 7 }, 3)
  }

  /// `Mo-Fr`, `Mon-Fri`.
  private mutating func takeSpan(_ start: Int) -> Int? {
    let ends = word(start).split { $0 == "-" || $0 == "–" }
    let days = ends.compactMap { PhraseWords.shortWeekdays[String($0)] ?? PhraseWords.weekdays[String($0)] }
    guard ends.count == 2, days.count == 2 else { return nil }
    let length = (days[1] - days[0] + 7) % 7
    draft.repetition = .init(frequency: .week, weekdays: (0...length).map { (days[0] + $0) % 7 })
    return 1
  }

  /// `Mo, Mi und Fr`: short weekdays in a list mean each week; they are words of their own too, so the list has to show.
  private mutating func takeList(_ start: Int) -> Int? {
    guard PhraseWords.shortWeekdays[word(start)] != nil else { return nil }
    let link = skip(start + 1, ["und", "and", "&"])
    guard link > 0 || tokens[start].source.hasSuffix(","), PhraseWords.shortWeekdays[word(start + 1 + link)] != nil
    else { return nil }
    draft.repetition = .init(frequency: .week)
    return takeDays(start)
  }

  /// `einmal pro Woche`, `once a month`.
  private mutating func takeOnce(_ start: Int) -> Int? {
    guard ["einmal", "once"].contains(word(start)), ["pro", "im", "a", "per", "am", "each"].contains(word(start + 1)),
      let unit = PhraseWords.units[word(start + 2)], unit != .second, unit != .workday
    else { return nil }
    draft.repetition = .init(frequency: unit)
    return 3
  }

  /// `letzter Tag jedes Monats`, `last day of every month`.
  private mutating func takeLastDay(_ start: Int) -> Int? {
    guard ["tag", "day"].contains(word(start + 1)) else { return nil }
    let next = start + 2 + skip(start + 2, ["of", "in"])
    guard ["jedes", "jeden", "every", "each"].contains(word(next)), PhraseWords.units[word(next + 1)] == .month else {
      return nil
    }
    draft.repetition = .init(frequency: .month, monthDay: -1)
    return next + 2 - start
  }

  /// The words after `every`; also returns their number.
  private mutating func takeEvery(_ start: Int) -> Int {
    var next = start
    var interval = 1
    if ["other", "zweite", "zweiten", "zweiter", "zweites", "second", "2nd", "2."].contains(word(next)),
      PhraseWords.units[word(next + 1)] != nil || weekday(next + 1, allowsShort: false) != nil
    {
      // 'every second Monday of the month' is the second one.
      if weekday(next + 1, allowsShort: false) == nil || !isOfMonth(next + 2) { (interval, next) = (2, next + 1) }
    } else if let number = Digits.number(word(next).utf8)
      ?? (PhraseWords.numbers[word(next)].flatMap { $0 > 1 ? $0 : nil }),
      number >= 1, number <= 10_000, PhraseWords.units[word(next + 1)] != nil
    {
      (interval, next) = (number, next + 1)
    } else if ["dritte", "dritten", "third", "3rd", "3."].contains(word(next)), PhraseWords.units[word(next + 1)] != nil
    {
      (interval, next) = (3, next + 1)
    }
    if let (seconds, count) = takeEveryFraction(next) {
      draft.repetition = .init(frequency: .minute, interval: seconds / 60)
      return next + count - start
    }
    if let (month, day) = PhraseWords.holidays[word(next)] {
      draft.repetition = .init(frequency: .year, interval: interval, monthDay: day, month: month)
      return next + 1 - start
    }
    if ["monatserste", "monatsersten", "monatserster", "monatsletzte", "monatsletzten"].contains(word(next)) {
      draft.repetition = .init(frequency: .month, monthDay: word(next).hasPrefix("monatse") ? 1 : -1)
      return next + 1 - start
    }
    if let count = takeEveryDate(next, interval) { return next + count + takeMoreDays(next + count) - start }
    if let unit = PhraseWords.units[word(next)] {
      draft.repetition = .init(frequency: unit, interval: interval)
      if unit == .workday { draft.repetition = .init(frequency: .week, weekdays: [1, 2, 3, 4, 5]) }
      next += 1
      return next + takeDays(next) - start
    }
    let isBusiness = ["business", "working"].contains(word(next)) && word(next + 1) == "day"
    if ["weekday", "wochentag"].contains(word(next)) || isBusiness {
      draft.repetition = .init(frequency: .week, weekdays: [1, 2, 3, 4, 5])
      return next + (isBusiness ? 2 : 1) - start
    }
    if word(next) == "fortnight" {
      draft.repetition = .init(frequency: .week, interval: 2 * interval)
      return next + 1 + takeDays(next + 1) - start
    }
    if ["quarter", "quartal"].contains(word(next)) {
      draft.repetition = .init(frequency: .month, interval: 3 * interval)
      return next + 1 - start
    }
    if ["weekend", "wochenende"].contains(word(next)) {
      draft.repetition = .init(frequency: .week, interval: interval, weekdays: [6])
      return next + 1 - start
    }
    if let part = word(next) == "morgen" ? .morning : PhraseWords.dayParts[word(next)] {
      draft.repetition = .init(frequency: .day, interval: interval)
      draft.dayPart = part
      return next + 1 - start
    }
    guard weekday(next, allowsShort: true) != nil else { return 0 }
    draft.repetition = .init(frequency: .week, interval: interval)
    let count = takeDays(next)
    return count > 0 ? next + count - start : 0
  }

  /// `halbe Stunde`, `half hour`, `Viertelstunde`, `quarter of an hour`: seconds, and the number of words.
  private func takeEveryFraction(_ start: Int) -> (Int, Int)? {
    let more = skip(start + 1, ["an", "a", "of"])
    let isHour = PhraseWords.units[word(start + 1 + more)] == .hour
    switch word(start) {
    case "half", "halbe", "halben": return isHour ? (1800, 2 + more) : nil
    case "quarter", "viertel": return isHour ? (900, 2 + more) : nil
    case "viertelstunde": return (900, 1)
    default: return nil
    }
  }

  /// `und 15.` behind a day of the month.
  private mutating func takeMoreDays(_ start: Int) -> Int {
    guard let known = draft.repetition, known.frequency == .month, known.monthDay != nil else { return 0 }
    var end = start
    while case let next = end + skip(end, ["und", "and", ",", "&", "am", "on", "the"]),
      next > end
        || end > 0 && tokens.indices.contains(end - 1) && tokens[end - 1].source.hasSuffix(","),
      let day = ordinal(next), day > 0, weekday(next + 1, allowsShort: false) == nil, month(next + 1) == nil
    {
      draft.repetition?.moreMonthDays.append(day)
      end = next + 1
    }
    return end - start
  }

  /// `außer Sonntag`, `except on weekends` behind `every day`.
  private mutating func takeExceptions(_ index: Int) -> Int {
    guard ["außer", "except"].contains(word(index)), let known = draft.repetition, known.frequency == .day,
      known.interval == 1
    else { return 0 }
    var (left, next) = (Set(0...6), index + 1)
    while true {
      let link = skip(next, ["am", "an", "on", "und", "and", "oder", "or", ","])
      if ["weekends", "wochenende", "wochenenden"].contains(word(next + link)) {
        left.subtract([0, 6])
      } else if let (day, _, _) = weekday(next + link, allowsShort: true) {
        left.remove(day)
      } else {
        break
      }
      next += link + 1
    }
    guard left.count < 7, !left.isEmpty else { return 0 }
    draft.repetition = .init(frequency: .week, weekdays: left.sorted())
    return next - index
  }

  private func isOfMonth(_ index: Int) -> Bool {
    let links = skip(index, ["of", "the", "im", "in", "des", "jedes", "each", "every", "jeden"])
    return links > 0 && PhraseWords.units[word(index + links)] == .month
  }

  /// `first Monday of the month`, `1. (des Monats)`, `3. Mai`, `May 3`, `letzten Tag im Monat`.
  private mutating func takeEveryDate(_ start: Int, _ interval: Int) -> Int? {
    if let number = ordinal(start), number <= 5, let (day, _, _) = weekday(start + 1, allowsShort: false),
      isOfMonth(start + 2)
    {
      draft.repetition = .init(frequency: .month, interval: interval, weekdays: [day], ordinal: number)
      return 3 + skip(start + 2, ["of", "the", "im", "in", "des", "jedes", "each", "every", "jeden"])
    }
    if ordinal(start) == 0, ["tag", "day"].contains(word(start + 1)), isOfMonth(start + 2) {
      draft.repetition = .init(frequency: .month, interval: interval, monthDay: -1)
      return 3 + skip(start + 2, ["of", "the", "im", "in", "des", "jedes", "each", "every", "jeden"])
    }
    if let month = month(start), let day = ordinal(start + 1) ?? Digits.number(word(start + 1).utf8),
      (1...31).contains(day)
    {
      draft.repetition = .init(frequency: .year, interval: interval, monthDay: day, month: month)
      return 2
    }
    if let (month, day, count) = monthAndDay(start) {
      draft.repetition = .init(frequency: .year, interval: interval, monthDay: day, month: month)
      return count
    }
    guard let day = ordinal(start), day > 0, weekday(start + 1, allowsShort: false) == nil,
      PhraseWords.units[word(start + 1)] == nil
    else { return nil }
    let of = skip(start + 1, ["of"])
    if let month = month(start + 1 + of) {
      draft.repetition = .init(frequency: .year, interval: interval, monthDay: day, month: month)
      return 2 + of
    }
    draft.repetition = .init(frequency: .month, interval: interval, monthDay: day)
    return 1
      + (isOfMonth(start + 1) ? 1 + skip(start + 1, ["of", "the", "im", "in", "des", "jedes", "each", "every"]) : 0)
  }

  /// Weekdays of a repetition: `am Montag und Donnerstag`, `freitags`, `on Mon, Wed and Fri`, `montags bis freitags`.
  private mutating func takeDays(_ start: Int) -> Int {
    var next = start
    var end = start
    var isSpan = false
    while true {
      next += skip(next, next == start ? ["am", "on", "jeweils"] : ["und", "and", "am", "on", ",", "&"])
      if ["bis", "to", "through", "-"].contains(word(next)), end > start {
        isSpan = true
        next += 1
      }
      guard let (day, part, _) = weekday(next, allowsShort: true), draft.repetition?.frequency == .week else { break }
      if isSpan, let first = draft.repetition?.weekdays.last {
        var between = (first + 1) % 7
        while between != day {
          draft.repetition?.weekdays.append(between)
          between = (between + 1) % 7
        }
        isSpan = false
      }
      if draft.repetition?.weekdays.contains(day) == false { draft.repetition?.weekdays.append(day) }
      draft.dayPart = part ?? draft.dayPart
      next += 1
      end = next
    }
    // 'jeden Sonntag Abend', 'every Sunday evening'
    if end > start, draft.dayPart == nil, draft.time == nil,
      let part = word(end) == "morgen" ? .morning : PhraseWords.dayParts[word(end)]
    {
      draft.dayPart = part
      end += 1
    }
    return end - start
  }

  /// Later words of a repetition: its weekdays or the day of the month.
  private mutating func takeRest(_ index: Int) -> Int {
    guard let repetition = draft.repetition else { return 0 }
    if repetition.frequency == .week, repetition.weekdays.isEmpty { return takeDays(index) }
    // 'every Friday the 13th'
    if repetition.frequency == .week, repetition.interval == 1, repetition.weekdays.count == 1,
      ["den", "der", "the"].contains(word(index)), let day = ordinal(index + 1), day > 0
    {
      draft.repetition = .init(frequency: .month, weekdays: repetition.weekdays, monthDay: day)
      return 2
    }
    if case let count = takeExceptions(index), count > 0 { return count }
    // 'alle 14 Tage montags'
    if repetition.frequency == .day, repetition.interval % 7 == 0, repetition.weekdays.isEmpty {
      draft.repetition = .init(frequency: .week, interval: repetition.interval / 7)
      if case let count = takeDays(index), count > 0 { return count }
      draft.repetition = repetition
    }
    let prefix = skip(index, ["am", "on", "the", "jeweils", "zu", "an", "at"])
    if repetition.frequency == .year, repetition.monthDay == nil,
      let (month, day) = PhraseWords.holidays[word(index + prefix)]
    {
      draft.repetition?.month = month
      draft.repetition?.monthDay = day
      return prefix + 1
    }
    if ["zu", "an", "at"].contains(word(index)) { return 0 }
    if repetition.frequency == .year, repetition.monthDay == nil, let (month, day, count) = monthAndDay(index + prefix)
    {
      draft.repetition?.month = month
      draft.repetition?.monthDay = day
      return prefix + count
    }
    guard repetition.frequency == .month, repetition.monthDay == nil, repetition.weekdays.isEmpty else { return 0 }
    guard prefix > 0 else { return 0 }
    if let number = ordinal(index + prefix), number <= 4,
      let (day, _, _) = weekday(index + prefix + 1, allowsShort: false)
    {
      draft.repetition?.ordinal = number
      draft.repetition?.weekdays = [day]
      return prefix + 2
    }
    if ordinal(index + prefix) == 0, ["tag", "day"].contains(word(index + prefix + 1)) {
      draft.repetition?.monthDay = -1
      return prefix + 2
    }
    guard let day = ordinal(index + prefix), day > 0 else { return 0 }
    draft.repetition?.monthDay = day
    return prefix + 1 + takeMoreDays(index + prefix + 1)
  }
}
