import Expressions
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
  func ask(_ provider: String, at now: Timestamp, hasWaited: Bool) -> Double? {
    breakers.withLock { $0[provider]?.ask(at: now, hasWaited: hasWaited) }
  }

  /// Takes in how a call has ended.
  ///
  /// - Returns: What to keep; `nil` where nothing has changed.
  func end(_ provider: String, _ failure: ActionFailure?, at now: Timestamp) -> BreakerRecord? {
    breakers.withLock { breakers in
      if breakers[provider] == nil {
        guard failure != nil else { return nil }
        breakers[provider] = Breaker(BreakerRecord(provider: provider, at: now), policy: policy)
      }
      guard breakers[provider]?.end(failure, at: now) == true else { return nil }
      return breakers[provider]?.record
    }
  }

  /// What is known of a provider's breaker; `nil` where it never failed.
  public func record(of provider: String) -> BreakerRecord? {
    breakers.withLock { $0[provider]?.record }
  }
}
