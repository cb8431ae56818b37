/// A point in time: seconds and nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Same shape and range as `google.protobuf.Timestamp`: years 0001 to 9999.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Whole seconds since the epoch; negative before it.
  public var seconds: Int64
  /// The fraction in nanoseconds, 0 to 999 999 999, always counted forwards.
  public var nanoseconds: Int32

  /// Creates a point in time; `nanoseconds` must be 0 to 999 999 999.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Whether one point lies before another.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
