public import Expressions

/// How long sign-in is closed after failures: for a user name, and for the address of a client.
public enum LockOut {
  /// The failures that cost nothing.
  public static let freeFailures = 4
  /// The longest time, in seconds.
  public static let longest = 900.0
  /// Seconds after which failures are forgotten.
  public static let memory = 86_400.0

  /// The failures of a user name or an address.
  public struct Failures: Sendable, Hashable {
    /// How many.
    public var count: Int
    /// The time of the last one.
    public var last: Timestamp

    /// Creates a record.
    public init(count: Int, last: Timestamp) { (self.count, self.last) = (count, last) }
  }

  /// The seconds that sign-in is closed after so many failures: 1 after the fifth, then twice as long after each.
  public static func seconds(after failures: Int) -> Double {
    guard failures > freeFailures else { return 0 }
    let doublings = min(failures - freeFailures - 1, 20)
    return min(longest, Double(1 << doublings))
  }

  /// The seconds until the next attempt is possible; `nil` if it is possible now.
  public static func wait(_ failures: Failures?, now: Timestamp) -> Double? {
    guard let failures = remembered(failures, now: now) else { return nil }
    // A clock that was set back must not close sign-in for longer than the rule says.
    let passed = max(0, now.seconds(since: failures.last))
    let rest = seconds(after: failures.count) - passed
    return rest > 0 ? rest : nil
  }

  /// The failures with one more.
  public static func adding(_ failures: Failures?, now: Timestamp) -> Failures {
    Failures(count: min((remembered(failures, now: now)?.count ?? 0) + 1, 1_000_000), last: now)
  }

  private static func remembered(_ failures: Failures?, now: Timestamp) -> Failures? {
    failures.flatMap { now.seconds(since: $0.last) < memory ? $0 : nil }
  }
}
