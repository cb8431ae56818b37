public import Expressions
import Foundation
public import Localization
import Plans
public import Schedules
import Schemas

/// A point in time as people write it: `now`, `2027-01-01T08:00+01:00`, `2027-01-01T08:00 Europe/Zurich`, `morgen um 8`.
public struct SendMoment: Sendable, Hashable {
  /// The moment.
  public var time: Timestamp
  /// Whether it was said to be now, whatever delays other messages.
  public var isNow: Bool
  /// The zone that it was read in.
  public var zone: Zone
  /// What was understood, for people: `Tuesday, 24 November 2026, 09:00`.
  public var understood: LocalizedText
  /// What is said where a clock change leaves the time out that was written; `nil` where it exists.
  public private(set) var gap: LocalizedText?

  private static let nowWords: Set<String> = ["now", "jetzt", "sofort"]

  /// Reads a point in time.
  ///
  /// - Parameters:
  ///   - text: The text; a name of the zone database at its end says where the clock hangs.
  ///   - now: The moment that `tomorrow` and the like count from.
  ///   - zone: Where the clock hangs that the text speaks of, unless it says so.
  /// - Throws: `ScheduleError` where the text is no time, means several, or repeats.
  public init(_ text: String, now: Timestamp, zone: Zone = .current) throws(ScheduleError) {
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }.map(String.init)
    if words.count == 1, Self.nowWords.contains(words[0].lowercased()) {
      self.init(time: now, isNow: true, zone: zone)
      return
    }
    if words.count == 1, let time = Self.withOffset(words[0]) {
      self.init(time: time, isNow: false, zone: zone)
      return
    }
    var (place, rest) = (zone, words)
    if let last = words.last, words.count > 1, last.contains("/") || last == "UTC", let named = Zone(last) {
      (place, rest) = (named, words.dropLast())
    }
    if let last = rest.last, rest.count == words.count, rest.count > 1, last.contains("/"),
      last.utf8.allSatisfy({ !(0x30...0x39).contains($0) })
    {
      throw ScheduleError(
        .unknownZone, LocalizedText("unknown time zone '\(last)'", de: "unbekannte Zeitzone '\(last)'"),
        advice: LocalizedText("names look like Europe/Zurich", de: "Namen sehen aus wie Europe/Zurich"),
        range: 0..<text.utf8.count)
    }
    let sentence = rest.joined(separator: " ")
    if let local = LocalTime(iso: sentence), sentence.utf8.count > 10 {
      self.init(time: Timestamp(place.moment(local)), isNow: false, zone: place)
      gap = Self.gap(local, in: place)
      if let gap { understood = understood + LocalizedText("; ", de: "; ") + gap }
      return
    }
    let date = Date(timeIntervalSince1970: TimeInterval(now.seconds))
    // Also says what is wrong with words that have several meanings or none.
    let schedule = try Schedules.Schedule(sentence, in: Schedules.Schedule.Context(zone: place, now: date))
    guard case .moments(let moments) = schedule.form, let moment = moments.first, moments.count == 1 else {
      throw ScheduleError(
        .unsupported,
        LocalizedText("'\(sentence)' is more than one point in time", de: "'\(sentence)' ist mehr als ein Zeitpunkt"),
        advice: LocalizedText(
          "write one, such as 'tomorrow at 8' or '2027-01-01T08:00'",
          de: "einen angeben, etwa 'morgen um 8' oder '2027-01-01T08:00'"), range: 0..<text.utf8.count)
    }
    self.init(time: Timestamp(moment), isNow: false, zone: place)
  }

  private init(time: Timestamp, isNow: Bool, zone: Zone) {
    (self.time, self.isNow, self.zone) = (time, isNow, zone)
    understood = isNow ? LocalizedText("now", de: "jetzt") : Self.words(time, in: zone)
  }

  /// Says that a clock change leaves a local time out; `nil` where it exists.
  public static func gap(_ local: LocalTime, in zone: Zone) -> LocalizedText? {
    guard zone.local(zone.moment(local)) != local else { return nil }
    let text = local.description.split(separator: "T").last.map { String($0.prefix(5)) } ?? local.description
    return LocalizedText(
      "\(text) does not exist on that day in \(zone.identifier), as the clock goes forward",
      de: "\(text) gibt es an dem Tag in \(zone.identifier) nicht, da die Uhr vorgestellt wird")
  }

  /// A moment in words, as a clock of a zone shows it: `Tuesday, 24 November 2026, 09:00`.
  public static func words(_ time: Timestamp, in zone: Zone = .current) -> LocalizedText {
    let date = Date(timeIntervalSince1970: TimeInterval(time.seconds))
    let place = zone == .current ? "" : " (\(zone.identifier))"
    return Phrase.words(for: date, in: zone) + LocalizedText(verbatim: place)
  }

  /// A date and a time with an offset or `Z`; seconds may be left out.
  private static func withOffset(_ text: String) -> Timestamp? {
    if let time = Timestamp(rfc3339: text) { return time }
    let bytes = Array(text.utf8)
    guard bytes.count > 16 else { return nil }
    return Timestamp(
      rfc3339: String(decoding: bytes[..<16], as: UTF8.self) + ":00" + String(decoding: bytes[16...], as: UTF8.self))
  }
}

extension Timestamp {
  fileprivate init(_ date: Date) { self.init(seconds: Int64(date.timeIntervalSince1970.rounded(.down))) }
}
