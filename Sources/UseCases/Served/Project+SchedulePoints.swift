public import Foundation
public import Localization
import Plans
import Schedules

/// A point of a recipe's schedule, with the zone whose clock it is on.
public struct ComingPoint: Sendable {
  /// The point.
  public let at: Date
  /// `2026-11-23T07:00:00+01:00`.
  public let text: String
}

extension Project {
  /// What comes next of the schedules of a recipe, as the daemon reckons it.
  ///
  /// - Parameters:
  ///   - name: The recipe's file, or its name where it is served.
  ///   - moment: What comes after it.
  ///   - count: At most so many points.
  ///   - paused: Schedules that do not count, by their names in the run log: `FILE#KEY`.
  /// - Throws: ``UseCaseError`` where there is no such recipe, or where it has no schedule.
  public func points(
    of name: String, after moment: Date, count: Int, without paused: Set<String> = []
  ) throws(UseCaseError) -> [ComingPoint] {
    let plan = try plan(name)
    var points: [ComingPoint] = []
    var hasSchedule = false
    for case .schedule(let schedule) in plan.triggers.map(\.kind) {
      hasSchedule = true
      if paused.contains("\(name)#\(schedule.key)") { continue }
      do throws(ScheduleError) {
        let own = try schedule.points()
        points += own.occurrences(after: moment).prefix(count).map { .init(at: $0, text: own.zone.rfc3339($0)) }
      } catch {
        throw .wrongInput(error.text)
      }
    }
    guard hasSchedule else {
      throw .notFound(.init("'\(name)' has no schedule", de: "'\(name)' hat keinen Zeitplan"))
    }
    return Array(points.sorted { $0.at < $1.at }.prefix(count))
  }

  /// The rhythms of the schedules of some files by their names in the run log, `FILE#KEY`: in words, and as the recipe says it.
  /// Those of files that cannot be used are left out.
  public func scheduleRhythms(
    of files: some Sequence<String>
  ) -> [String: (words: LocalizedText, source: String)] {
    var rhythms: [String: (words: LocalizedText, source: String)] = [:]
    for file in files {
      guard let plan = try? plan(file) else { continue }
      for case .schedule(let schedule) in plan.triggers.map(\.kind) {
        rhythms["\(file)#\(schedule.key)"] = (schedule.words, schedule.sourceText)
      }
    }
    return rhythms
  }
}
