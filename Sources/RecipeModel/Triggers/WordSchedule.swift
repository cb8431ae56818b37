import Foundation
import Localization
import Plans
import Schedules

/// A schedule in words: `schedule: every monday at 8`.
///
/// The words are read as if it were the usual start of rules (midnight of 2001-01-01, a Monday), so that a recipe means the same
/// whenever it is read: `every month` is the first of the month at 09:00, and `every 2 weeks` counts from that Monday.
struct WordSchedule {
  let text: String
  /// The recipe's name, for `H` in cron text.
  let name: String

  init(_ text: String, name: String) { (self.text, self.name) = (text, name) }

  /// The schedule; `nil` if the words do not name one, which is reported.
  func schedule(_ report: (LocalizedText) -> Void) -> Plans.Schedule? {
    let zone = Zone.current
    let start = zone.moment(Schedules.Schedule.usualAnchor)
    do throws(ScheduleError) {
      if (try? CronExpression(text, name: name)) != nil { throw form("cron") }
      if (try? RecurrenceRule(text)) != nil { throw form("rrule") }
      let reading = try Phrase.read(text, now: start, zone: zone)
      guard case .clear(let phrase) = reading else {
        let list = reading.choices.map(\.understood)
        throw error(
          LocalizedText(
            "'\(text)' has several meanings: \(list.map(\.english).joined(separator: "; "))",
            de: "'\(text)' hat mehrere Bedeutungen: \(list.map(\.german).joined(separator: "; "))"),
          LocalizedText("write the time as 08:00", de: "die Uhrzeit wie 08:00 schreiben"))
      }
      guard phrase.title.isEmpty else {
        throw error(
          LocalizedText(
            "'\(phrase.title)' is not understood as part of a time",
            de: "'\(phrase.title)' ist als Teil einer Zeit unverständlich"
          ), Self.example)
      }
      guard case .repeated(let points) = phrase.when, points.start == nil else {
        let problem =
          if case .repeated = phrase.when {
            LocalizedText("'\(text)' has a first day", de: "'\(text)' hat einen ersten Tag")
          } else {
            LocalizedText("'\(text)' does not repeat", de: "'\(text)' wiederholt sich nicht")
          }
        throw error(
          problem,
          LocalizedText(
            "write a single time as { once: 2026-12-24T18:00 }, a first day as start: 2026-12-01 beside rrule",
            de:
              "eine einzelne Zeit als { once: 2026-12-24T18:00 } schreiben, einen ersten Tag als start: 2026-12-01 neben "
              + "rrule"))
      }
      switch points.form {
      case .every(let seconds, _): return Plans.Schedule(.every(Double(seconds)))
      case .recurrence(let series):
        guard let rule = series.rule else { return nil }
        var schedule = Plans.Schedule(.rrule(rule))
        schedule.at = TimeOfDay(String(series.start.description.suffix(8)))
        return schedule
      default: return nil
      }
    } catch {
      report(LocalizedText("'schedule': ", de: "'schedule': ") + error.text)
      return nil
    }
  }

  private func form(_ key: String) -> ScheduleError {
    error(
      LocalizedText("'\(text)' is text for \(key)", de: "'\(text)' ist Text für \(key)"),
      LocalizedText("write schedule: { \(key): \"\(text)\" }", de: "schedule: { \(key): \"\(text)\" } schreiben"))
  }

  private func error(_ message: LocalizedText, _ advice: LocalizedText) -> ScheduleError {
    ScheduleError(.notUnderstood, message, advice: advice, range: 0..<text.utf8.count)
  }

  private static let example = LocalizedText(
    "write words such as 'every monday at 8', or a map with cron, rrule, every, once or sun",
    de: "Worte wie 'jeden Montag um 8' schreiben, oder eine Map mit cron, rrule, every, once oder sun")
}
