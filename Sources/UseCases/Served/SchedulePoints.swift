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
