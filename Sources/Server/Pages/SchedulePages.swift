import Access
import Engine
import Expressions
import Foundation
import Page
import RunStore
import Schedules
import UseCases

/// Schedules, triggers and notifications.
enum SchedulePages {
  static let all: [PageRoute] = [schedules, triggers, notifications]

  private static let schedules = PageRoute("/schedules", .may(.read, .schedules)) { request in
    let page = try await request.json("listSchedules")
    let project = request.base.services.session.project
    let files = Set(
      (page["items"]?.listValue ?? []).map { String(($0["source"]?.stringValue ?? "").prefix { $0 != "#" }) })
    let calendar = MonthCalendar(request.query["month"], now: Date(), zone: request.context.zone)
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
    let paused = Self.paused(page)
    for file in files.sorted().prefix(100) {
      let name = names.first { $0.key.hasPrefix(file + "#") }?.value ?? ""
      for point in (try? project.points(of: file, after: max(Date(), calendar.start), count: 400, without: paused))
        ?? []
      {
        guard let place = calendar.place(of: point.at) else { continue }
        points.append(SchedulesPage.Point(day: place.day, clock: place.clock, recipe: name))
      }
    }
    points.sort { ($0.day, $0.clock, $0.recipe) < ($1.day, $1.clock, $1.recipe) }
    let rhythms = project.scheduleRhythms(of: files).mapValues {
      SchedulesPage.Rhythm(source: $0.source, words: $0.words)
    }
    return SchedulesPage(page, rhythms: rhythms, month: calendar.month, points: points)
  }

  /// The paused schedules of a list, by their sources.
  static func paused(_ page: Value) -> Set<String> {
    Set((page["items"]?.listValue ?? []).filter { $0["paused"] == true }.compactMap { $0["source"]?.stringValue })
  }

  private static let triggers = PageRoute("/triggers", .may(.read, .triggers)) { request in
    TriggersPage(try await request.json("listTriggers"))
  }

  private static let notifications = PageRoute("/notifications", .may(.read, .notifications)) { request in
    NotificationsPage(try await request.json("listNotifications", query: ["limit": 100]))
  }
}

/// A month on the clock of a zone.
struct MonthCalendar {
  /// The month for the page.
  let month: SchedulesPage.Month
  /// Its beginning.
  let start: Date
  private let end: Date
  private let zone: Zone

  /// Reads `2026-11`; other texts mean the current month.
  init(_ text: String?, now: Date, zone: Zone = .current) {
    let today = Self.parts(zone.local(now))
    var (year, month) = (today.year, today.month)
    let numbers = (text ?? "").split(separator: "-").compactMap { Int($0) }
    if numbers.count == 2, (1970...2200).contains(numbers[0]), (1...12).contains(numbers[1]) {
      (year, month) = (numbers[0], numbers[1])
    }
    let first = LocalTime(year: year, month: month, day: 1) ?? LocalTime(seconds: 0)
    let last =
      (month == 12 ? LocalTime(year: year + 1, month: 1, day: 1) : LocalTime(year: year, month: month + 1, day: 1))
      ?? first
    let days = (last.seconds - first.seconds) / 86_400
    // 1970-01-01 was a Thursday.
    let weekday = ((first.seconds / 86_400 + 3) % 7 + 7) % 7
    self.month = SchedulesPage.Month(
      year: year, month: month, days: days, start: weekday,
      today: (today.year, today.month) == (year, month) ? today.day : nil, zone: zone.identifier)
    (start, end, self.zone) = (zone.moment(first), zone.moment(last), zone)
  }

  /// Day and clock time; `nil` outside of the month.
  func place(of date: Date) -> (day: Int, clock: String)? {
    guard date >= start, date < end else { return nil }
    let local = zone.local(date)
    return (Self.parts(local).day, String(local.description.dropFirst(11).prefix(5)))
  }

  private static func parts(_ local: LocalTime) -> (year: Int, month: Int, day: Int) {
    let numbers = local.description.prefix(10).split(separator: "-").compactMap { Int($0) }
    return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2]) : (1970, 1, 1)
  }
}
