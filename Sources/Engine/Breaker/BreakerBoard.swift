package import Expressions
import Synchronization

/// The circuit breakers of all providers.
public final class BreakerBoard: Sendable {
  private let policy: Breaker.Policy
  private let breakers: Mutex<[String: Breaker]>

  /// Creates the board.
  ///
  /// - Parameters:
  ///   - records: What is kept from earlier.
  ///   - policy: When breakers open and close.
  public init(_ records: [BreakerRecord] = [], policy: Breaker.Policy = .standard) {
    self.policy = policy
    breakers = Mutex(
      Dictionary(records.map { ($0.provider, Breaker($0, policy: policy)) }) { _, last in last })
  }

  /// Asks for leave to call a provider; see ``Breaker/ask(at:hasWaited:)``.
  package func ask(_ provider: String, at now: Timestamp, hasWaited: Bool) -> Double? {
    breakers.withLock { $0[provider]?.ask(at: now, hasWaited: hasWaited) }
  }

  /// Takes in how a call has ended.
  ///
  /// - Returns: What to keep; `nil` where nothing has changed.
  package func end(_ provider: String, _ failure: ActionFailure?, at now: Timestamp) -> BreakerRecord? {
    breakers.withLock { breakers in
      if breakers[provider] == nil {
        guard failure != nil else { return nil }
        breakers[provider] = Breaker(BreakerRecord(provider: provider, at: now), policy: policy)
      }
      guard breakers[provider]?.end(failure, at: now) == true else { return nil }
      return breakers[provider]?.record
    }
  }

  /// Takes over what other processes have found out since.
  ///
  /// - Parameter records: What is kept by now.
  public func adopt(_ records: [BreakerRecord]) {
    breakers.withLock { breakers in
      for record in records { breakers[record.provider]?.adopt(record) }
    }
  }

  /// Whether any breaker is open, so that it is worth to look what others find out.
  public var hasOpen: Bool { breakers.withLock { $0.values.contains { $0.record.openUntil != nil } } }

  /// Whether a provider's breaker lets nothing through now; asks for no leave.
  func isBlocked(_ provider: String, at now: Timestamp) -> Bool {
    breakers.withLock { ($0[provider]?.record.openUntil).map { $0 > now } ?? false }
  }

  /// What is known of a provider's breaker; `nil` where it never failed.
  public func record(of provider: String) -> BreakerRecord? {
    breakers.withLock { $0[provider]?.record }
  }
}
