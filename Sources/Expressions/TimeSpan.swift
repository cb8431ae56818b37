/// A span of time with nanosecond resolution: CEL's `duration`, whose name Swift's own type takes.
public struct TimeSpan: Sendable, Hashable, Comparable {
  /// The whole span in nanoseconds; CEL bounds it to about ±292 years, which fits.
  public var nanoseconds: Int64

  /// Creates a span.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Whether one span is shorter than another.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
