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
