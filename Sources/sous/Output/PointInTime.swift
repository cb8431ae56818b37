import Expressions
import Foundation
import Schedules
import Schemas

/// Points in time as people write them on a command line.
enum PointInTime {
  /// The forms that ``read(_:now:)`` understands, for messages.
  static var forms: String {
    say(
      "90s, 2h, 7d, today, yesterday, '3 days ago', 2026-11-21 or '2026-11-21 07:30'",
      de: "90s, 2h, 7d, heute, gestern, vorgestern, 'vor 3 Tagen', 2026-11-21 oder '2026-11-21 07:30'")
  }

  /// Reads a point in time.
  ///
  /// - Parameters:
  ///   - text: How long ago (`90s`, `2h`, `7d`, `3 days ago`, `vor 3 Tagen`), the beginning of a day (`today`, `yesterday`,
  ///     `heute`, `gestern`, `vorgestern`, `2026-11-21`), a time of one in the local time zone (`2026-11-21 07:30`,
  ///     `2026-11-21T07:30:15`), or RFC 3339 with its own zone. German and English words count in each language.
  ///   - now: The time of day.
  /// - Returns: `nil` for anything else.
  static func read(_ text: String, now: Timestamp) -> Timestamp? {
    if text.contains(where: \.isLetter), let seconds = DurationText.seconds(text) ?? ElapsedPhrase.seconds(text) {
      return seconds <= DurationText.longest ? now.adding(seconds: -seconds) : nil
    }
    if let days = days[text.lowercased()] { return startOfDay(days, now) }
    return Timestamp(rfc3339: text) ?? local(text)
  }

  /// Days with a name, and how far they are from today.
  private static let days: [String: Int32] = [
    "today": 0, "heute": 0, "yesterday": -1, "gestern": -1, "day before yesterday": -2,
    "the day before yesterday": -2, "vorgestern": -2,
  ]

  private static func startOfDay(_ days: Int32, _ now: Timestamp) -> Timestamp? {
    var time = time_t(now.seconds)
    var parts = tm()
    localtime_r(&time, &parts)
    parts.tm_mday += days
    (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (0, 0, 0, -1)
    return Timestamp(seconds: Int64(mktime(&parts)))
  }

  private static func local(_ text: String) -> Timestamp? {
    let halves = text.split(separator: text.contains("T") ? "T" : " ", omittingEmptySubsequences: false)
    guard let day = halves.first, halves.count <= 2 else { return nil }
    guard let date = numbers(day, separator: "-", lengths: [4, 2, 2]), (1...12).contains(date[1]),
      (1...31).contains(date[2])
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (date[0] - 1900, date[1] - 1, date[2])
    if halves.count == 2 {
      let lengths = halves[1].count > 5 ? [2, 2, 2] : [2, 2]
      guard let clock = numbers(halves[1], separator: ":", lengths: lengths), clock[0] < 24, clock[1] < 60,
        clock.count < 3 || clock[2] < 60
      else { return nil }
      (parts.tm_hour, parts.tm_min) = (clock[0], clock[1])
      if clock.count == 3 { parts.tm_sec = clock[2] }
    }
    parts.tm_isdst = -1
    let seconds = mktime(&parts)
    // The 31st of a shorter month would be another day.
    return parts.tm_mday == date[2] && parts.tm_mon == date[1] - 1 ? Timestamp(seconds: Int64(seconds)) : nil
  }

  private static func numbers(_ text: Substring, separator: Character, lengths: [Int]) -> [Int32]? {
    let pieces = text.split(separator: separator, omittingEmptySubsequences: false)
    guard pieces.map(\.count) == lengths, pieces.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return pieces.compactMap { Int32($0) }
  }
}
