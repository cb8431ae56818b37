/// How long to wait before a subscription that ended is started again, apart from any clock.
struct RestartPause {
  /// Seconds before the first new start.
  static let shortest = 1.0
  /// Seconds that are never exceeded, unless the other side asks for more.
  static let longest = 300.0
  /// A subscription that lived for so many seconds begins to count anew.
  static let healthy = 60.0

  private var next = RestartPause.shortest

  /// The seconds to wait.
  ///
  /// - Parameters:
  ///   - lasted: The seconds the subscription lived.
  ///   - brought: Whether an event came.
  ///   - retryAfter: The seconds that the other side asked for.
  mutating func afterEnd(lasted: Double, brought: Bool, retryAfter: Double?) -> Double {
    if brought || lasted >= RestartPause.healthy { next = RestartPause.shortest }
    defer { next = min(next * 2, RestartPause.longest) }
    return max(next, retryAfter ?? 0)
  }
}
