/// The handling of a time of day that a clock change skips.
public enum MissingTime: String, Sendable, CaseIterable {
  /// It is left out.
  case skip
  /// It moves to the first time after the change: 02:30 becomes 03:00.
  case shift
  /// It moves on by what the clock leaps: 02:30 becomes 03:30 (RFC 5545).
  case after
  /// It moves back by what the clock leaps: 02:30 becomes 01:30.
  case before

  /// The answer for all times that are written without another one: schedules, reminders, messages, expressions, calendars. It is the
  /// answer of RFC 5545, 3.3.5, which ``Zone/moment(_:)`` gives for single times.
  public static let standard = MissingTime.after
}

/// Which moments count of a time of day that a clock change makes twice.
public enum RepeatedTime: String, Sendable, CaseIterable {
  /// Only the first.
  case first
  /// Only the second.
  case last
  /// Both.
  case both
}

/// Finds the moments at which a clock on the wall shows one of a series of times.
struct WallClock {
  let zone: Zone
  let missing: MissingTime
  let repeated: RepeatedTime

  /// The first moment at or after another, both in seconds since 1970.
  ///
  /// - Parameters:
  ///   - moment: The earliest that counts.
  ///   - times: The first time of the series at or after one, in seconds of ``LocalTime``.
  func first(atOrAfter moment: Int, _ times: (Int) -> Int?) -> Int? {
    var from = moment
    // Each round ends in a segment with an answer, or leaps to where the series goes on.
    for _ in 0..<4000 {
      let segment = zone.segment(at: from)
      let previous = zone.segment(at: segment.start - 1)
      let next = zone.segment(at: segment.end)
      var best = ordinary(from, segment, previous, next, times)
      for moved in [
        atStart(from, segment, previous, times), missing == .before ? atEnd(from, segment, next, times) : nil,
      ] {
        if let moved, best.map({ moved < $0 }) ?? true { best = moved }
      }
      if let best { return best }
      let probe = min(from + segment.offset, segment.end + next.offset)
      guard let ahead = times(probe) else { return nil }
      from = max(segment.end, ahead - 2 * Civil.secondsPerDay)
    }
    return nil
  }

  /// A time that the clock shows within a segment.
  private func ordinary(
    _ from: Int, _ segment: Zone.Segment, _ previous: Zone.Segment, _ next: Zone.Segment, _ times: (Int) -> Int?
  ) -> Int? {
    var lower = from + segment.offset
    var upper = segment.end + segment.offset
    if repeated == .first { lower = max(lower, segment.start + previous.offset) }
    if repeated == .last { upper = min(upper, segment.end + next.offset) }
    guard lower < upper, let time = times(lower), time < upper else { return nil }
    return time - segment.offset
  }

  /// A time that the change at the start of a segment leaves out, where it moves into that segment.
  private func atStart(
    _ from: Int, _ segment: Zone.Segment, _ previous: Zone.Segment, _ times: (Int) -> Int?
  ) -> Int? {
    guard segment.offset > previous.offset, missing == .shift || missing == .after else { return nil }
    let (low, high) = (segment.start + previous.offset, segment.start + segment.offset)
    if missing == .shift {
      guard from <= segment.start, let time = times(low), time < high else { return nil }
      return segment.start
    }
    let lower = max(low, from + previous.offset)
    guard lower < high, let time = times(lower), time < high else { return nil }
    return time - previous.offset
  }

  /// A time that the change at the end of a segment leaves out, where it moves back into that segment.
  private func atEnd(_ from: Int, _ segment: Zone.Segment, _ next: Zone.Segment, _ times: (Int) -> Int?) -> Int? {
    guard next.offset > segment.offset else { return nil }
    let (low, high) = (segment.end + segment.offset, segment.end + next.offset)
    let lower = max(low, from + next.offset)
    guard lower < high, let time = times(lower), time < high else { return nil }
    return time - next.offset
  }
}
