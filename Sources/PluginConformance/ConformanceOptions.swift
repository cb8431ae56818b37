/// How far the suite goes.
public struct ConformanceOptions: Sendable {
  /// Whether actions are also called that may change something outside (`idempotent`, `once`).
  public var includesEffects = false
  /// Whether actions are called with valid input although the plugin talks to other machines.
  public var isLive = false
  /// How many calls the check of memory makes.
  public var memoryCalls = 10_000
  /// How many calls the check of concurrency makes at once.
  public var parallelCalls = 64
  /// Seconds a call may take.
  public var callSeconds = 10.0

  /// The options of `sous plugins check`.
  public init() {}
}
