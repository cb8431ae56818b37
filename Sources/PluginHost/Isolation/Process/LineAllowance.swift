/// The number of lines that a worker may still write: a burst, and then a number per second; pure.
struct LineAllowance {
  static let burst = 200.0
  static let rate = 20.0

  private var left = LineAllowance.burst
  private var last = -Double.infinity

  /// Time has passed, in monotonic seconds.
  mutating func advance(to time: Double) {
    if last > -.infinity, time > last {
      left = min(LineAllowance.burst, left + (time - last) * LineAllowance.rate)
    }
    last = max(last, time)
  }

  /// Whether one more line may be written.
  mutating func take() -> Bool {
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
