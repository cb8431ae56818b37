import Access
import Engine
import Expressions
import Foundation
import Page
import RunStore
import UseCases

/// Schedules, triggers and notifications.
enum SchedulePages {
  static let all: [PageRoute] = [schedules, triggers, notifications]

  private static let schedules = PageRoute("/schedules", .may(.read, .schedules)) { request in
    let page = try await request.json("listSchedules")
    let project = request.base.services.session.project
    let files = Set(
      (page["items"]?.listValue ?? []).map { String(($0["source"]?.stringValue ?? "").prefix { $0 != "#" }) })
    let calendar = MonthCalendar(request.query["month"], now: Date())
    var points: [SchedulesPage.Point] = []
    var names: [String: String] = [:]
    for schedule in page["items"]?.listValue ?? [] {
      let source = schedule["source"]?.stringValue ?? ""
      names[source] = schedule["recipe"]?.stringValue ?? ""
    }
    for occurrence in try await request.base.services.workspace.occurrences(of: nil, limit: 1000) {
      let date = Date(timeIntervalSince1970: Double(occurrence.at.seconds))
      guard let place = calendar.place(of: date), let name = names[occurrence.source] else { continue }
      points.append(
        SchedulesPage.Point(
          day: place.day, clock: place.clock, recipe: name, outcome: occurrence.outcome.rawValue,
          run: occurrence.run?.rawValue))
    }
    let paused = Set(
      (page["items"]?.listValue ?? []).filter { $0["paused"] == true }.map {
        String(($0["source"]?.stringValue ?? "").prefix { $0 != "#" })
      })
    for file in files.subtracting(paused).sorted().prefix(100) {
      let name = names.first { $0.key.hasPrefix(file + "#") }?.value ?? ""
      for point in (try? project.points(of: file, after: max(Date(), calendar.start), count: 400)) ?? [] {
        guard let place = calendar.place(of: point.at) else { continue }
        points.append(SchedulesPage.Point(day: place.day, clock: place.clock, recipe: name))
      }
    }
    points.sort { ($0.day, $0.clock, $0.recipe) < ($1.day, $1.clock, $1.recipe) }
    return SchedulesPage(page, patterns: project.schedulePatterns(of: files), month: calendar.month, points: points)
  }

  private static let triggers = PageRoute("/triggers", .may(.read, .triggers)) { request in
    TriggersPage(try await request.json("listTriggers"))
  }

  private static let notifications = PageRoute("/notifications", .may(.read, .notifications)) { request in
    NotificationsPage(try await request.json("listNotifications", query: ["limit": 100]))
  }
}

/// A month in the time zone of the server.
struct MonthCalendar {
  /// The month for the page.
  let month: SchedulesPage.Month
  /// Its beginning.
  let start: Date
  private let end: Date
  private let calendar: Calendar

  /// Reads `2026-11`; other texts mean the current month.
  init(_ text: String?, now: Date, zone: TimeZone = .current) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var parts = calendar.dateComponents([.year, .month], from: now)
    let numbers = (text ?? "").split(separator: "-").compactMap { Int($0) }
    if numbers.count == 2, (1970...2200).contains(numbers[0]), (1...12).contains(numbers[1]) {
      (parts.year, parts.month) = (numbers[0], numbers[1])
    }
    let start = calendar.date(from: parts) ?? now
    let end = calendar.date(byAdding: .month, value: 1, to: start) ?? now
    let days = calendar.dateComponents([.day], from: start, to: end).day ?? 30
    // Foundation counts weekdays from Sunday, 1.
    let weekday = (calendar.component(.weekday, from: start) + 5) % 7
    let today = now >= start && now < end ? calendar.component(.day, from: now) : nil
    month = SchedulesPage.Month(
      year: parts.year ?? 1970, month: parts.month ?? 1, days: days, start: weekday, today: today, zone: zone.identifier
    )
    (self.start, self.end, self.calendar) = (start, end, calendar)
  }

  /// Day and clock time; `nil` outside of the month.
  func place(of date: Date) -> (day: Int, clock: String)? {
    guard date >= start, date < end else { return nil }
    let parts = calendar.dateComponents([.day, .hour, .minute], from: date)
    let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
    return (parts.day ?? 1, (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)")
  }
}
