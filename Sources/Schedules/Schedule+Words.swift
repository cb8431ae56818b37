import Foundation
public import Localization

extension Schedule.Form {
  /// The points in words: `every Monday at 08:00`; `nil` for a rule that no short sentence says completely.
  public var words: LocalizedText? {
    switch self {
    case .cron(let cron): return cron.words
    case .every(let seconds, _): return PhraseText.every(seconds)
    case .recurrence(let recurrence): return recurrence.words
    case .once(let times):
      guard !times.isEmpty, times.count <= 3 else { return nil }
      let texts = times.map { PhraseText.moment($0) }
      return LocalizedText(
        "once on " + texts.map(\.english).joined(separator: "; "),
        de: "einmal am " + texts.map(\.german).joined(separator: "; "))
    case .moments: return nil
    case .sun(let event, _, let offset):
      let name =
        switch event {
        case .sunrise: LocalizedText("sunrise", de: "Sonnenaufgang")
        case .sunset: LocalizedText("sunset", de: "Sonnenuntergang")
        }
      guard offset != 0 else { return LocalizedText("at ", de: "bei ") + name }
      guard offset % 60 == 0 else { return nil }
      let distance = LocalizedText.count(abs(offset) / 60, "minute", "minutes", de: "Minute", "Minuten")
      return distance
        + (offset < 0 ? LocalizedText(" before ", de: " vor ") : LocalizedText(" after ", de: " nach ")) + name
    }
  }
}

/// The days of a rule in words: before the time of day, and behind it.
private struct RuleDays {
  /// `every Monday`.
  var words: LocalizedText
  /// `, only in January`.
  var suffix = LocalizedText(verbatim: "")
}

/// Parts of sentences about rules.
private enum RuleText {
  /// The most times of day or days that a sentence lists.
  static let most = 6

  /// The numbers of the bits of a mask.
  static func numbers(_ mask: UInt64) -> [Int] { (0..<64).filter { mask >> UInt64($0) & 1 == 1 } }

  /// `Monday, Tuesday and Friday`.
  static func list(_ items: [LocalizedText]) -> LocalizedText {
    func joined(_ words: [String], _ and: String) -> String {
      guard let last = words.last, words.count > 1 else { return words.first ?? "" }
      return words.dropLast().joined(separator: ", ") + and + last
    }
    return LocalizedText(joined(items.map(\.english), " and "), de: joined(items.map(\.german), " und "))
  }

  /// `every Monday and Friday`, `Monday to Friday`; `nil` for no day.
  ///
  /// - Parameter days: 0 for Sunday.
  static func weekdays(_ days: Set<Int>) -> LocalizedText? {
    // From Monday on.
    let places = days.map { ($0 + 6) % 7 }.sorted()
    let names = places.compactMap { place in
      PhraseText.weekdays.indices.contains((place + 1) % 7) ? PhraseText.weekdays[(place + 1) % 7] : nil
    }
    guard let first = places.first, let last = places.last, let firstName = names.first, let lastName = names.last
    else {
      return nil
    }
    if places.count == 7 { return LocalizedText("every day", de: "jeden Tag") }
    if places.count > 2, last - first + 1 == places.count {
      return firstName + LocalizedText(" to ", de: " bis ") + lastName
    }
    return LocalizedText("every ", de: "jeden ") + list(names)
  }

  /// `1` as `the 1st`, `-1` as `the last`.
  static func ordinal(_ number: Int) -> LocalizedText? {
    switch number {
    case -1: LocalizedText("the last", de: "letzten")
    case 1: LocalizedText("the 1st", de: "1.")
    case 2: LocalizedText("the 2nd", de: "2.")
    case 3: LocalizedText("the 3rd", de: "3.")
    case 4...5: LocalizedText("the \(number)th", de: "\(number).")
    default: nil
    }
  }

