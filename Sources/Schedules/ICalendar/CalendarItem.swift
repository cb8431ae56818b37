public import Foundation
public import Localization

/// An event or a task of a calendar, as far as reminders go (RFC 5545, sections 3.6.1 and 3.6.2).
public struct CalendarItem: Sendable, Hashable {
  /// The sorts of items.
  public enum Kind: String, Sendable {
    /// `VEVENT`.
    case event = "VEVENT"
    /// `VTODO`.
    case task = "VTODO"
  }

  /// `VALARM`: when to remind of an item.
  public struct Alarm: Sendable, Hashable {
    /// When the alarm goes off.
    public enum Trigger: Sendable, Hashable {
      /// So many seconds after the start; negative for before.
      case fromStart(Int)
      /// So many seconds after the end of an event, or after a task is due; negative for before.
      case fromEnd(Int)
      /// At a moment.
      case at(Date)
    }

    /// When it goes off.
    public var trigger: Trigger
    /// How often it is repeated after the first time.
    public var repetitions = 0
    /// Seconds from one time to the next.
    public var interval = 0

    /// Creates an alarm.
    public init(_ trigger: Trigger, repetitions: Int = 0, interval: Int = 0) {
      (self.trigger, self.repetitions, self.interval) = (trigger, repetitions, interval)
    }
  }

  /// Event or task.
  public var kind: Kind
  /// The unique identifier.
  public var uid: String
  /// The summary.
  public var summary: String
  /// More about it.
  public var details: String?
  /// `DTSTART`.
  public var start: CalendarTime?
  /// `DTEND` of an event, `DUE` of a task.
  public var end: CalendarTime?
  /// `DURATION`, in seconds.
  public var duration: Int?
  /// `RRULE`.
  public var rule: RecurrenceRule?
  /// `RDATE`.
  public var additional: [CalendarTime] = []
  /// `EXDATE`.
  public var excluded: [CalendarTime] = []
  /// `RECURRENCE-ID`: which time of a repeated item with the same ``uid`` this one represents.
  public var replaces: CalendarTime?
  /// `VALARM`.
  public var alarms: [Alarm] = []
  /// `STATUS` in upper case, such as `COMPLETED`, `CANCELLED`, `CONFIRMED`.
  public var status: String?
  /// The errors in alarms and in the end of an event, which are left out if the rest can be read.
  public var unreadable: [LocalizedText] = []

  /// Creates an item.
  public init(_ kind: Kind, uid: String, summary: String) {
    (self.kind, self.uid, self.summary) = (kind, uid, summary)
  }

  /// Whether it has several times.
  public var isRepeated: Bool { rule != nil || !additional.isEmpty }

  /// How long it takes in seconds, by its end or its duration.
  public var length: Int? {
    if let duration { return duration }
    guard let start, let end else { return nil }
    if let zone = start.zone, let other = end.zone, zone != other {
      return Int(other.moment(end.local).timeIntervalSince(zone.moment(start.local)))
    }
    return end.local.seconds - start.local.seconds
  }

  /// The times of the item on a clock; `nil` if it has no time at all.
  ///
  /// A task without a start counts from when it is due.
  public func recurrence(in zone: Zone) -> Recurrence? {
    guard let first = start ?? end else { return nil }
    let dates = excluded.filter(\.isDate)
    return Recurrence(
      rule, start: first.local(in: zone), isDate: first.isDate, additional: additional.map { $0.local(in: zone) },
      excluded: Set(excluded.filter { !$0.isDate }.map { $0.local(in: zone) }), excludedDays: dates.map(\.local),
      zone: zone)
  }

  /// When the item takes place, or is due.
  ///
  /// - Parameter zone: The zone of times that have none of their own.
  public func schedule(in zone: Zone) -> Schedule? {
    let own = (start ?? end)?.zone ?? zone
    return recurrence(in: own).map { Schedule(.recurrence($0), zone: own) }
  }
}
