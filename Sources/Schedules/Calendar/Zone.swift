public import Foundation
private import Synchronization

/// A time zone of the zone database, with its clock changes at hand.
///
/// The changes come from the system's zone database, or where it has none of that name from Foundation's. Those of each year
/// that is asked about are found once and kept for the whole process.
public struct Zone: Sendable, Hashable, CustomStringConvertible {
  /// A stretch of time in which the distance from UTC stays the same.
  struct Segment: Sendable {
    /// The first moment of it, in seconds since 1970.
    var start: Int
    /// The first moment after it.
    var end: Int
    /// Seconds east of UTC.
    var offset: Int
  }

  private let table: ZoneTable

  /// Coordinated Universal Time.
  public static let utc = Zone(table: ZoneTable("UTC", TimeZone(secondsFromGMT: 0) ?? .current, isFixed: true))

  private init(table: ZoneTable) { self.table = table }

  /// Finds a zone by its name in the zone database, such as `Europe/Zurich` or `UTC`.
  ///
  /// - Returns: `nil` if there is no such zone. An abbreviation such as `EST` or `BST` is not a zone: several places share it,
  ///   and it names one half of the year.
  public init?(_ identifier: String) {
    guard !Self.isAbbreviation(identifier), let table = ZoneTable.named(identifier) else { return nil }
    self.table = table
  }

  /// Finds a zone by its name, even if the name looks like an abbreviation.
  init?(databaseName identifier: String) {
    guard let table = ZoneTable.named(identifier) else { return nil }
    self.table = table
  }

  /// A zone of its own, from its clock changes.
  init(_ identifier: String, _ file: ZoneFile) { table = ZoneTable(identifier, file) }

  /// Whether a text is an abbreviation such as `CET`, `PST` or `BST`.
  private static func isAbbreviation(_ text: String) -> Bool {
    (2...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5a).contains($0) }
      && !["UTC", "GMT", "UCT", "GB", "NZ", "PRC", "ROC", "ROK"].contains(text)
  }

  /// The name in the zone database.
  public var identifier: String { table.identifier }
  /// The name in the zone database.
  public var description: String { identifier }

  /// Whether two zones have the same name.
  public static func == (left: Zone, right: Zone) -> Bool { left.identifier == right.identifier }
  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// The stretch of time around a moment in seconds since 1970.
  func segment(at moment: Int) -> Segment { table.segment(at: moment) }

  /// Seconds east of UTC at a moment in seconds since 1970.
  func offset(at moment: Int) -> Int { segment(at: moment).offset }

  /// The local time in the zone at a moment.
  public func local(_ date: Date) -> LocalTime {
    let moment = date.wholeSeconds
    return LocalTime(seconds: moment + offset(at: moment))
  }

  /// The moment at which a clock in the zone shows a time.
  ///
  /// - Returns: The first such moment where the clock shows it twice; for a time that a clock change leaves out, the
  ///   moment as if the clock had not changed (RFC 5545, section 3.3.5).
  public func moment(_ local: LocalTime) -> Date {
    Date(timeIntervalSince1970: Double(seconds(local.seconds)))
  }

  /// ``moment(_:)`` in seconds.
  func seconds(_ local: Int) -> Int {
    let before = segment(at: local - 2 * Civil.secondsPerDay)
    if local - before.offset < before.end { return local - before.offset }
    var segment = before
    // Two days hold few changes; the bound is for a zone database that is out of its mind.
    for _ in 0..<16 {
      let next = self.segment(at: segment.end)
      if local - next.offset < next.start { return local - segment.offset }
      if local - next.offset < next.end { return local - next.offset }
      segment = next
    }
    return local - segment.offset
  }

  /// A moment with the zone's distance from UTC: `2026-11-23T07:00:00+01:00` (RFC 3339).
  public func rfc3339(_ date: Date) -> String {
    let moment = date.wholeSeconds
    let offset = offset(at: moment)
    // RFC 3339 has no seconds in it.
    let minutes = abs(offset) / 60
    let distance = "\(offset < 0 ? "-" : "+")\(Digits.padded(minutes / 60, 2)):\(Digits.padded(minutes % 60, 2))"
    let shown = offset < 0 ? -minutes * 60 : minutes * 60
    return "\(LocalTime(seconds: moment + shown))\(distance)"
  }
}