  /// ` on the 1st Monday of the month`; `nil` for other places in the month.
  static func numbered(_ day: Int, _ place: Int) -> LocalizedText? {
    guard let ordinal = ordinal(place), PhraseText.weekdays.indices.contains(day) else { return nil }
    return LocalizedText("on ", de: "am ") + ordinal + LocalizedText(verbatim: " ") + PhraseText.weekdays[day]
      + LocalizedText(" of the month", de: " des Monats")
  }

  /// `every month on day 1`; -1 is the last day. `nil` for other days from the end, and for too many.
  static func days(ofMonth days: [Int]) -> LocalizedText? {
    guard !days.isEmpty, days.count <= most else { return nil }
    if days == [-1] { return LocalizedText("on the last day of every month", de: "am letzten Tag jedes Monats") }
    guard days.allSatisfy({ $0 > 0 }) else { return nil }
    return LocalizedText("every month on ", de: "jeden Monat am ")
      + LocalizedText(days.count == 1 ? "day " : "days ", de: "")
      + list(days.map { LocalizedText("\($0)", de: "\($0).") })
  }

  /// `every year on 24 December`.
  static func yearly(_ month: Int, _ day: Int) -> LocalizedText? {
    guard day > 0, PhraseText.months.indices.contains(month - 1) else { return nil }
    let name = PhraseText.months[month - 1]
    return LocalizedText("every year on \(day) \(name.english)", de: "jedes Jahr am \(day). \(name.german)")
  }

  /// `, only in January and July`; empty for no month.
  static func only(_ months: [Int]) -> LocalizedText? {
    if months.isEmpty { return LocalizedText(verbatim: "") }
    let names = months.compactMap { PhraseText.months.indices.contains($0 - 1) ? PhraseText.months[$0 - 1] : nil }
    guard names.count == months.count, !names.isEmpty, names.count <= most else { return nil }
    return LocalizedText(", only in ", de: ", nur im ") + list(names)
  }

  /// ` at 08:00 and 12:00`; `nil` for too many.
  ///
  /// - Parameter times: Seconds since midnight.
  static func clocks(_ times: [Int]) -> LocalizedText? {
    guard !times.isEmpty, times.count <= most else { return nil }
    return LocalizedText(" at ", de: " um ") + list(times.map { PhraseText.clock(LocalTime(seconds: $0)) })
  }
}

extension CronExpression {
  /// The expression in words; `nil` if it needs more than a short sentence.
  var words: LocalizedText? {
    guard seconds == 1, years.isEmpty, let days = dayWords, let time = timeWords else { return nil }
    switch time {
    case .clocks(let text): return days.words + text + days.suffix
    case .period(let text) where isDaily: return text
    case .period(let text): return text + LocalizedText(verbatim: ", ") + days.words + days.suffix
    }
  }

  private enum TimeWords {
    /// Times of day, which follow the days.
    case clocks(LocalizedText)
    /// `every 15 minutes`, which precedes them.
    case period(LocalizedText)
  }

  private var timeWords: TimeWords? {
    let (minutes, hours) = (RuleText.numbers(self.minutes), RuleText.numbers(self.hours))
    guard let firstMinute = minutes.first, let firstHour = hours.first, let lastHour = hours.last else { return nil }
    if minutes.count * hours.count <= RuleText.most {
      return RuleText.clocks(hours.flatMap { hour in minutes.map { hour * 3600 + $0 * 60 } }).map { .clocks($0) }
    }
    if hours.count == 24 {
      if let step = Self.step(minutes, of: 60) { return .period(PhraseText.every(step * 60)) }
      guard minutes.count == 1 else { return nil }
      return .period(
        LocalizedText("every hour at minute \(firstMinute)", de: "jede Stunde in Minute \(firstMinute)"))
    }
    if minutes == [0], let step = Self.step(hours, of: 24) { return .period(PhraseText.every(step * 3600)) }
    guard lastHour - firstHour + 1 == hours.count else { return nil }
    let lastMinute = minutes.last ?? firstMinute
    let period: LocalizedText
    if minutes.count == 1 {
      period = PhraseText.every(3600)
    } else if let step = Self.step(minutes, of: 60) {
      period = PhraseText.every(step * 60)
    } else {
      return nil
    }
    let (from, to) = (
      PhraseText.clock(LocalTime(seconds: firstHour * 3600 + firstMinute * 60)),
      PhraseText.clock(LocalTime(seconds: lastHour * 3600 + lastMinute * 60))
    )
    return .period(period + LocalizedText(" from ", de: " von ") + from + LocalizedText(" to ", de: " bis ") + to)
  }

