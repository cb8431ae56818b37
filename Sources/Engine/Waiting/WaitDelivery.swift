public import Expressions

/// Brings to waiting runs what they wait for: events and decisions.
public protocol WaitDelivery: Sendable {
  /// Delivers an event; on disk when it returns. The oldest wait that it fits takes it; otherwise it is kept for a later
  /// wait of a run that has begun, or stands in the queue, by now.
  ///
  /// - Parameters:
  ///   - name: The event's name.
  ///   - key: What tells events of one name apart; empty where nothing does.
  ///   - payload: What it says.
  /// - Returns: The run that takes it.
  @discardableResult
  func deliver(event name: String, key: String, payload: Value) async throws -> RunID?

  /// Makes a decision that a run waits for; on disk when it returns.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - step: The step's name; `nil` where only one decision is open.
  ///   - item: The item's position in a `for_each`.
  ///   - approved: Whether the person agrees.
  ///   - fields: What was filled in, which fits the wait's form.
  ///   - reason: Why the person refuses.
  ///   - person: Who it is.
  func decide(
    run: RunID, step: String?, item: Int?, approved: Bool, fields: Value, reason: String, by person: String
  ) async throws
}
