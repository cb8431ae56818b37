public import Foundation
public import Localization

/// Times at which a schedule rests: holidays, vacations.
public struct ExceptionCalendar: Sendable, Hashable {
  /// A time that repeats, with its length in seconds.
  private struct Repeated: Sendable, Hashable {
    var recurrence: Recurrence
    var length: Int
  }

  /// Days, counted from 1970-01-01.
  private var days: Set<Int> = []
  /// Stretches of local time in seconds; the end is not part of them.
  private var spans: [Range<Int>] = []
  private var repeated: [Repeated] = []

  /// Creates a calendar without exceptions.
  public init() {}

  /// Creates a calendar from days, such as `2026-12-25`; a time of day is ignored.
  public init(days: [LocalTime]) { self.days = Set(days.map(\.day)) }

  /// Creates a calendar from iCalendar data: the time of each of its events that are not cancelled is an exception.
  ///
  /// - Parameters:
  ///   - text: The content of an .ics file.
  ///   - zone: The zone of the schedule.
  /// - Throws: The error in the data as a whole. An event that cannot be read is left out; ``leftOut(of:)`` names it.
  public init(icalendar text: String, zone: Zone) throws(ScheduleError) {
    let events = try CalendarFile.entries(text).compactMap { try? $0.item.get() }.filter { $0.kind == .event }
    // Times of repeated events that were moved or cancelled.
    let replaced = Dictionary(grouping: events.filter { $0.replaces != nil }, by: \.uid)
    for var item in events where item.status != "CANCELLED" {
      guard let start = item.start else { continue }
      if item.replaces == nil { item.excluded += replaced[item.uid]?.compactMap(\.replaces) ?? [] }
      let local = start.local(in: zone)
      let length = item.length ?? (start.isDate ? Civil.secondsPerDay : 0)
      guard length > 0 else { continue }
      if let recurrence = item.recurrence(in: zone), item.isRepeated {
        repeated.append(Repeated(recurrence: recurrence, length: length))
      } else if start.isDate, length == Civil.secondsPerDay {
        days.insert(local.day)
      } else {
        spans.append(local.seconds..<local.seconds + length)
      }
    }
  }

  /// The events of iCalendar data that are not exceptions because they cannot be read, each with what is wrong.
  public static func leftOut(of text: String) throws(ScheduleError) -> [(title: String, reason: LocalizedText)] {
    try CalendarFile.entries(text).compactMap { entry in
      switch entry.item {
      case .failure(let error): (entry.title, error.text)
      case .success(let item):
        item.kind == .event && item.length == nil && item.start?.isDate != true
          ? item.unreadable.first.map { (entry.title, $0) } : nil
      }
    }
  }

  /// Adds the exceptions of another calendar.
  public mutating func formUnion(_ other: ExceptionCalendar) {
    days.formUnion(other.days)
    spans += other.spans
    repeated += other.repeated
  }

  /// Whether nothing is an exception.
  public var isEmpty: Bool { days.isEmpty && spans.isEmpty && repeated.isEmpty }

  /// Whether a moment is an exception.
  public func contains(_ date: Date, in zone: Zone) -> Bool { end(of: zone.local(date).seconds) != nil }

  /// Where the exception ends that a time lies in, both in seconds of ``LocalTime``; `nil` if it lies in none.
  func end(of local: Int) -> Int? {
    let day = Civil.floor(local, Civil.secondsPerDay)
    if days.contains(day) { return (day + 1) * Civil.secondsPerDay }
    if let span = spans.first(where: { $0.contains(local) }) { return span.upperBound }
    for one in repeated {
      if let start = one.recurrence.first(atOrAfter: local - one.length + 1), start <= local {
        return start + one.length
      }
    }
    return nil
  }
}