extension Date {
  /// Seconds since 1970, rounded down, within the years of the calendar.
  var wholeSeconds: Int {
    let bounded = min(max(timeIntervalSince1970.rounded(.down), -62_135_596_800), 253_402_300_799)
    return bounded.isNaN ? 0 : Int(bounded)
  }

  init(seconds: Int) { self.init(timeIntervalSince1970: Double(seconds)) }
}

/// The clock changes of a zone, by years.
private final class ZoneTable: Sendable {
  private static let tables = Mutex<[String: ZoneTable]>([:])

  let identifier: String
  /// The zone as the system has it; ``zone`` is in where it has none.
  private let file: ZoneFile?
  private let zone: TimeZone?
  private let isFixed: Bool
  private let years = Mutex<[Int: [Zone.Segment]]>([:])

  init(_ identifier: String, _ zone: TimeZone, isFixed: Bool) {
    self.identifier = identifier
    self.zone = zone
    self.isFixed = isFixed
    file = isFixed ? nil : ZoneFile.named(identifier)
  }

  init(_ identifier: String, _ file: ZoneFile) {
    (self.identifier, self.file, zone, isFixed) = (identifier, file, nil, false)
  }

  static func named(_ identifier: String) -> ZoneTable? {
    if let known = tables.withLock({ $0[identifier] }) { return known }
    let utc = ["UTC", "Etc/UTC", "GMT", "Etc/GMT", "Z"]
    guard identifier.utf8.count <= 64, !identifier.isEmpty else { return nil }
    let isUTC = utc.contains(identifier)
    guard let zone = isUTC ? TimeZone(secondsFromGMT: 0) : TimeZone(identifier: identifier) else { return nil }
    return tables.withLock { tables in
      if let known = tables[identifier] { return known }
      let table = ZoneTable(isUTC ? "UTC" : identifier, zone, isFixed: isUTC)
      // There are some 600 names; anything beyond is not worth keeping.
      if tables.count < 2000 { tables[identifier] = table }
      return table
    }
  }

  func segment(at moment: Int) -> Zone.Segment {
    if isFixed { return Zone.Segment(start: -1 << 50, end: 1 << 50, offset: 0) }
    let year = Civil.date(Civil.floor(moment, Civil.secondsPerDay)).year
    let segments = years.withLock { years in
      if let known = years[year] { return known }
      let made = changes(in: year)
      if years.count >= 600 { years.removeAll() }
      years[year] = made
      return made
    }
    return segments.first { moment < $0.end } ?? segments[segments.count - 1]
  }

  private func offset(_ moment: Int) -> Int {
    file?.offset(at: moment) ?? zone?.secondsFromGMT(for: Date(seconds: moment)) ?? 0
  }

  /// The stretches of a year: looks every five days, then halves the distance.
  private func changes(in year: Int) -> [Zone.Segment] {
    let first = Civil.day(year, 1, 1) * Civil.secondsPerDay
    let last = Civil.day(year + 1, 1, 1) * Civil.secondsPerDay
    var segments = [Zone.Segment(start: first, end: last, offset: offset(first))]
    var seen = first
    while seen < last {
      let next = min(seen + 5 * Civil.secondsPerDay, last)
      let after = offset(next == last ? last - 1 : next)
      let before = segments[segments.count - 1].offset
      if after != before {
        var (low, high) = (seen, next == last ? last - 1 : next)
        while high - low > 1 {
          let middle = low + (high - low) / 2
          if offset(middle) == before { low = middle } else { high = middle }
        }
        segments[segments.count - 1].end = high
        segments.append(Zone.Segment(start: high, end: last, offset: offset(high)))
        // The next look begins at the change, so that a second one close by is seen.
        seen = high
        continue
      }
      seen = next
    }
    return segments
  }
}
