public import Foundation
import ICalendar
import Localization

extension Schedule {
  /// The context of a schedule's text.
  public struct Context: Sendable {
    /// The zone of times that have none of their own.
    public var zone: Zone
    /// The moment that `tomorrow` and the like count from.
    public var now: Date
    /// Where a recurrence rule without `DTSTART` starts; `nil` for 2001-01-01T00:00:00 on the zone's clock, a Monday.
    public var start: Date?
    /// The schedule's name, which decides what `H` represents.
    public var name: String
    /// The place of sunrise and sunset.
    public var place: Place?

    /// Creates a context.
    public init(zone: Zone, now: Date, start: Date? = nil, name: String = "", place: Place? = nil) {
      (self.zone, self.now, self.start, self.name, self.place) = (zone, now, start, name, place)
    }
  }

  /// Reads a schedule in any of its forms.
  ///
  /// | form | example |
  /// |---|---|
  /// | cron | `0 7 * * 1-5`, `@daily` |
  /// | elapsed time | `every 15m`, `every 90m from 2026-11-23T07:00` |
  /// | recurrence | `RRULE:FREQ=WEEKLY;BYDAY=MO`, with lines `DTSTART`, `RDATE` and `EXDATE` around it |
  /// | single dates | `once 2026-12-24T18:00`, several with commas |
  /// | sun | `sunrise`, `sunset-30m` |
  /// | words | `every Monday at 8`, `morgen um 9` |
  ///
  /// - Throws: The error in it; ``ScheduleError/Code/ambiguous`` for words with several meanings.
  public init(_ text: String, in context: Context) throws(ScheduleError) {
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    let first = words.first?.lowercased() ?? ""
    if ScheduleText.isRecurrence(first) {
      self = try ScheduleText.recurrence(text, context)
    } else if first == "every" || first == "@every", words.count >= 2,
      let seconds = DurationText.seconds(String(words[1]))
    {
      self = try ScheduleText.every(text, seconds, words, context)
    } else if first == "once" && !ScheduleText.isOften(words) || ScheduleText.isTimes(text, words) {
      self = try ScheduleText.once(text, context)
    } else if let event = SunEvent.allCases.first(where: { first.hasPrefix($0.rawValue) }) {
      self = try ScheduleText.sun(text, event, context)
    } else if let event = ScheduleText.sunInWords(words) {
      self = try ScheduleText.sun(event.rawValue, event, context)
    } else if first.hasPrefix("@") || ScheduleText.isCron(words) {
      self = Schedule(.cron(try CronExpression(text, name: context.name)), zone: context.zone)
    } else {
      self = try ScheduleText.phrase(text, context)
    }
    name = context.name
  }
}

/// The forms of a schedule's text.
private enum ScheduleText {
  /// Whether the text consists of lines of iCalendar, or of a rule alone.
  static func isRecurrence(_ first: String) -> Bool {
    ["rrule:", "freq=", "dtstart:", "dtstart;", "rdate:", "rdate;", "exdate:", "exdate;"].contains {
      first.hasPrefix($0)
    }
  }

  /// The characters of the first two fields of a cron expression.
  private static let fieldBytes = Set("0123456789*/,-?Hh()".utf8)

  /// Whether the words look like the fields of a cron expression, and not like `24 December at 6 pm`.
  static func isCron(_ words: [Substring]) -> Bool {
    if let first = words.first?.utf8.first, first == UInt8(ascii: "*") || first == UInt8(ascii: "?") { return true }
    return (5...7).contains(words.count)
      && words.prefix(2).allSatisfy { $0.utf8.allSatisfy { fieldBytes.contains($0) } && $0 != "-" }
  }

  static func recurrence(_ text: String, _ context: Schedule.Context) throws(ScheduleError) -> Schedule {
    // A shell hands `\n` on as it is.
    let written = text.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\n")
    if written.lowercased().hasPrefix("freq=") {
      do throws(ScheduleError) {
        return try recurrence("RRULE:" + text, context)
      } catch {
        throw error.moved(by: -"RRULE:".utf8.count)
      }
    }
    var item = CalendarItem(.event, uid: "", summary: "")
    for line in try ContentLine.lines(written) {
      switch line.name {
      case "DTSTART": item.start = try CalendarTime.one(line)
      case "RRULE": item.rule = try line.rule(after: item.rule)
      case "RDATE": item.additional += try CalendarTime.all(line)
      case "EXDATE": item.excluded += try CalendarTime.all(line)
      default: throw line.wrong()
      }
    }
    if item.start == nil {
      if let rule = item.rule, rule.count != nil, context.start == nil { throw noStart(text) }
      let start = item.rule == nil ? item.additional.map { $0.local(in: context.zone) }.min() : nil
      item.start = CalendarTime(
        start ?? context.start.map { context.zone.local($0) } ?? Schedule.usualAnchor, zone: context.zone)
    }
    guard let schedule = item.schedule(in: context.zone) else { throw noStart(text) }
    return schedule
  }

