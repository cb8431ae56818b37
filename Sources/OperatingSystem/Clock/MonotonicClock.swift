internal import Glibc

/// The clock that never goes back and stands still while the machine sleeps (`CLOCK_MONOTONIC`).
public enum MonotonicClock {
  /// Nanoseconds since a moment that stays the same until the machine restarts.
  public static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  /// Seconds since a moment that stays the same until the machine restarts.
  public static var seconds: Double { Double(nanoseconds) / 1e9 }
}
