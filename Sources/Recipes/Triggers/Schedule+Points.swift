public import Foundation
public import Schedules

extension Schedule {
  /// The points in time, which can be asked what comes next.
  ///
  /// - Parameters:
  ///   - name: The schedule's name.
  ///   - start: When the schedule began to hold; intervals of recurrence rules and their `COUNT` count from that day.
  public func points(name: String, start: Date) -> Schedules.Schedule {
    let zone = timezone.flatMap { Zone($0) } ?? .current
    var points = Schedules.Schedule(form(zone, start), zone: zone)
    points.missing = missing == .skip ? .skip : .shift
    switch repeated {
    case .first: points.repeated = .first
    case .last: points.repeated = .last
    case .both: points.repeated = .both
    }
    points.name = name
    return points
  }

  private func form(_ zone: Zone, _ start: Date) -> Schedules.Schedule.Form {
    switch pattern {
    case .cron(let cron): return .cron(cron)
    case .every(let seconds):
      // Full hours, quarters of an hour and so on: counted from a Monday's midnight.
      let anchor = LocalTime(year: 2001, month: 1, day: 1).map { zone.moment($0) }
      return .every(seconds: max(1, Int(min(seconds, 1e12).rounded(.up))), anchor: anchor ?? start)
    case .rrule(let rule):
      let local = zone.local(start).seconds
      let midnight = local - (local % 86_400 + 86_400) % 86_400
      let time = at.map { $0.hour * 3600 + $0.minute * 60 + $0.second } ?? 0
      return .recurrence(Recurrence(rule, start: LocalTime(seconds: midnight + time), zone: zone))
    }
  }
}
