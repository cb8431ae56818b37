import Foundation
import Localization

/// Says times in words, as they were understood.
enum PhraseText {
  /// The names from Sunday on.
  static let weekdays = [
    ("Sunday", "Sonntag"), ("Monday", "Montag"), ("Tuesday", "Dienstag"), ("Wednesday", "Mittwoch"),
    ("Thursday", "Donnerstag"), ("Friday", "Freitag"), ("Saturday", "Samstag"),
  ].map { LocalizedText($0, de: $1) }
  /// The names from January on.
  static let months = [
    ("January", "Januar"), ("February", "Februar"), ("March", "März"), ("April", "April"), ("May", "Mai"),
    ("June", "Juni"), ("July", "Juli"), ("August", "August"), ("September", "September"), ("October", "Oktober"),
    ("November", "November"), ("December", "Dezember"),
  ].map { LocalizedText($0, de: $1) }

  /// `Tuesday, 24 November 2026, 09:00`, or how it repeats and when for the first time.
  static func text(_ when: Phrase.When, zone: Zone, now: Date) -> LocalizedText {
    switch when {
    case .once(let date): return moment(zone.local(date))
    case .repeated(let schedule):
      guard let first = schedule.next(after: now) else { return rhythm(schedule) }
      return rhythm(schedule) + LocalizedText(", first on ", de: ", zuerst am ") + moment(zone.local(first))
    }
  }

  /// `Tuesday, 24 November 2026, 09:00`.
  static func moment(_ local: LocalTime) -> LocalizedText {
    let (year, month, day) = local.date
    let name = months[month - 1]
    return weekdays[Civil.weekday(local.day)]
      + LocalizedText(", \(day) \(name.english) \(year), ", de: ", \(day). \(name.german) \(year), ") + clock(local)
  }

  /// `09:00`, with seconds only if they are not zero.
  static func clock(_ local: LocalTime) -> LocalizedText {
    let time = local.timeOfDay
    let parts = [time / 3600, time / 60 % 60] + (time % 60 == 0 ? [] : [time % 60])
    return LocalizedText(verbatim: parts.map { Digits.padded($0, 2) }.joined(separator: ":"))
  }

  private static func rhythm(_ schedule: Schedule) -> LocalizedText {
    switch schedule.form {
    case .every(let seconds, _): return every(seconds)
    case .recurrence(let recurrence): return rhythm(recurrence)
    default: return LocalizedText("repeated", de: "wiederholt")
    }
  }

  /// `every 15 minutes`.
  static func every(_ seconds: Int) -> LocalizedText {
    let (count, unit): (Int, (String, String, String, String)) =
      seconds % 3600 == 0
      ? (seconds / 3600, ("hour", "hours", "jede Stunde", "Stunden"))
      : seconds % 60 == 0
        ? (seconds / 60, ("minute", "minutes", "jede Minute", "Minuten"))
        : (seconds, ("second", "seconds", "jede Sekunde", "Sekunden"))
    return count == 1
      ? LocalizedText("every \(unit.0)", de: unit.2)
      : LocalizedText("every \(count) \(unit.1)", de: "alle \(count) \(unit.3)")
  }

  private static func rhythm(_ recurrence: Recurrence) -> LocalizedText {
    guard let rule = recurrence.rule else { return LocalizedText("once", de: "einmal") }
    let units: (String, String, String, String) =
      switch rule.frequency {
      case .weekly: ("week", "weeks", "jede Woche", "Wochen")
      case .monthly: ("month", "months", "jeden Monat", "Monate")
      case .yearly: ("year", "years", "jedes Jahr", "Jahre")
      default: ("day", "days", "jeden Tag", "Tage")
      }
    var text =
      rule.interval == 1
      ? LocalizedText("every \(units.0)", de: units.2)
      : LocalizedText("every \(rule.interval) \(units.1)", de: "alle \(rule.interval) \(units.3)")
    let days = rule.days.sorted { ($0.day + 6) % 7 < ($1.day + 6) % 7 }
    if !days.isEmpty {
      let names = days.map { numbered($0) }
      text =
        text
        + LocalizedText(
          " on " + names.map(\.english).joined(separator: ", "),
          de: " am " + names.map(\.german).joined(separator: ", "))
    }
    if let days = rule.numbers[.dayOfMonth], let last = days.max(), days.count > 1, rule.numbers[.position] != nil {
      text =
        text
        + LocalizedText(
          " on day \(last), in shorter months on the last day", de: " am \(last)., in kürzeren Monaten am letzten Tag")
    } else if let days = rule.numbers[.dayOfMonth], days.count > 1 {
      let sorted = days.sorted()
      text =
        text
        + LocalizedText(
          " on days " + sorted.map { "\($0)" }.joined(separator: ", "),
          de: " am " + sorted.map { "\($0)." }.joined(separator: ", "))
    } else if let day = rule.numbers[.dayOfMonth]?.first {
      let month = rule.numbers[.month]?.first.map { months[$0 - 1] }
      text =
        text
        + (day < 0
          ? LocalizedText(
            " on the last day" + (month.map { " of \($0.english)" } ?? ""),
            de: " am letzten Tag" + (month.map { " im \($0.german)" } ?? ""))
          : LocalizedText(
            " on day \(day)" + (month.map { " of \($0.english)" } ?? ""),
            de: " am \(day)." + (month.map { " \($0.german)" } ?? "")))
    }
    let hours = rule.numbers[.hour]?.sorted() ?? [recurrence.start.timeOfDay / 3600]
    let clocks = hours.map { clock(LocalTime(seconds: $0 * 3600 + recurrence.start.timeOfDay % 3600)).english }
    return text + LocalizedText(" at ", de: " um ") + LocalizedText(verbatim: clocks.joined(separator: ", "))
  }

  private static func numbered(_ day: RecurrenceRule.Weekday) -> LocalizedText {
    let name = weekdays[day.day]
    guard let ordinal = day.ordinal else { return name }
    return ordinal < 0
      ? LocalizedText("the last ", de: "letzten ") + name
      : LocalizedText("the \(ordinal). ", de: "\(ordinal). ") + name
  }
}
