import Foundation
import ICalendar

/// The zones that a calendar defines by `VTIMEZONE` (RFC 5545, section 3.6.5).
struct ZoneDefinition {
  /// `STANDARD` or `DAYLIGHT`: from when on a distance from UTC is in force.
  private struct Observance {
    var start: LocalTime?
    var from: Int?
    var to: Int?
    var rule: String?
    var additional: [LocalTime] = []
  }

  /// The most definitions, and the most observances of one, that are read.
  private static let most = 1000
  private static let years = 1990...2080

  private var identifier: String?
  private var location: String?
  private var observances: [Observance] = []

  /// The zones of a calendar by their `TZID`.
  static func zones(_ lines: [ContentLine]) -> [String: Zone] {
    var zones: [String: Zone] = [:]
    var open: ZoneDefinition?
    var isObservance = false
    for line in lines {
      switch (line.name, line.value.uppercased()) {
      case ("BEGIN", "VTIMEZONE"): open = ZoneDefinition()
      case ("END", "VTIMEZONE"):
        if let open, let name = open.identifier, zones.count < most { zones[name] = open.zone }
        open = nil
      case ("BEGIN", "STANDARD"), ("BEGIN", "DAYLIGHT"):
        isObservance = open.map { $0.observances.count < most } ?? false
        if isObservance { open?.observances.append(Observance()) }
      case ("END", "STANDARD"), ("END", "DAYLIGHT"): isObservance = false
      default: if open != nil { open?.take(line, isObservance: isObservance) }
      }
    }
    return zones
  }

  private mutating func take(_ line: ContentLine, isObservance: Bool) {
    let last = observances.count - 1
    switch (line.name, isObservance) {
    case ("TZID", false): identifier = line.value.trimmingCharacters(in: .whitespaces)
    case ("X-LIC-LOCATION", false): location = line.value.trimmingCharacters(in: .whitespaces)
    case ("DTSTART", true): observances[last].start = (try? CalendarTime.one(line))?.local
    case ("RDATE", true): observances[last].additional += ((try? CalendarTime.all(line)) ?? []).map(\.local)
    case ("RRULE", true): observances[last].rule = line.value
    case ("TZOFFSETFROM", true): observances[last].from = Self.offset(line.value)
    case ("TZOFFSETTO", true): observances[last].to = Self.offset(line.value)
    default: break
    }
  }

  /// `+0100`, `-033000`: seconds east of UTC.
  private static func offset(_ text: String) -> Int? {
    let sign = text.first == "-" ? -1 : 1
    let digits = Array((text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]).utf8)
    guard [4, 6].contains(digits.count), let hours = Digits.number(digits[..<2]),
      let minutes = Digits.number(digits[2..<4]),
      let seconds = digits.count == 6 ? Digits.number(digits[4...]) : 0, hours < 24, minutes < 60, seconds < 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60 + seconds)
  }

  /// The zone: the one of the zone database that shows the same time, else one of its own. `nil` if the definition cannot be
  /// read.
  private var zone: Zone? {
    var changes: [(moment: Int, offset: Int)] = []
    var base: (moment: Int, offset: Int)?
    for observance in observances {
      guard let start = observance.start, let from = observance.from, let to = observance.to else { return nil }
      let clock = Zone("offset", ZoneFile(changes: [], first: from))
      var locals = [start.seconds] + observance.additional.map(\.seconds)
      if let text = observance.rule {
        guard let rule = try? RecurrenceRule(text) else { return nil }
        let series = Recurrence(rule, start: start, zone: clock)
        let (first, last) = (Civil.day(Self.years.lowerBound, 1, 1), Civil.day(Self.years.upperBound, 1, 1))
        var next = series.first(atOrAfter: max(start.seconds, first * Civil.secondsPerDay))
        while let local = next, local < last * Civil.secondsPerDay, locals.count < 5000 {
          locals.append(local)
          next = series.first(atOrAfter: local + 1)
        }
      }
      changes += Set(locals).map { ($0 - from, to) }
      let first = (start.seconds - from, from)
      if base.map({ first.0 < $0.moment }) ?? true { base = first }
    }
    guard let base, let identifier else { return nil }
    let file = ZoneFile(changes: changes.sorted { $0.moment < $1.moment }, first: base.offset)
    let names = [location, identifier, WindowsZones.table[identifier]].compactMap(\.self)
    return Zone.like(file, trying: names + [ZoneNames.zone(identifier)?.identifier].compactMap(\.self))
      ?? Zone(identifier, file)
  }
}