  private static func noStart(_ text: String) -> ScheduleError {
    ScheduleError(
      .invalidRule, LocalizedText("COUNT counts from a start", de: "COUNT zählt von einem Anfang an"),
      advice: LocalizedText(
        "put a line DTSTART:20261124T090000 before the rule",
        de: "vor die Regel eine Zeile DTSTART:20261124T090000 setzen"),
      range: 0..<text.utf8.count)
  }

  static func every(
    _ text: String, _ seconds: Int, _ words: [Substring], _ context: Schedule.Context
  ) throws(ScheduleError) -> Schedule {
    var anchor = context.zone.moment(Schedule.usualAnchor)
    if words.count > 2 {
      guard words.count == 4, ["from", "ab"].contains(words[2].lowercased()),
        let moment = moment(words[3], context.zone)
      else { throw wrongTime(text) }
      anchor = moment.0
    }
    return Schedule(.every(seconds: seconds, anchor: anchor), zone: context.zone)
  }

  /// A time with or without an offset, and whether it is the clock's.
  private static func moment(_ text: Substring, _ zone: Zone) -> (Date, local: LocalTime?)? {
    if let local = LocalTime(iso: String(text)) { return (zone.moment(local), local) }
    return Zone.moment(rfc3339: String(text)).map { ($0, nil) }
  }

  /// `once a week` says how often, and no times.
  static func isOften(_ words: [Substring]) -> Bool {
    words.count > 1 && ["a", "per", "each", "every"].contains(words[1].lowercased())
  }

  /// `2026-12-24T18:00`, or several times with commas; a day alone and with other words is in words: `2026-12-24 um 9`.
  static func isTimes(_ text: String, _ words: [Substring]) -> Bool {
    guard let first = words.first, LocalTime(iso: String(first.prefix { $0 != "," })) != nil else { return false }
    return first.utf8.count > 11 || text.contains(",") || words.count == 2 && words[1].contains(":")
  }

