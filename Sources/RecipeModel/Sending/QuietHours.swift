public import Expressions
import Foundation
import Plans
public import Schedules

/// Hours of every day in which nothing goes out: `22:00-07:00`, `22:00-07:00 Europe/Zurich`.
public struct QuietHours: Sendable, Hashable {
  /// Seconds since midnight at which they begin.
  public let begin: Int
  /// Seconds since midnight at which they end; before ``begin`` where they go over midnight.
  public let end: Int
  /// Where the clock hangs; `nil` for the system's zone.
  public let zone: Zone?

  /// Reads quiet hours; `nil` where the text is something else, or begin and end are the same.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    let times = words.first?.split(separator: "-").compactMap { TimeOfDay(String($0)) } ?? []
    guard times.count == 2, words.count <= 2, words.first?.contains(where: { $0 == "-" }) == true else { return nil }
    zone = words.count == 2 ? Zone(String(words[1])) : nil
    if words.count == 2, zone == nil { return nil }
    (begin, end) = (times[0].secondsOfDay, times[1].secondsOfDay)
    if begin == end { return nil }
  }

  /// The moment itself, or the end of the quiet hours that it lies in.
  public func delaying(_ time: Timestamp) -> Timestamp {
    let zone = zone ?? .current
    let local = zone.local(Date(timeIntervalSince1970: TimeInterval(time.seconds))).seconds
    let day = 86_400
    let ofDay = ((local % day) + day) % day
    let isQuiet = begin < end ? ofDay >= begin && ofDay < end : ofDay >= begin || ofDay < end
    guard isQuiet else { return time }
    let days = begin > end && ofDay >= begin ? 1 : 0
    let moment = zone.moment(LocalTime(seconds: local - ofDay + days * day + end))
    let seconds = Int64(moment.timeIntervalSince1970)
    // A clock change may have taken the end away.
    return seconds > time.seconds ? Timestamp(seconds: seconds) : time
  }
}

extension TimeOfDay {
  fileprivate var secondsOfDay: Int { hour * 3600 + minute * 60 + second }
}
