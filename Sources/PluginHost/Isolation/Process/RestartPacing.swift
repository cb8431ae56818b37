/// How long to wait before a worker that keeps failing right at its start is started again; pure.
///
/// A worker whose instance was there was sound: after it the next one starts at once, whatever a call did to it.
struct RestartPacing {
  static let first = 0.1
  static let longest = 30.0

  private(set) var failures = 0
  private var earliest = -Double.infinity

  /// A worker has ended by itself.
  ///
  /// - Parameters:
  ///   - wasReady: Whether it came to have an instance.
  ///   - time: Now, monotonic.
  mutating func ended(wasReady: Bool, at time: Double) {
    if wasReady {
      failures = 0
      earliest = -.infinity
      return
    }
    failures += 1
    // The first failure costs nothing: the engine waits between attempts as well.
    guard failures > 1 else { return }
    var pause = RestartPacing.first
    for _ in 2..<max(2, min(failures, 20)) { pause *= 2 }
    earliest = time + min(pause, RestartPacing.longest)
  }

  /// Seconds to wait until the next start.
  func wait(at time: Double) -> Double { max(0, earliest - time) }
}
