import Expressions
import Foundation
import Localization
import RecipeSyntax
import Schedules

/// A point in time as `send_at` and `at` have it: `2027-01-01T08:00 Europe/Zurich`, or with an offset, `2027-01-01T08:00+01:00`.
struct SendTime {
  var time: Timestamp
  /// The IANA name, where one is given.
  var zone: String?

  /// Reads a point in time; reports what is wrong with it.
  ///
  /// - Parameter key: The key that it stands under.
  init?(_ node: Node, _ reader: FieldReader, key: String = "send_at") {
    guard let text = reader.string(node, key) else { return nil }
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    let isDate = parts.first.map { SendTime.local(String($0)) != nil } ?? false
    if let only = parts.first, parts.count == 1, let time = SendTime.withOffset(String(only)) {
      self.time = time
      return
    }
    guard let first = parts.first, isDate, let local = SendTime.local(String(first)) else {
      let range = parts.first.map { first in
        let start = text.utf8.distance(from: text.startIndex, to: first.startIndex)
        return start..<start + first.utf8.count
      }
      reader.report(
        .invalidValue,
        LocalizedText(
          "'\(key)' begins with a date and a time that exist: 2027-01-01T08:00 Europe/Zurich",
          de: "'\(key)' beginnt mit einem Datum und einer Zeit, die es gibt: 2027-01-01T08:00 Europe/Zurich"),
        at: range.map { reader.document.range(of: $0, in: node) } ?? node.range)
      return nil
    }
    guard parts.count == 2, let name = parts.last else {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'\(key)' needs a time zone after the time, such as Europe/Zurich, and nothing else",
          de: "'\(key)' braucht nach der Zeit eine Zeitzone, etwa Europe/Zurich, und sonst nichts"),
        at: node.range)
      return nil
    }
    let start = text.utf8.distance(from: text.startIndex, to: name.startIndex)
    let place = reader.document.range(of: start..<start + name.utf8.count, in: node)
    let isPlain = name.utf8.count <= 64 && name.utf8.allSatisfy { $0.isNameByte || "/+-".utf8.contains($0) }
    guard isPlain, let clock = Zone(String(name)), let zone = TimeZone(identifier: String(name)) else {
      reader.report(
        .invalidValue,
        LocalizedText("unknown time zone '\(name)'", de: "unbekannte Zeitzone '\(name)'"), at: place,
        suggestion: reader.suggestion(for: String(name), among: TimeZone.knownTimeZoneIdentifiers))
      return nil
    }
    let moments = SendTime.moments(local, zone)
    let meant = clock.moment(LocalTime(seconds: Int(local)))
    if moments.isEmpty, let gap = SendMoment.gap(LocalTime(seconds: Int(local)), in: clock) {
      let words = SendMoment.words(Timestamp(seconds: Int64(meant.timeIntervalSince1970)), in: clock)
      reader.report(
        .invalidValue,
        gap + LocalizedText("; this is meant: ", de: "; gemeint ist: ") + words, at: node.range, severity: .warning)
    }
    if moments.count > 1 {
      reader.report(
        .invalidValue,
        LocalizedText(
          "this time comes twice in \(name), and the first is meant; write an offset such as +02:00 instead of the zone "
            + "to say which",
          de:
            "diese Zeit kommt in \(name) zweimal vor, gemeint ist die erste; schreibe einen Abstand wie +02:00 statt der "
            + "Zone, um es zu sagen"),
        at: node.range, severity: .warning)
    }
    time = Timestamp(seconds: Int64(meant.timeIntervalSince1970))
    self.zone = String(name)
  }

  /// A date and a time with an offset or `Z`; seconds may be left out.
  private static func withOffset(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    guard bytes.count > 16, local(String(decoding: bytes[..<16], as: UTF8.self)) != nil else { return nil }
    if let time = Timestamp(rfc3339: text) { return time }
    let head = String(decoding: bytes[..<16], as: UTF8.self)
    return Timestamp(rfc3339: head + ":00" + String(decoding: bytes[16...], as: UTF8.self))
  }

  /// The seconds since 1970 that a date and a time would be in UTC.
  private static func local(_ text: String) -> Int64? {
    let bytes = text.utf8.count
    guard bytes == 16 || bytes == 19 else { return nil }
    return Timestamp(rfc3339: text + (bytes == 16 ? ":00Z" : "Z"))?.seconds
  }

  /// The moments at which the clocks of a zone show a time, in order; none where it is left out, two where it is repeated.
  private static func moments(_ local: Int64, _ zone: TimeZone) -> [Int64] {
    var found: [Int64] = []
    for shift in [Int64(-86_400), 86_400] {
      let moment = local - Int64(offset(zone, local + shift))
      if Int64(offset(zone, moment)) == local - moment, !found.contains(moment) { found.append(moment) }
    }
    return found.sorted()
  }

  private static func offset(_ zone: TimeZone, _ seconds: Int64) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
  }
}
