/// A span of time with nanosecond resolution: CEL's `duration`, whose name Swift's own type takes.
public struct TimeSpan: Sendable, Hashable, Comparable {
  /// The whole span in nanoseconds; CEL bounds it to about ±292 years, which fits.
  public var nanoseconds: Int64

  /// Creates a span.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a span from seconds and nanoseconds, which are added up; `nil` if the sum does not fit.
  public init?(seconds: Int64, nanoseconds: Int64 = 0) {
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if isTooLong {
      // A positive and a negative part may still add up to what fits.
      guard seconds > .min, seconds < .max, nanoseconds.signum() == -seconds.signum() else { return nil }
      let nearer = seconds - seconds.signum()
      let (part, overflows) = nearer.multipliedReportingOverflow(by: 1_000_000_000)
      let (rest, restOverflows) = nanoseconds.addingReportingOverflow(seconds.signum() * 1_000_000_000)
      let (sum, sumOverflows) = part.addingReportingOverflow(rest)
      guard !overflows, !restOverflows, !sumOverflows else { return nil }
      self.nanoseconds = sum
      return
    }
    let (sum, overflows) = product.addingReportingOverflow(nanoseconds)
    guard !overflows else { return nil }
    self.nanoseconds = sum
  }

  /// Whether one span is shorter than another.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The span in seconds, rounded to what a double holds.
  public var seconds: Double { Double(nanoseconds) / 1_000_000_000 }

  /// The sum of two spans; `nil` if it does not fit.
  public func adding(_ other: TimeSpan) -> TimeSpan? {
    let (sum, overflows) = nanoseconds.addingReportingOverflow(other.nanoseconds)
    return overflows ? nil : TimeSpan(nanoseconds: sum)
  }

  /// The difference of two spans; `nil` if it does not fit.
  public func subtracting(_ other: TimeSpan) -> TimeSpan? {
    let (difference, overflows) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return overflows ? nil : TimeSpan(nanoseconds: difference)
  }
}
