import Foundation
import Localization
import RecipeSyntax
public import Schedules
import Schemas

extension Schedule {
  /// The zone whose clock counts.
  public var zone: Zone { timezone.flatMap { Zone($0) } ?? .current }

  /// The points in time, which can be asked what comes next. This is the only place that turns a recipe's schedule into
  /// points, for the daemon as for whoever looks what comes.
  ///
  /// A recurrence rule counts from ``start``, and ``Pattern/every(_:)`` from ``anchor`` or else from ``start``; without them
  /// both count from midnight of 2001-01-01, a Monday, on the zone's clock.
  ///
  /// - Throws: `ScheduleError` where a file with exceptions cannot be read.
  public func points() throws(ScheduleError) -> Schedules.Schedule {
    let zone = zone
    var points = Schedules.Schedule(form(zone), zone: zone)
    points.missing = MissingTime(rawValue: missing.rawValue) ?? .standard
    points.repeated = RepeatedTime(rawValue: repeated.rawValue) ?? .first
    points.start = start?.moment(in: zone)
    points.end = end?.lastMoment(in: zone)
    points.exceptions = try calendar(zone)
    return points
  }

  /// The form of the points in a zone.
  func form(_ zone: Zone) -> Schedules.Schedule.Form {
    let epoch = Schedules.Schedule.usualAnchor
    switch pattern {
    case .cron(let cron): return .cron(cron)
    case .every(let seconds):
      let anchor = (anchor ?? start)?.moment(in: zone) ?? zone.moment(epoch)
      return .every(seconds: max(1, Int(min(seconds, 1e12))), anchor: anchor)
    case .rrule(let rule):
      var first = start?.local(in: zone) ?? epoch
      if let at { first = LocalTime(seconds: first.seconds - Self.timeOfDay(first.seconds) + at.seconds) }
      return .recurrence(Recurrence(rule, start: first, zone: zone))
    case .once(let times):
      guard times.allSatisfy(\.isLocal) else { return .moments(times.map { $0.moment(in: zone, at: at) }.sorted()) }
      return .once(times.map { $0.local(in: zone, at: at) }.sorted())
    case .sun(let event, let place, let offset): return .sun(event, place, offset: offset)
    }
  }

  private static func timeOfDay(_ seconds: Int) -> Int { (seconds % 86_400 + 86_400) % 86_400 }

  /// The days and the events of files at which it rests.
  private func calendar(_ zone: Zone) throws(ScheduleError) -> ExceptionCalendar {
    var calendar = ExceptionCalendar(days: exceptions.days)
    for file in exceptions.files {
      guard let text = (try? RecipeFiles().text(file)) ?? nil else {
        throw ScheduleError(
          .invalidCalendar,
          .init("the calendar '\(file)' cannot be read", de: "der Kalender '\(file)' lässt sich nicht lesen"),
          advice: .init(
            "name an .ics file, from the recipe's folder on", de: "eine .ics-Datei nennen, vom Ordner des Rezepts an"),
          range: 0..<0)
      }
      calendar.formUnion(
        try ExceptionCalendar(icalendar: String(decoding: text.bytes, as: UTF8.self), zone: zone))
    }
    return calendar
  }

  /// What makes it another schedule when it changes. How missed points and overlaps are treated does not.
  public var facts: [String] {
    let times = [at?.description ?? "", timezone ?? "", missing.rawValue, repeated.rawValue]
    let more: [(String, String?)] = [
      ("start", start?.description), ("end", end?.description), ("anchor", anchor?.description),
      ("days", exceptions.days.isEmpty ? nil : exceptions.days.map(\.description).joined(separator: ",")),
      ("files", exceptions.files.isEmpty ? nil : exceptions.files.joined(separator: ",")),
    ]
    return [patternText] + times + more.compactMap { name, text in text.map { "\(name) \($0)" } }
  }
}
