public import Expressions

/// Where time comes from: the system in production, a hand-set clock in tests and simulations.
public protocol TimeSource: Sendable {
  /// The time of day.
  var now: Timestamp { get }
  /// Seconds from an arbitrary start, never going backwards.
  var monotonic: Double { get }
  /// Waits.
  ///
  /// - Throws: `CancellationError` as soon as the surrounding task is cancelled.
  func sleep(seconds: Double) async throws
}
