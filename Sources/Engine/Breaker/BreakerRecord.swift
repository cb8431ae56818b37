public import Expressions

/// A provider's circuit breaker as it is kept.
public struct BreakerRecord: Sendable, Hashable {
  /// The provider's configured name.
  public var provider: String
  /// Failures in a row.
  public var failures: Int
  /// Probes that succeeded since it was open.
  public var probes: Int
  /// Until when it lets nothing through; `nil` while it is closed.
  public var openUntil: Timestamp?
  /// Seconds it was last open for; 0 where it never was.
  public var openSeconds: Double
  /// The kind of the last failure.
  public var lastFailure: ActionFailure.Kind?
  /// When it last changed.
  public var at: Timestamp

  /// Creates a record.
  public init(
    provider: String, failures: Int = 0, probes: Int = 0, openUntil: Timestamp? = nil, openSeconds: Double = 0,
    lastFailure: ActionFailure.Kind? = nil, at: Timestamp
  ) {
    self.provider = provider
    self.failures = failures
    self.probes = probes
    self.openUntil = openUntil
    self.openSeconds = openSeconds
    self.lastFailure = lastFailure
    self.at = at
  }

  /// The record of a breaker that lets a probe through at once: somebody has mended something, or asks to try.
  ///
  /// - Parameter now: The time.
  public func readyToProbe(at now: Timestamp) -> BreakerRecord {
    var record = self
    if let openUntil, openUntil > now {
      record.openUntil = now
      record.at = now
    }
    return record
  }
}