  /// The distance of numbers that begin at 0 and are equally far from each other all around a clock; `nil` for others.
  private static func step(_ numbers: [Int], of length: Int) -> Int? {
    guard !numbers.isEmpty, length % numbers.count == 0 else { return nil }
    let step = length / numbers.count
    return numbers == Array(stride(from: 0, to: length, by: step)) ? step : nil
  }

  /// Whether the days of the month exclude none.
  private var isEachDay: Bool { days.ofMonth.days == 0xFFFF_FFFE && days.ofMonth.fromEnd == 0 }
  /// Whether the weekdays exclude none.
  private var isEachWeekday: Bool {
    days.ofWeek.weekdays == 0x7F && days.ofWeek.numbered == 0 && days.ofWeek.last == 0
  }
  private var isDaily: Bool { isEachDay && isEachWeekday && RuleText.numbers(months).count == 12 }

  private var dayWords: RuleDays? {
    let months = RuleText.numbers(self.months)
    let ofMonth = days.ofMonth
    guard ofMonth.nearest == 0, !ofMonth.lastWeekday else { return nil }
    var words: LocalizedText?
    if isEachDay, dayRule == .both || isEachWeekday {
      words = weekdayWords
    } else if isEachWeekday, dayRule == .both {
      let days =
        ofMonth.fromEnd == 0 ? RuleText.numbers(ofMonth.days) : ofMonth.days == 0 && ofMonth.fromEnd == 1 ? [-1] : []
      if months.count == 1, days.count == 1, let month = months.first, let day = days.first, day > 0 {
        return RuleText.yearly(month, day).map { RuleDays(words: $0) }
      }
      words = RuleText.days(ofMonth: days)
    }
    guard let words, let suffix = RuleText.only(months.count == 12 ? [] : months) else { return nil }
    return RuleDays(words: words, suffix: suffix)
  }

  private var weekdayWords: LocalizedText? {
    let ofWeek = days.ofWeek
    let (numbered, last) = (RuleText.numbers(ofWeek.numbered), RuleText.numbers(ofWeek.last))
    if numbered.isEmpty, last.isEmpty { return RuleText.weekdays(Set(RuleText.numbers(ofWeek.weekdays))) }
    guard ofWeek.weekdays == 0, numbered.count + last.count == 1 else { return nil }
    if let place = numbered.first { return RuleText.numbered(place % 7, place / 7 + 1) }
    return last.first.flatMap { RuleText.numbered($0, -1) }
  }
}

extension Recurrence {
  /// The rule in words; `nil` if it needs more than a short sentence, and for single times.
  var words: LocalizedText? {
    guard let rule, additional.isEmpty, excluded.isEmpty, excludedDays.isEmpty else { return nil }
    let known: Set<RecurrenceRule.Part> = [.second, .minute, .hour, .month, .dayOfMonth]
    guard Set(rule.numbers.keys).isSubset(of: known), (rule.numbers[.second] ?? [0]) == [0],
      let time = RuleText.clocks(times(of: rule)), let days = dayWords(of: rule), let end = endWords(of: rule)
    else { return nil }
    if [.hourly, .minutely, .secondly].contains(rule.frequency) { return periodWords(of: rule).map { $0 + end } }
    return days.words + time + days.suffix + end
  }

