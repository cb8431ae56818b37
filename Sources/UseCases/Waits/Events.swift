public import Engine
public import Expressions
import Recipes

/// The events that runs wait for, and their delivery.
public struct Events: Sendable {
  private let store: any RunLogReader & WaitDelivery

  /// The events of the runs in a run log.
  public init(_ store: any RunLogReader & WaitDelivery) { self.store = store }

  /// What has become of an event.
  public enum Delivery: Sendable {
    /// This run takes it.
    case taken(by: RunID)
    /// No run waits for it; it is kept for those that have begun or are queued. What runs wait for instead.
    case kept([OpenWait])
    /// Nobody can receive it. What runs wait for instead.
    case dropped([OpenWait])
  }

  /// Delivers an event to whichever run waits for it.
  ///
  /// - Parameters:
  ///   - name: The event's name.
  ///   - key: What tells events of one name apart.
  ///   - payload: What it says.
  public func deliver(
    _ name: String, key: String = "", payload: Value = .null
  ) async throws(UseCaseError) -> Delivery {
    try await mapErrors {
      if let run = try await store.deliver(event: name, key: key, payload: payload) { return .taken(by: run) }
      let isKept = try await store.hasOpenRuns()
      let waits = try await store.eventWaits()
      return isKept ? .kept(waits) : .dropped(waits)
    }
  }
}
