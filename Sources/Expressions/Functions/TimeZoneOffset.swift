internal import Foundation
internal import Synchronization

/// How far clocks are ahead of UTC.
enum TimeZoneOffset {
  private static let zones = Mutex<[String: TimeZone]>([:])
  private static let cachedCount = 600

  /// The offset in seconds of an IANA zone (`Europe/Zurich`) at a time, or of a fixed one (`+02:00`, `02:00`, `-02:30`);
  /// `nil` for an unknown zone.
  static func seconds(_ zone: String, at time: Timestamp) -> Int64? {
    if zone == "UTC" { return 0 }
    if let fixed = fixedSeconds(zone) { return fixed }
    guard zone.utf8.count <= 64, let known = named(zone) else { return nil }
    return Int64(known.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(time.seconds))))
  }

  private static func named(_ zone: String) -> TimeZone? {
    if let known = zones.withLock({ $0[zone] }) { return known }
    // Foundation knows abbreviations such as BST as well, and means Bangladesh.
    let isAbbreviation = (2...5).contains(zone.utf8.count) && zone.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    guard zone.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !isAbbreviation || zone == "GMT" || zone == "UCT",
      let found = TimeZone(identifier: zone)
    else { return nil }
    zones.withLock { zones in
      if zones.count >= cachedCount { zones.removeAll() }
      zones[zone] = found
    }
    return found
  }

  private static func fixedSeconds(_ zone: String) -> Int64? {
    var bytes = Array(zone.utf8)
    var sign: Int64 = 1
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      sign = first == UInt8(ascii: "-") ? -1 : 1
      bytes.removeFirst()
    }
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
    let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int64($0) - 48 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let hours = digits[0] * 10 + digits[1]
    let minutes = digits[2] * 10 + digits[3]
    guard hours <= 23, minutes <= 59 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
