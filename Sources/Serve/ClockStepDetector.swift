import Expressions
import UseCases

/// Notices that the time of day was set back. It is pure: readings of the clock in, answers out.
struct ClockStepDetector {
  /// Seconds by which a clock goes back that is only adjusted.
  private static let slack = 1.0

  private var last: Timestamp?
  private var isBack = false

  /// Whether the clock shows less than it has shown, since that was last ``acknowledge()``d.
  mutating func hasSteppedBack(at now: Timestamp) -> Bool {
    if let last, last.seconds(since: now) > Self.slack { isBack = true }
    last = now
    return isBack
  }

  /// Notes that what follows from it is done.
  mutating func acknowledge() { isBack = false }
}