  static func once(_ text: String, _ context: Schedule.Context) throws(ScheduleError) -> Schedule {
    var rest = text[...]
    if text.lowercased().hasPrefix("once") { rest = rest.dropFirst(4) }
    var times: [LocalTime] = []
    var moments: [Date] = []
    for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split { $0 == " " || $0 == "\n" }
      guard let (moment, local) = self.moment(words.joined(separator: " ")[...], context.zone) else {
        throw wrongTime(text)
      }
      if let local { times.append(local) } else { moments.append(moment) }
    }
    if moments.isEmpty { return Schedule(.once(times.sorted()), zone: context.zone) }
    return Schedule(.moments((moments + times.map { context.zone.moment($0) }).sorted()), zone: context.zone)
  }

  /// `at sunset`, `jeden Tag bei Sonnenaufgang`.
  static func sunInWords(_ words: [Substring]) -> SunEvent? {
    let events: [String: SunEvent] = [
      "sunrise": .sunrise, "sunset": .sunset, "sonnenaufgang": .sunrise, "sonnenuntergang": .sunset,
    ]
    let others: Set<String> = [
      "at", "bei", "zum", "beim", "every", "each", "day", "daily", "jeden", "tag", "täglich", "immer", "always",
    ]
    guard let last = words.last, words.dropLast().allSatisfy({ others.contains($0.lowercased()) }) else { return nil }
    return events[last.lowercased()]
  }

  static func sun(_ text: String, _ event: SunEvent, _ context: Schedule.Context) throws(ScheduleError) -> Schedule {
    let rest = text.filter { $0 != " " }.dropFirst(event.rawValue.count)
    var offset = 0
    if let sign = rest.first {
      guard sign == "+" || sign == "-", let seconds = DurationText.seconds(String(rest.dropFirst())),
        seconds <= Civil.secondsPerDay
      else { throw wrongTime(text) }
      offset = sign == "-" ? -seconds : seconds
    }
    guard let place = context.place else {
      throw ScheduleError(
        .missingPlace,
        LocalizedText("\(event.rawValue) needs a place", de: "\(event.rawValue) braucht einen Ort"),
        advice: LocalizedText(
          "give degrees north and east, such as --place 47.37,8.54",
          de: "Grad Nord und Ost angeben, etwa --place 47.37,8.54"), range: 0..<text.utf8.count)
    }
    return Schedule(.sun(event, place, offset: offset), zone: context.zone)
  }

  static func phrase(_ text: String, _ context: Schedule.Context) throws(ScheduleError) -> Schedule {
    let reading = try Phrase.read(text, now: context.now, zone: context.zone)
    guard case .clear(let phrase) = reading, phrase.title.isEmpty else { throw unclear(text, reading) }
    switch phrase.when {
    case .once(let date): return Schedule(.moments([date]), zone: context.zone)
    case .repeated(let schedule): return schedule
    }
  }

  /// That words have several meanings, or that some have none.
  private static func unclear(_ text: String, _ reading: Phrase.Reading) -> ScheduleError {
    let choices = reading.choices
    guard let first = choices.first, first.title.isEmpty else {
      let title = choices.first?.title ?? text
      return ScheduleError(
        .notUnderstood, LocalizedText("'\(title)' is not a time", de: "'\(title)' ist keine Zeitangabe"),
        advice: LocalizedText(
          "say for example 'tomorrow at 9' or 'every Monday at 8'",
          de: "zum Beispiel 'morgen um 9' oder 'jeden Montag um 8' schreiben"), range: 0..<text.utf8.count)
    }
    let english = choices.map(\.understood.english).joined(separator: "; ")
    let german = choices.map(\.understood.german).joined(separator: "; ")
    return ScheduleError(
      .ambiguous, LocalizedText("'\(text)' has several meanings", de: "'\(text)' hat mehrere Bedeutungen"),
      advice: LocalizedText("say which is meant: \(english)", de: "angeben, was gemeint ist: \(german)"),
      range: 0..<text.utf8.count)
  }

  private static func wrongTime(_ text: String) -> ScheduleError {
    ScheduleError(
      .invalidTime, LocalizedText("this time is not understood", de: "diese Zeitangabe ist nicht zu verstehen"),
      advice: LocalizedText(
        "times look like 'every 15m from 2026-11-23T07:00', 'once 2026-12-24T18:00', 'sunset-30m'",
        de: "Zeiten sehen aus wie 'every 15m from 2026-11-23T07:00', 'once 2026-12-24T18:00', 'sunset-30m'"),
      range: 0..<text.utf8.count)
  }
}

/// Durations such as `15m` and `1h30m`.
enum DurationText {
  /// The seconds of a duration, at least 1: numbers with `w`, `d`, `h`, `m`, `s`, each once and in this order.
  static func seconds(_ text: String) -> Int? {
    let units: [(Character, Int)] = [("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
    var rest = text.lowercased()[...]
    var total = 0
    for (unit, seconds) in units {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard rest.dropFirst(digits.count).first == unit, let number = Digits.number(digits.utf8) else { continue }
      total += number * seconds
      rest = rest.dropFirst(digits.count + 1)
    }
    return rest.isEmpty && total >= 1 && total < 1 << 40 ? total : nil
  }
}

extension Zone {
  /// Reads `2026-11-23T07:00:00+01:00` or `…Z` (RFC 3339; seconds may be left out, fractions are refused).
  public static func moment(rfc3339 text: String) -> Date? {
    let isUTC = text.hasSuffix("Z") || text.hasSuffix("z")
    let distance = isUTC ? 1 : 6
    guard text.utf8.count > distance, text.utf8.count <= 25,
      let local = LocalTime(iso: String(text.dropLast(distance))),
      text.utf8.count - distance > 10
    else { return nil }
    if isUTC { return Date(seconds: local.seconds) }
    let offset = Array(text.utf8.suffix(6))
    guard offset[3] == UInt8(ascii: ":"), offset[0] == UInt8(ascii: "+") || offset[0] == UInt8(ascii: "-"),
      let hours = Digits.number(offset[1..<3]), let minutes = Digits.number(offset[4..<6]), hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return Date(seconds: local.seconds + (offset[0] == UInt8(ascii: "-") ? seconds : -seconds))
  }
}
