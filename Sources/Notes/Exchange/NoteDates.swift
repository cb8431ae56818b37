public import Expressions
internal import Foundation
public import Schedules

/// Dates as exports of notes have them.
public enum NoteDates {
  /// `15.01.2025, 09:30` on the clock of a zone.
  public static func german(_ time: Timestamp, _ zone: Zone) -> String {
    let (date, clock) = parts(time, zone)
    guard date.count == 3 else { return time.rfc3339 }
    return "\(date[2]).\(date[1]).\(date[0]), \(clock)"
  }

  /// `2025-01-15` on the clock of a zone.
  public static func day(_ time: Timestamp, _ zone: Zone) -> String {
    parts(time, zone).date.joined(separator: "-")
  }

  private static func parts(_ time: Timestamp, _ zone: Zone) -> (date: [String], clock: String) {
    let local = zone.local(Date(timeIntervalSince1970: Double(time.seconds))).description.split(separator: "T")
    let date = (local.first ?? "").split(separator: "-").map(String.init)
    return (date, String((local.last ?? "").prefix(5)))
  }

  /// Seconds from 1970 to 2001-01-01 00:00 UTC, from which Foundation counts.
  private static let reference: Int64 = 978_307_200

  /// Reads a date as Foundation's `JSONEncoder` writes it, in seconds since 2001-01-01 UTC, or in the form of ISO 8601.
  static func read(_ value: Value?) -> Timestamp? {
    switch value {
    case .string(let text)?:
      if let time = Timestamp(rfc3339: text) { return time }
      // Without an offset it is UTC; a day begins at midnight.
      return Timestamp(rfc3339: text + "Z") ?? Timestamp(rfc3339: text + "T00:00:00Z")
    case .int(let seconds)?:
      let (sum, overflows) = seconds.addingReportingOverflow(reference)
      let time = Timestamp(seconds: sum)
      return !overflows && time.stored != nil ? time : nil
    case .double(let seconds)? where seconds.isFinite && abs(seconds) < 9e9:
      let whole = seconds.rounded(.down)
      // Rounded, so that writing it gives the same number again.
      let nanoseconds = Int64(((seconds - whole) * 1e9).rounded())
      let time = Timestamp(
        seconds: Int64(whole) + reference + nanoseconds / 1_000_000_000, nanoseconds: Int32(nanoseconds % 1_000_000_000)
      )
      return time.stored != nil ? time : nil
    default: return nil
    }
  }

  /// A date as Foundation's `JSONEncoder` writes it.
  static func written(_ time: Timestamp) -> Value {
    let seconds = time.seconds - reference
    return time.nanoseconds == 0 ? .int(seconds) : .double(Double(seconds) + Double(time.nanoseconds) / 1e9)
  }
}
