extension PhraseParser {
  private static let timePrefixes: Set<String> = ["um", "at", "gegen", "ab", "about", "around", "from", "@", "punkt"]

  /// `um 9`, `9:30`, `5pm`, `halb neun`, `viertel nach 8`, `half past 8`, `17 Uhr 30`, `at noon`.
  mutating func takeTime(_ index: Int) -> Int {
    guard draft.time == nil else { return 0 }
    // 'by 5pm' and 'bis 17 Uhr' say when one single thing is due.
    let isDue = draft.repetition == nil && ["by", "bis", "due"].contains(word(index))
    let prefix = (isDue ? 1 : 0) + skip(index + (isDue ? 1 : 0), Self.timePrefixes)
    let start = index + prefix
    if let (time, count) = timeRange(index) {
      draft.time = time
      return count
    }
    if let (time, count) = relativeTime(start) ?? clockTime(start, hasPrefix: prefix > 0) ?? militaryTime(start, index)
    {
      draft.time = time
      let half = takeHalf(start + count)
      let end = start + count + half
      return end - index + takeMoreTimes(end) + skipEnd(end)
    }
    guard prefix > 0, let part = PhraseWords.dayParts[word(start)] else { return 0 }
    draft.dayPart = part
    return prefix + 1
  }

  /// `15-16 Uhr`, `von 15 bis 16 Uhr`, `9:00-10:30`: its beginning.
  private func timeRange(_ index: Int) -> (PhraseDraft.Time, Int)? {
    let start = index + skip(index, ["von", "from", "um", "at"])
    let ends = word(start).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }.map(String.init)
    if ends.count == 2 {
      let isUhr = word(start + 1) == "uhr"
      let hours = ends.map { Self.clock($0) ?? (isUhr ? Self.clock($0 + "h") : nil) }
      guard let begin = hours[0], hours[1] != nil else { return nil }
      return (begin, start - index + (isUhr ? 2 : 1))
    }
    guard ["von", "from"].contains(word(index)), let (time, count) = clockTime(start, hasPrefix: true),
      case let link = start + count, ["bis", "to", "until"].contains(word(link)),
      let (end, length) = clockTime(link + 1, hasPrefix: true)
    else { return nil }
    // '3 bis 4 Uhr' and '15 bis 16 Uhr' are times of day as they are written.
    var begin = time
    if !end.isOpen { begin.isOpen = false }
    return (begin, link + 1 + length - index)
  }

  /// `to 4pm`, `bis 16 Uhr` behind a time: how long it takes is not kept.
  private func skipEnd(_ index: Int) -> Int {
    guard ["bis", "to", "until", "-", "–"].contains(word(index)),
      let (_, count) = clockTime(index + 1, hasPrefix: word(index + 1).contains(":") || word(index + 2) == "uhr")
    else { return 0 }
    return 1 + count
  }

  /// `at 1900`.
  private func militaryTime(_ start: Int, _ index: Int) -> (PhraseDraft.Time, Int)? {
    let text = word(start).utf8
    guard word(index) == "at", text.count == 4, let number = Digits.number(text), number / 100 < 24, number % 100 < 60
    else { return nil }
    return (.init(hour: number / 100, minute: number % 100), 1 + skip(start + 1, ["hrs", "hours"]))
  }

  /// `und 17 Uhr`, `and at 5pm` behind the time of what repeats.
  private mutating func takeMoreTimes(_ start: Int) -> Int {
    guard draft.repetition != nil else { return 0 }
    var end = start
    while true {
      let link = skip(end, ["und", "and", ",", "&"])
      guard link > 0 || end > 0 && tokens.indices.contains(end - 1) && tokens[end - 1].source.hasSuffix(","),
        case let next = end + link + skip(end + link, Self.timePrefixes),
        let (time, count) = relativeTime(next) ?? clockTime(next, hasPrefix: true)
      else { return end - start }
      draft.moreTimes.append(time)
      end = next + count
    }
  }

  /// `in the morning`, `abends`, `pm` behind an hour, which say the half of the day.
  private mutating func takeHalf(_ index: Int) -> Int {
    guard var time = draft.time else { return 0 }
    // 'half past 7 pm'; a clock's own has been read with it.
    let half = word(index).filter { $0 != "." }
    let isAtEnd = index + 1 == tokens.count || ["on", "today", "tomorrow"].contains(word(index + 1))
    if time.isOpen, half == "pm" || half == "am" && isAtEnd {
      time.hour = time.hour % 12 + (half == "pm" ? 12 : 0)
      time.isOpen = false
      draft.time = time
      return 1
    }
    let prefix = skip(index, ["in", "the", "am", "at"])
    let text = word(index + prefix)
    guard let part = PhraseWords.dayParts[text] ?? (text == "morgen" && prefix > 0 ? .morning : nil), part != .noon
    else {
      return 0
    }
    switch part {
    case .morning, .forenoon: break
    case .afternoon, .evening, .closing: if time.hour < 12 { time.hour += 12 }
    case .night: if time.hour >= 6, time.hour < 12 { time.hour += 12 }
    case .noon, .midnight: break
    }
    time.isOpen = false
    draft.time = time
    return prefix + 1
  }

  /// `halb neun`, `viertel nach 8`, `10 vor 9`, `half past 8`, `quarter to 9`.
  private func relativeTime(_ start: Int) -> (PhraseDraft.Time, Int)? {
    if word(start) == "halb", let hour = number(start + 1), (1...12).contains(hour) {
      return (.init(hour: hour - 1, minute: 30, isOpen: true), 2 + skip(start + 2, ["uhr"]))
    }
    if word(start) == "half", let hour = number(start + 1), (1...12).contains(hour), start > 0,
      word(start - 1) == "at" || draft.day != nil && used.contains(start - 1)
    {
      return (.init(hour: hour, minute: 30, isOpen: true), 2)
    }
    // 'dreiviertel neun' is 8:45, 'viertel neun' 8:15.
    if ["dreiviertel", "viertel"].contains(word(start)), let hour = number(start + 1), (1...12).contains(hour) {
      let minute = word(start) == "viertel" ? 15 : 45
      return (.init(hour: hour - 1, minute: minute, isOpen: true), 2 + skip(start + 2, ["uhr"]))
    }
    let minutes: Int
    var next = start + 1
    switch word(start) {
    case "half": minutes = 30
    case "kurz": minutes = 5
    case "viertel", "quarter": minutes = 15
    case "a" where word(start + 1) == "quarter": (minutes, next) = (15, start + 2)
    default:
      guard let number = number(start), (1...29).contains(number) else { return nil }
      minutes = number
      next += skip(next, ["minuten", "minutes"])
    }
    let isAfter = ["nach", "past", "after"].contains(word(next))
    guard isAfter || ["vor", "to", "before"].contains(word(next)) else { return nil }
    // 'fünf vor halb neun'
    if word(next + 1) == "halb", let hour = number(next + 2), (1...12).contains(hour) {
      let time = (hour - 1) * 60 + 30 + (isAfter ? minutes : -minutes)
      return (
        .init(hour: time / 60, minute: time % 60, isOpen: true), next + 3 - start + skip(next + 3, ["uhr"])
      )
    }
    guard let hour = number(next + 1), (0...24).contains(hour) else { return nil }
    let time = (hour % 24 * 60 + (isAfter ? minutes : -minutes) + 1440) % 1440
    let isOpen = (1...12).contains(hour)
    return (.init(hour: time / 60, minute: time % 60, isOpen: isOpen), next + 2 - start + skip(next + 2, ["uhr"]))
  }

  /// `9`, `9:30`, `9 Uhr 30`, `5 pm`, `17h`.
  private func clockTime(_ start: Int, hasPrefix: Bool) -> (PhraseDraft.Time, Int)? {
    let text = word(start)
    let half = ["am", "a.m", "a.m.", "pm", "p.m", "p.m."]
    if let time = Self.clock(text) {
      guard !half.contains(word(start + 1)) else {
        return Self.clock(text + word(start + 1).filter { $0 != "." }).map { ($0, 2) }
      }
      // '9.30' without any sign of a time may be a price.
      let isUhr = word(start + 1) == "uhr"
      guard hasPrefix || isUhr || !text.contains(".") || text.hasSuffix("am") || text.hasSuffix("pm") else {
        return nil
      }
      return (time, 1 + (isUhr ? 1 : 0))
    }
    guard let hour = number(start), (0...24).contains(hour) else { return nil }
    if half.contains(word(start + 1)), Digits.number(text.utf8) != nil || hasPrefix {
      return Self.clock("\(hour)" + word(start + 1).filter { $0 != "." }).map { ($0, 2) }
    }
    if word(start + 1) == "uhr" {
      if let minute = Digits.number(word(start + 2).utf8), minute < 60 {
        return (.init(hour: hour % 24, minute: minute), 3)
      }
      // In words at the end only: 'um acht Uhr zehn Tabletten'.
      if start + 3 == tokens.count, let minute = number(start + 2), (5..<60).contains(minute) {
        return (.init(hour: hour % 24, minute: minute), 3)
      }
      return (.init(hour: hour), 2)
    }
    if ["o'clock", "oclock", "o’clock"].contains(word(start + 1)) {
      return (.init(hour: hour % 24, isOpen: hour <= 12), 2)
    }
    // A number with a unit behind it, or an ordinal, is not a hour.
    guard hasPrefix, PhraseWords.units[word(start + 1)] == nil || word(start + 1) == "h" else { return nil }
    return (.init(hour: hour % 24, isOpen: (1...12).contains(hour) && text.utf8.first != UInt8(ascii: "0")), 1)
  }

  /// `9:30`, `9.30`, `5pm`, `5:30pm`, `17h`, `17h30`.
  static func clock(_ written: String) -> PhraseDraft.Time? {
    var text = written
    var shift: Bool?
    for (suffix, isAfternoon) in [("pm", true), ("am", false)] where text.hasSuffix(suffix) {
      text.removeLast(2)
      shift = isAfternoon
    }
    let parts = text.split(omittingEmptySubsequences: false) { ":.h".contains($0) }
    guard (1...2).contains(parts.count), let hour = Digits.number(parts[0].utf8), parts[0].utf8.count <= 2 else {
      return nil
    }
    if parts.count == 1, shift == nil { return nil }
    var minute = 0
    if parts.count == 2, !(parts[1].isEmpty && text.hasSuffix("h")) {
      guard parts[1].utf8.count == 2, let number = Digits.number(parts[1].utf8), number < 60 else { return nil }
      minute = number
    }
    guard let shift else { return hour * 60 + minute <= 1440 ? .init(hour: hour, minute: minute) : nil }
    guard (1...12).contains(hour) else { return nil }
    return .init(hour: hour % 12 + (shift ? 12 : 0), minute: minute)
  }

  /// `morgens`, `am Abend`, `in the evening`, and `Morgen` behind a day.
  mutating func takeDayPart(_ index: Int) -> Int {
    guard draft.dayPart == nil else { return 0 }
    if word(index) == "first", word(index + 1) == "thing" {
      draft.dayPart = .morning
      return 2
    }
    let prefix = skip(index, ["am", "in", "at", "the", "zu", "zum", "this", "by"])
    let text = word(index + prefix)
    // 'Freitag morgen'; further on it is the day after today.
    let isMorning = text == "morgen" && draft.day != nil && (prefix > 0 || used.contains(index - 1))
    guard let part = isMorning ? .morning : PhraseWords.dayParts[text] else { return 0 }
    // 'Nacht' and 'night' alone are not a time.
    guard
      prefix > 0 || draft.day != nil || draft.time != nil || text.hasSuffix("s")
        || ["noon", "midday", "midnight", "früh", "eod", "cob", "feierabend"].contains(text)
    else { return 0 }
    draft.dayPart = part
    if part == .evening || part == .afternoon, let time = draft.time, time.isOpen, time.hour < 12 {
      draft.time = .init(hour: time.hour + 12, minute: time.minute)
    } else if part == .noon, let time = draft.time, time.isOpen, time.hour < 6 {
      draft.time = .init(hour: time.hour + 12, minute: time.minute)
    } else if draft.time?.isOpen == true {
      draft.time?.isOpen = false
    }
    return prefix + 1
  }

  // MARK: Distances

  /// `in 3 Tagen`, `in half an hour`, `in 2 Stunden und 30 Minuten`, `2 weeks from now`, `in einer Woche` behind a day.
  mutating func takeDelta(_ index: Int) -> Int {
    guard draft.delta == nil, draft.repetition == nil else { return 0 }
    let hasPrefix = word(index) == "in"
    var next = index + (hasPrefix ? 1 : 0)
    guard let (delta, count) = distance(next) else { return 0 }
    next += count
    if !hasPrefix, word(next) == "on", delta.days > 0, delta == .init(days: delta.days), delta.days % 7 == 0,
      weekday(next + 1, allowsShort: false) != nil
    {
      draft.delta = delta
      return next - index
    }
    if !hasPrefix {
      guard word(next) == "from",
        ["now", "today", "tomorrow"].contains(word(next + 1)) || weekday(next + 1, allowsShort: false) != nil
      else { return 0 }
      next += ["now", "today"].contains(word(next + 1)) ? 2 : 1
    }
    draft.delta = delta
    draft.isDeltaLed = hasPrefix
    return next - index
  }

  func distance(_ start: Int) -> (delta: PhraseDraft.Distance, count: Int)? {
    var delta = PhraseDraft.Distance()
    var next = start
    while let (more, count) = self.amount(next) {
      delta.months += more.months
      delta.days += more.days
      delta.workdays += more.workdays
      delta.seconds += more.seconds
      next += count
      let link = skip(next, ["und", "and", ","])
      guard let (following, _) = self.amount(next + link), link > 0 || delta.isWhole(before: following) else { break }
      next += link
    }
    guard next > start else { return nil }
    // 'an hour and a half'
    if ["and", "und"].contains(word(next)), ["a", "eine", "einer"].contains(word(next + 1)),
      ["half", "halbe", "halben"].contains(word(next + 2)), delta.seconds > 0
    {
      delta.seconds += 1800
      next += 3
    }
    return (delta, next - start)
  }

  /// `1,5` and `1.5` in tenths.
  private func decimal(_ text: String) -> Int? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
    guard parts.count == 2, parts[1].utf8.count == 1, let whole = Digits.number(parts[0].utf8), whole < 10_000,
      let tenths = Digits.number(parts[1].utf8)
    else { return nil }
    return whole * 10 + tenths
  }

  /// How many words a number with a unit has.
  func amountLength(_ start: Int) -> Int? { amount(start)?.1 }

  /// `1 1/2`, `1½`, `one and a half`, `dreieinhalb`, `anderthalb`: the number of halves, and of words.
  private func halves(_ start: Int) -> (Int, Int)? {
    let text = word(start)
    if text == "anderthalb" || text == "anderthalbe" { return (3, 1) }
    if text.hasSuffix("einhalb"), let whole = PhraseWords.numbers[String(text.dropLast(7))] {
      return (2 * whole + 1, 1)
    }
    if text.hasSuffix("½") {
      let whole = text.count == 1 ? 0 : Digits.number(text.dropLast().utf8)
      return whole.flatMap { $0 < 10_000 ? (2 * $0 + 1, 1) : nil }
    }
    guard let whole = number(start), whole < 10_000 else { return nil }
    if ["1/2", "½"].contains(word(start + 1)) { return (2 * whole + 1, 2) }
    return word(start + 1) == "and" && word(start + 2) == "a" && word(start + 3) == "half" ? (2 * whole + 1, 4) : nil
  }

  /// A number with a unit.
  private func amount(_ start: Int) -> (PhraseDraft.Distance, Int)? {
    let text = word(start)
    if let seconds = DurationText.seconds(text) { return (.init(seconds: seconds), 1) }
    // '15min', '2std', '3tage'
    let digits = text.prefix { $0.isNumber }
    if let count = Digits.number(digits.utf8), count < 10_000,
      let unit = PhraseWords.units[String(text.dropFirst(digits.count))]
    {
      return (Self.amount(count, unit), 1)
    }
    if let tenths = decimal(text), PhraseWords.units[word(start + 1)] == .hour {
      return (.init(seconds: tenths * 360), 2)
    }
    // Halves and quarters of an hour.
    let articles = skip(start, ["einer", "eine", "einem", "ner", "'ner", "’ner", "a", "an", "der", "the"])
    let rest = word(start + articles)
    if ["viertelstunde", "dreiviertelstunde", "halbstunde"].contains(rest) {
      let seconds = rest.hasPrefix("d") ? 2700 : rest.hasPrefix("v") ? 900 : 1800
      return (.init(seconds: seconds), articles + 1)
    }
    if rest == "quarter", word(start + articles + 1) == "of", word(start + articles + 2) == "an" {
      return (.init(seconds: 900), articles + 4)
    }
    if ["half", "halben", "halbe"].contains(rest) {
      let more = skip(start + articles + 1, ["a", "an"])
      let unit = PhraseWords.units[word(start + articles + 1 + more)]
      if unit == .hour { return (.init(seconds: 1800), articles + 2 + more) }
      if unit == .year { return (.init(months: 6), articles + 2 + more) }
    }
    if ["dreiviertel", "viertel"].contains(rest), PhraseWords.units[word(start + articles + 1)] == .hour {
      return (.init(seconds: rest == "viertel" ? 900 : 2700), articles + 2)
    }
    if let (halves, count) = halves(start) {
      switch PhraseWords.units[word(start + count)] {
      case .minute: return (.init(seconds: halves * 30), count + 1)
      case .hour: return (.init(seconds: halves * 1800), count + 1)
      case .year: return (.init(months: halves * 6), count + 1)
      default: break
      }
    }
    var next = start
    guard let first = self.number(next) else { return nil }
    var number = first
    next += 1
    if number == 1, let more = PhraseWords.numbers[word(next)], ["paar", "couple"].contains(word(next)) {
      number = more
      next += 1 + skip(next + 1, ["of"])
    }
    if word(next) == "business" || word(next) == "working", ["day", "days"].contains(word(next + 1)), number < 10_000 {
      return (.init(workdays: number), next + 2 - start)
    }
    if word(next) == "fortnight" { return (.init(days: 14), next + 1 - start) }
    guard let unit = PhraseWords.units[word(next)], number < 100_000 else { return nil }
    return (Self.amount(number, unit), next + 1 - start)
  }

  private static func amount(_ number: Int, _ unit: PhraseWords.Unit) -> PhraseDraft.Distance {
    switch unit {
    case .second: .init(seconds: number)
    case .minute: .init(seconds: number * 60)
    case .hour: .init(seconds: number * 3600)
    case .day: .init(days: number)
    case .workday: .init(workdays: min(number, 10_000))
    case .week: .init(days: number * 7)
    case .month: .init(months: number)
    case .year: .init(months: number * 12)
    }
  }
}
