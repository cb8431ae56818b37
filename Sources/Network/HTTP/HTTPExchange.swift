/// A request that is under way.
///
/// Every function may be called from any thread, never blocks, and does nothing after the end. Letting go of the exchange
/// does not cancel it.
public final class HTTPExchange: Sendable {
  init() {}

  /// Adds to a streamed body.
  public func write(_ bytes: some Sequence<UInt8>) {}

  /// Says that a streamed body is complete.
  public func finish() {}

  /// Says that so many further bytes may come, where the request has a window.
  public func consumed(_ count: Int) {}

  /// Ends the exchange soon, with the handler's `end`. Idempotent.
  public func cancel() {}
}
