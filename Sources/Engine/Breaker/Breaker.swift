public import Expressions

/// The circuit breaker of one provider, as a state machine: after failures in a row nothing goes through for a while, then
/// single probes do, until enough of them have succeeded.
///
/// Times are of the day, so that the state can be kept beyond the end of the process. A clock that jumps back cannot keep
/// a breaker open longer than it was to be.
public struct Breaker: Sendable {
  /// When a breaker opens and closes.
  public struct Policy: Sendable, Hashable {
    /// Failures in a row that open it.
    public var failures: Int
    /// Seconds it stays open at first; doubles each time a probe fails.
    public var openSeconds: Double
    /// What ``openSeconds`` grows to at most, as a multiple of it.
    public var maximumFactor: Double
    /// Probes in a row that close it.
    public var probes: Int

    /// Three failures, 10 s, at most five times that, three probes.
    public static let standard = Policy()

    /// Creates a policy.
    public init(failures: Int = 3, openSeconds: Double = 10, maximumFactor: Double = 5, probes: Int = 3) {
      self.failures = failures
      self.openSeconds = openSeconds
      self.maximumFactor = maximumFactor
      self.probes = probes
    }
  }

  /// What is kept of it.
  public private(set) var record: BreakerRecord
  private let policy: Policy
  private var isProbing = false

  /// Creates a breaker that goes on where its record ends.
  public init(_ record: BreakerRecord, policy: Policy = .standard) {
    self.record = record
    self.policy = policy
  }

  /// Asks for leave to call the provider.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - hasWaited: Whether the caller has waited for this breaker before. It need not wait for the rest again, and is let
  ///     through as a probe; still there is one probe at a time.
  /// - Returns: `nil` where it may be called, and its end is to be told; otherwise seconds until it is worth asking again.
  public mutating func ask(at now: Timestamp, hasWaited: Bool = false) -> Double? {
    guard let openUntil = record.openUntil else { return nil }
    if hasWaited, !isProbing {
      isProbing = true
      return nil
    }
    let left = openUntil.seconds(since: now)
    if left > record.openSeconds {
      // The clock has jumped back.
      record.openUntil = now.adding(seconds: record.openSeconds)
      return record.openSeconds
    }
    if left > 0 { return left }
    if isProbing { return 1 }
    isProbing = true
    return nil
  }

  /// Takes in how a call has ended that ``ask(at:)`` has let through.
  ///
  /// - Parameters:
  ///   - failure: Why it failed; `nil` for success.
  ///   - now: When it ended.
  /// - Returns: Whether the record has changed.
  public mutating func end(_ failure: ActionFailure?, at now: Timestamp) -> Bool {
    let wasProbing = isProbing
    isProbing = false
    guard let failure, failure.kind.isOutage else {
      // Called off by us: it says nothing about the provider.
      if failure?.kind == .cancelled { return false }
      return succeed(at: now)
    }
    record.at = now
    record.failures += 1
    record.lastFailure = failure.kind
    record.probes = 0
    if wasProbing || record.openUntil != nil {
      open(
        for: min(max(record.openSeconds, policy.openSeconds) * 2, policy.openSeconds * policy.maximumFactor), at: now)
    } else if record.failures >= policy.failures {
      open(for: policy.openSeconds, at: now)
    }
    return true
  }

  /// Takes over what another process has found out since.
  mutating func adopt(_ newer: BreakerRecord) {
    if newer.at > record.at { record = newer }
  }

  private mutating func succeed(at now: Timestamp) -> Bool {
    if record.openUntil != nil {
      record.probes += 1
      record.at = now
      // It answers again, so the next probe need not wait for the rest.
      if let openUntil = record.openUntil, openUntil > now { record.openUntil = now }
      guard record.probes >= policy.probes else { return true }
      record = BreakerRecord(provider: record.provider, at: now)
      return true
    }
    guard record.failures > 0 else { return false }
    record = BreakerRecord(provider: record.provider, at: now)
    return true
  }

  private mutating func open(for seconds: Double, at now: Timestamp) {
    record.openSeconds = seconds
    record.openUntil = now.adding(seconds: seconds)
  }
}

extension ActionFailure.Kind {
  /// Whether the failure says that the provider itself is not there or not well, rather than that it refuses this call.
  var isOutage: Bool {
    switch self {
    case .dns, .timeout, .refused, .unreachable, .io, .server, .crashed: true
    default: false
    }
  }
}
