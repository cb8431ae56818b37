internal import Foundation
private import Glibc
internal import Localization
private import Synchronization

extension Zone {
  /// The system's zone; UTC if ``system()`` refuses it, which the program does when it starts.
  public static var current: Zone { (try? system()) ?? .utc }

  /// The zone of the environment variable `TZ`, or of `/etc/localtime`.
  ///
  /// - Throws: ``ScheduleError/Code/unknownZone`` if `TZ` is not a zone.
  @discardableResult
  public static func system() throws(ScheduleError) -> Zone {
    try system(getenv("TZ").map { String(cString: $0) })
  }

  /// The zone of `TZ` as POSIX.1 (section 8.3) and tzset(3) have it, or of `/etc/localtime`.
  ///
  /// - Parameter text: The value of `TZ`: `Europe/Zurich`, `:Europe/Zurich`, the path of a zone file, or a rule such as
  ///   `CET-1CEST,M3.5.0,M10.5.0/3`. `nil` for the file of the system.
  /// - Throws: ``ScheduleError/Code/unknownZone`` if the text is none of these.
  static func system(_ text: String?) throws(ScheduleError) -> Zone {
    let key = text ?? SystemZone.mark
    if let known = SystemZone.known.withLock({ $0?.key == key ? $0?.zone : nil }) { return known }
    let zone = try text.map { written throws(ScheduleError) in try SystemZone.zone(written) } ?? SystemZone.local
    SystemZone.known.withLock { $0 = (key, zone) }
    return zone
  }

  /// The zone of the zone database whose clock shows the same as given clock changes, from 2025 to 2037.
  ///
  /// - Parameters:
  ///   - file: The clock changes.
  ///   - names: Names that are tried first.
  static func like(_ file: ZoneFile, trying names: [String] = []) -> Zone? {
    let (first, last) = (Civil.day(2025, 1, 1), Civil.day(2038, 1, 1))
    let common = ["UTC", "Europe/Berlin", "Europe/London", "Europe/Helsinki", "America/New_York", "America/Chicago"]
    let all = names + common + WindowsZones.table.values.sorted() + TimeZone.knownTimeZoneIdentifiers.sorted()
    // Every six hours within the days of a change would be exact; a day finds each zone that differs for a day or longer.
    return all.lazy.compactMap { Zone($0) }.first { zone in
      (first..<last).allSatisfy { day in
        let moment = day * Civil.secondsPerDay + 3600
        return file.offset(at: moment) == zone.offset(at: moment)
      }
    }
  }
}

/// Reads the zone of the system.
private enum SystemZone {
  /// The zone that was read last, and what it was read from.
  static let known = Mutex<(key: String, zone: Zone)?>(nil)
  private static let path = "/etc/localtime"

  /// Identifies the present state of `/etc/localtime`.
  static var mark: String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "\0none" }
    return "\0\(status.st_ino) \(status.st_mtim.tv_sec) \(status.st_size) \(realPath ?? "")"
  }

  private static var realPath: String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  static func zone(_ text: String) throws(ScheduleError) -> Zone {
    let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
    // An empty one is UTC (tzset(3)).
    if name.isEmpty { return .utc }
    if name == path { return local }
    if name.hasPrefix("/") {
      if let zone = databaseZone(name) { return zone }
      if let file = ZoneFile.contents(of: name).flatMap({ ZoneFile($0) }) { return Zone.like(file) ?? Zone(name, file) }
    } else if let zone = Zone(databaseName: name) {
      return zone
    } else if let rule = ZoneRule(name) ?? ZoneRule(name + ",M3.2.0,M11.1.0") {
      // Without days the rule has those of the United States, as in the C library.
      let file = ZoneFile(changes: [], first: 0, rule: rule)
      return Zone.like(file) ?? Zone(text, file)
    }
    throw ScheduleError(
      .unknownZone,
      LocalizedText(
        "the system's time zone TZ='\(text)' is not known", de: "die Zeitzone des Systems TZ='\(text)' ist unbekannt"),
      advice: LocalizedText(
        "set TZ to a name such as Europe/Zurich, to the path of a zone file or to a rule (tzset(3)), or unset it",
        de: "TZ auf einen Namen wie Europe/Zurich, den Pfad einer Zonendatei oder eine Regel (tzset(3)) setzen oder "
          + "weglassen"), range: 0..<text.utf8.count)
  }

  /// The zone of `/etc/localtime`; UTC if the file is missing, as in the C library.
  static var local: Zone {
    let named = realPath.flatMap(databaseZone)
    guard let bytes = ZoneFile.contents(of: path), let file = ZoneFile(bytes) else { return named ?? .utc }
    // A container may have another file mounted over the one that the link names; UTC alone is not read from its file.
    if let named, named != .utc { return named }
    let isUTC = [1, 4, 7, 10].allSatisfy { file.offset(at: Civil.day(2026, $0, 15) * Civil.secondsPerDay) == 0 }
    if let named, isUTC { return named }
    return Zone.like(file) ?? Zone(path, file)
  }

  /// The zone of a path below the folder of the zone database.
  private static func databaseZone(_ path: String) -> Zone? {
    for folder in [ZoneFile.folder + "/posix/", ZoneFile.folder + "/"] where path.hasPrefix(folder) {
      return Zone(databaseName: String(path.dropFirst(folder.count)))
    }
    return nil
  }
}
