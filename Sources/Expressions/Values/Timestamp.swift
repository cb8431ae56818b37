/// A point in time: seconds and nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Same shape and range as `google.protobuf.Timestamp`: years 0001 to 9999.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Whole seconds since the epoch; negative before it.
  public var seconds: Int64
  /// The fraction in nanoseconds, 0 to 999 999 999, always counted forwards.
  public var nanoseconds: Int32

  /// The seconds of the years 0001 to 9999.
  public static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Creates a point in time; `nanoseconds` must be 0 to 999 999 999.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Whether one point lies before another.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Whether the point lies in the years 0001 to 9999.
  public var isInRange: Bool {
    Self.range.contains(seconds) && (0...999_999_999).contains(nanoseconds)
  }

  /// The point a span later, or earlier where the span is negative; `nil` beyond the years 0001 to 9999.
  public func adding(_ span: TimeSpan) -> Timestamp? {
    let (wholeSeconds, fraction) = span.nanoseconds.flooredDivision(by: 1_000_000_000)
    let nanoseconds = Int64(nanoseconds) + fraction
    let (sum, overflows) = seconds.addingReportingOverflow(wholeSeconds + nanoseconds / 1_000_000_000)
    guard !overflows else { return nil }
    let result = Timestamp(seconds: sum, nanoseconds: Int32(truncatingIfNeeded: nanoseconds % 1_000_000_000))
    return result.isInRange ? result : nil
  }

  /// The span from another point to this one; `nil` if it exceeds what a ``TimeSpan`` holds (292 years).
  public func since(_ other: Timestamp) -> TimeSpan? {
    let (difference, overflows) = seconds.subtractingReportingOverflow(other.seconds)
    guard !overflows else { return nil }
    return TimeSpan(seconds: difference, nanoseconds: Int64(nanoseconds) - Int64(other.nanoseconds))
  }
}

extension Int64 {
  /// Quotient rounded down and the remainder that is never negative; the divisor must be positive.
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
