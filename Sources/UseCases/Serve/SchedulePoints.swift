import Engine
import Expressions
import Foundation
import Recipes
import Schedules

/// The points of a schedule of `Schedules`.
struct SchedulePoints: OccurrenceSource {
  let schedule: Schedules.Schedule

  func next(after moment: Timestamp) -> Timestamp? {
    let date = schedule.next(after: Date(timeIntervalSince1970: Double(moment.seconds)))
    return date.map { Timestamp(seconds: Int64($0.timeIntervalSince1970.rounded())) }
  }
}

/// The points of another source, each some seconds earlier.
struct EarlierPoints: OccurrenceSource {
  private let source: any OccurrenceSource
  private let seconds: Double

  init(_ source: any OccurrenceSource, by seconds: Double) { (self.source, self.seconds) = (source, seconds) }

  func next(after moment: Timestamp) -> Timestamp? {
    source.next(after: moment.adding(seconds: seconds))?.adding(seconds: -seconds)
  }
}

extension Recipes.Schedule {
  /// The points; `nil` where they cannot be told, as a rule counts them and has no start.
  var points: (any OccurrenceSource)? {
    let zone = timezone.flatMap { Zone($0) } ?? .current
    let form: Schedules.Schedule.Form
    switch pattern {
    case .every(let seconds): return EvenPoints(every: seconds)
    case .cron(let cron): form = .cron(cron)
    case .rrule(let rule):
      // Without a start of their own, rules are counted from the first day that Unix knows.
      guard rule.count == nil,
        let start = LocalTime(
          year: 1970, month: 1, day: 1, hour: at?.hour ?? 0, minute: at?.minute ?? 0, second: at?.second ?? 0)
      else { return nil }
      form = .recurrence(Recurrence(rule, start: start, zone: zone))
    }
    return SchedulePoints(
      schedule: Schedules.Schedule(
        form, zone: zone, missing: MissingTime(rawValue: missing.rawValue) ?? .shift,
        repeated: RepeatedTime(rawValue: repeated.rawValue) ?? .first))
  }

  /// What makes it another schedule when it changes. How missed points and overlaps are treated does not.
  var facts: [String] {
    let pattern =
      switch pattern {
      case .cron(let cron): "cron \(cron.source)"
      case .rrule(let rule): "rrule \(rule.source)"
      case .every(let seconds): "every \(seconds)"
      }
    return [pattern, at?.description ?? "", timezone ?? "", missing.rawValue, repeated.rawValue]
  }
}
