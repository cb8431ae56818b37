public import Foundation
import ICalendar
import Localization

/// A time in iCalendar data: a day, or a time of day in a zone or wherever one is (RFC 5545, sections 3.3.4 and 3.3.5).
public struct CalendarTime: Sendable, Hashable {
  /// The local time.
  public var local: LocalTime
  /// Whether it is a whole day.
  public var isDate: Bool
  /// Where the clock hangs; `nil` for a day and for a time that holds wherever one is.
  public var zone: Zone?

  /// Creates a time.
  public init(_ local: LocalTime, isDate: Bool = false, zone: Zone? = nil) {
    (self.local, self.isDate, self.zone) = (local, isDate, zone)
  }

  /// The moment, for a clock without a zone in another one's zone.
  public func moment(in zone: Zone) -> Date { (self.zone ?? zone).moment(local) }

  /// The local time in a zone.
  public func local(in zone: Zone) -> LocalTime {
    guard let own = self.zone, own != zone else { return local }
    return zone.local(own.moment(local))
  }

  /// The times of a line, separated by commas.
  static func all(_ line: ContentLine, zones: [String: Zone] = [:]) throws(ScheduleError) -> [CalendarTime] {
    var times: [CalendarTime] = []
    for part in line.value.split(separator: ",", omittingEmptySubsequences: false) {
      // A period begins with its start.
      let value = part.split(separator: "/").first ?? ""
      guard let (local, isDate, isUTC) = read(value), times.count < 100_000 else { throw line.wrong() }
      let zone = isDate ? nil : isUTC ? Zone.utc : try self.zone(line, zones)
      times.append(CalendarTime(local, isDate: isDate, zone: zone))
    }
    return times
  }

  /// The time of a line.
  static func one(_ line: ContentLine, zones: [String: Zone] = [:]) throws(ScheduleError) -> CalendarTime {
    let times = try all(line, zones: zones)
    guard let time = times.first, times.count == 1 else { throw line.wrong() }
    return time
  }

  private static func read(_ text: Substring) -> (LocalTime, isDate: Bool, isUTC: Bool)? {
    let bytes = Array(text.utf8)
    guard [8, 15, 16].contains(bytes.count), let year = Digits.number(bytes[0..<4]),
      let month = Digits.number(bytes[4..<6]), let day = Digits.number(bytes[6..<8])
    else { return nil }
    if bytes.count == 8 { return LocalTime(year: year, month: month, day: day).map { ($0, true, false) } }
    guard bytes[8] == UInt8(ascii: "T"), let hour = Digits.number(bytes[9..<11]),
      let minute = Digits.number(bytes[11..<13]), let second = Digits.number(bytes[13..<15]),
      bytes.count == 15 || bytes[15] == UInt8(ascii: "Z")
    else { return nil }
    // A leap second has no place on a clock of 60 seconds.
    return LocalTime(year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59))
      .map { ($0, false, bytes.count == 16) }
  }

  private static func zone(_ line: ContentLine, _ zones: [String: Zone]) throws(ScheduleError) -> Zone? {
    guard let identifier = line.parameter("TZID")?.trimmingCharacters(in: .whitespaces) else { return nil }
    // RFC 5545, section 3.2.19: the name means what the file defines.
    if let zone = zones[identifier] ?? ZoneNames.zone(identifier) { return zone }
    throw ScheduleError(
      .unknownZone,
      LocalizedText("unknown time zone '\(identifier)'", de: "unbekannte Zeitzone '\(identifier)'"),
      advice: LocalizedText(
        "name it as the zone database does, such as Europe/Zurich",
        de: "sie so nennen wie die Zeitzonen-Datenbank, etwa Europe/Zurich"), range: line.range)
  }

  /// As iCalendar writes it: `20261124T090000`, with a `Z` in UTC, `20261124` for a day.
  var text: String {
    let compact = local.description.filter { $0 != "-" && $0 != ":" }
    if isDate { return String(compact.prefix(8)) }
    return compact + (zone == .utc ? "Z" : "")
  }

  /// A line with the time.
  func line(_ name: String) -> String {
    if isDate { return "\(name);VALUE=DATE:\(text)" }
    guard let zone, zone != .utc else { return "\(name):\(text)" }
    return "\(name);TZID=\(zone.identifier):\(text)"
  }
}

/// Names of zones that programs use beside those of the zone database.
enum ZoneNames {
  /// The zone that a calendar names without a definition of it.
  static func zone(_ identifier: String) -> Zone? {
    if let zone = Zone(identifier) ?? WindowsZones.table[identifier].flatMap({ Zone($0) }) { return zone }
    if identifier.lowercased() == "tzone://microsoft/utc" { return .utc }
    // `/freeassociation.sourceforge.net/Europe/Zurich`, `/citadel.org/20250101_1/America/New_York`.
    guard identifier.hasPrefix("/") else { return nil }
    let parts = identifier.split(separator: "/")
    return (1...3).reversed().lazy.filter { $0 < parts.count }
      .compactMap { Zone(parts.suffix($0).joined(separator: "/")) }.first
  }
}
