extension PhraseParser {
  private static let timePrefixes: Set<String> = ["um", "at", "gegen", "ab", "about", "around", "from", "@", "punkt"]

  /// `um 9`, `9:30`, `5pm`, `halb neun`, `viertel nach 8`, `half past 8`, `17 Uhr 30`, `at noon`.
  mutating func takeTime(_ index: Int) -> Int {
    guard draft.time == nil else { return 0 }
    let prefix = skip(index, Self.timePrefixes)
    let start = index + prefix
    if let (time, count) = relativeTime(start) ?? clockTime(start, hasPrefix: prefix > 0) {
      draft.time = time
      let half = takeHalf(start + count)
      return prefix + count + half + takeMoreTimes(start + count + half)
    }
    guard prefix > 0, let part = PhraseWords.dayParts[word(start)] else { return 0 }
    draft.dayPart = part
    return prefix + 1
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
    let prefix = skip(index, ["in", "the", "am", "at"])
    let text = word(index + prefix)
    guard let part = PhraseWords.dayParts[text] ?? (text == "morgen" && prefix > 0 ? .morning : nil), part != .noon
    else {
      return 0
    }
    switch part {
    case .morning, .forenoon: break
    case .afternoon, .evening: if time.hour < 12 { time.hour += 12 }
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
    let minutes: Int
    var next = start + 1
    switch word(start) {
    case "half": minutes = 30
    case "viertel", "quarter": minutes = 15
    case "a" where word(start + 1) == "quarter": (minutes, next) = (15, start + 2)
    default:
      guard let number = number(start), (1...29).contains(number) else { return nil }
      minutes = number
      next += skip(next, ["minuten", "minutes"])
    }
    let isAfter = ["nach", "past", "after"].contains(word(next))
    guard isAfter || ["vor", "to", "before"].contains(word(next)), let hour = number(next + 1), (0...24).contains(hour)
    else { return nil }
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
      guard hasPrefix || isUhr || !text.contains(".") else { return nil }
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
      return (.init(hour: hour), 2)
    }
    if ["o'clock", "oclock", "o’clock"].contains(word(start + 1)) {
      return (.init(hour: hour % 24, isOpen: hour <= 12), 2)
    }
    // A number with a unit behind it, or an ordinal, is no hour.
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
    let prefix = skip(index, ["am", "in", "at", "the", "zu", "this"])
    let text = word(index + prefix)
    let isMorning = text == "morgen" && draft.day != nil
    guard let part = isMorning ? .morning : PhraseWords.dayParts[text] else { return 0 }
    // 'Nacht' and 'night' alone are no time.
    guard
      prefix > 0 || draft.day != nil || draft.time != nil || text.hasSuffix("s")
        || ["noon", "midnight", "früh"].contains(text)
    else { return 0 }
    draft.dayPart = part
    if part == .evening || part == .afternoon, let time = draft.time, time.isOpen, time.hour < 12 {
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
    if !hasPrefix {
      guard word(next) == "from",
        ["now", "today", "tomorrow"].contains(word(next + 1)) || weekday(next + 1, allowsShort: false) != nil
      else { return 0 }
      next += ["now", "today"].contains(word(next + 1)) ? 2 : 1
    }
    draft.delta = delta
    return next - index
  }

  private func distance(_ start: Int) -> (delta: PhraseDraft.Distance, count: Int)? {
    var delta = PhraseDraft.Distance()
    var next = start
    while let (more, count) = self.amount(next) {
      delta.months += more.months
      delta.days += more.days
      delta.workdays += more.workdays
      delta.seconds += more.seconds
      next += count
      let link = skip(next, ["und", "and", ","])
      guard link > 0, self.amount(next + link) != nil else { break }
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

  /// A number with a unit.
  private func amount(_ start: Int) -> (PhraseDraft.Distance, Int)? {
    let text = word(start)
    if let seconds = DurationText.seconds(text) { return (.init(seconds: seconds), 1) }
    if let tenths = decimal(text), PhraseWords.units[word(start + 1)] == .hour {
      return (.init(seconds: tenths * 360), 2)
    }
    // Halves and quarters of an hour.
    let articles = skip(start, ["einer", "eine", "a", "an", "der", "the"])
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
    if ["anderthalb", "eineinhalb"].contains(text), PhraseWords.units[word(start + 1)] == .hour {
      return (.init(seconds: 5400), 2)
    }
    if text == "zweieinhalb", PhraseWords.units[word(start + 1)] == .hour { return (.init(seconds: 9000), 2) }
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
    let count = next + 1 - start
    switch unit {
    case .second: return (.init(seconds: number), count)
    case .minute: return (.init(seconds: number * 60), count)
    case .hour: return (.init(seconds: number * 3600), count)
    case .day: return (.init(days: number), count)
    case .workday: return number < 10_000 ? (.init(workdays: number), count) : nil
    case .week: return (.init(days: number * 7), count)
    case .month: return (.init(months: number), count)
    case .year: return (.init(months: number * 12), count)
    }
  }
}
