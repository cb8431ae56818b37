import PluginHost

/// How far the suite goes.
public struct ConformanceOptions: Sendable {
  /// Whether actions that may change something outside (`idempotent`, `once`) are carried out too. Otherwise they are
  /// called with input that their schema forbids, and always where they reach nobody.
  public var includesEffects = false
  /// Whether the provider reaches other machines. Otherwise it has to be opened with
  /// ``ProviderConfiguration/isOffline``, so that made-up input reaches nobody; failing for that is no finding.
  public var isLive = false
  /// How many calls of each action the check of memory makes, where they fit into ``memorySeconds``.
  public var memoryCalls = 10_000
  /// Seconds that the check of memory may spend on each action.
  public var memorySeconds = 15.0
  /// Seconds of quiet before memory is measured once more, where it seems to grow.
  public var settleSeconds = 7.0
  /// How many calls the check of concurrency makes at once.
  public var parallelCalls = 64
  /// Seconds a call may take.
  public var callSeconds = 5.0

  /// The options of `sous plugins check`.
  public init() {}
}
