public import Expressions
import Glibc

/// The machine's own clocks.
public struct SystemTime: TimeSource {
  /// Creates a time source.
  public init() {}

  /// The time of day, from `CLOCK_REALTIME`.
  public var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// Seconds since the machine started, sleep included, from `CLOCK_BOOTTIME`.
  public var monotonic: Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Waits; throws `CancellationError` when the task is cancelled.
  public func sleep(seconds: Double) async throws {
    guard seconds > 0 else { return try Task.checkCancellation() }
    // A hundred years; a duration does not hold every number.
    try await Task.sleep(for: .seconds(min(seconds, 3.2e9)), tolerance: .milliseconds(1))
  }
}