  /// The times of day of a rule, in seconds.
  private func times(of rule: RecurrenceRule) -> [Int] {
    let time = start.timeOfDay
    let hours = rule.numbers[.hour]?.sorted() ?? [time / 3600]
    let minutes = rule.numbers[.minute]?.sorted() ?? [time / 60 % 60]
    let second = rule.numbers[.second] == nil ? time % 60 : 0
    return hours.flatMap { hour in minutes.map { hour * 3600 + $0 * 60 + second } }
  }

  private func periodWords(of rule: RecurrenceRule) -> LocalizedText? {
    guard rule.numbers.isEmpty, rule.days.isEmpty, rule.interval <= 10_000 else { return nil }
    let seconds = rule.frequency == .hourly ? 3600 : rule.frequency == .minutely ? 60 : 1
    return PhraseText.every(rule.interval * seconds)
  }

  private func dayWords(of rule: RecurrenceRule) -> RuleDays? {
    let months = rule.numbers[.month]?.sorted() ?? []
    let days = rule.numbers[.dayOfMonth]?.sorted() ?? []
    let (plain, numbered) = (rule.days.filter { $0.ordinal == nil }, rule.days.filter { $0.ordinal != nil })
    let first = start.date
    var words: LocalizedText?
    var suffix = LocalizedText(verbatim: "")
    switch rule.frequency {
    case .hourly, .minutely, .secondly: return RuleDays(words: suffix)
    case .daily:
      guard days.isEmpty, numbered.isEmpty else { return nil }
      if rule.interval == 1 {
        words = RuleText.weekdays(plain.isEmpty ? Set(0..<7) : Set(plain.map(\.day)))
      } else if plain.isEmpty {
        words = LocalizedText("every \(rule.interval) days", de: "alle \(rule.interval) Tage")
      }
    case .weekly:
      guard days.isEmpty, numbered.isEmpty else { return nil }
      let chosen = plain.isEmpty ? [Civil.weekday(start.day)] : Set(plain.map(\.day))
      guard rule.interval > 1 else {
        words = RuleText.weekdays(chosen)
        break
      }
      let names = chosen.map { ($0 + 6) % 7 }.sorted().map { PhraseText.weekdays[($0 + 1) % 7] }
      words =
        LocalizedText("every \(rule.interval) weeks on ", de: "alle \(rule.interval) Wochen am ") + RuleText.list(names)
    case .monthly:
      guard plain.isEmpty, numbered.count <= 1, numbered.isEmpty || days.isEmpty else { return nil }
      if let day = numbered.first {
        words = day.ordinal.flatMap { RuleText.numbered(day.day, $0) }
      } else {
        words = RuleText.days(ofMonth: days.isEmpty ? [first.day] : days)
      }
      if rule.interval > 1 {
        suffix = LocalizedText(", every \(rule.interval) months", de: ", alle \(rule.interval) Monate")
      }
    case .yearly:
      guard rule.days.isEmpty, months.count <= 1, days.count <= 1, rule.interval == 1, months.isEmpty == days.isEmpty
      else { return nil }
      return RuleText.yearly(months.first ?? first.month, days.first ?? first.day).map { RuleDays(words: $0) }
    }
    guard let words, let only = RuleText.only(months) else { return nil }
    return RuleDays(words: words, suffix: suffix + only)
  }

  /// `, 5 times`, `, until 31 December 2026`; empty for a rule without an end, `nil` for an end with a time of day.
  private func endWords(of rule: RecurrenceRule) -> LocalizedText? {
    if let count = rule.count { return LocalizedText(", \(count) times", de: ", \(count)-mal") }
    switch rule.end {
    case nil: return LocalizedText(verbatim: "")
    case .date(let year, let month, let day):
      guard PhraseText.months.indices.contains(month - 1) else { return nil }
      let name = PhraseText.months[month - 1]
      return LocalizedText(", until \(day) \(name.english) \(year)", de: ", bis \(day). \(name.german) \(year)")
    case .local, .moment: return nil
    }
  }
}
