import Dispatch
import NIOCore

/// A request that is under way.
///
/// Every function may be called from any thread, never blocks, and does nothing after the end. Letting go of the exchange
/// does not cancel it.
public final class HTTPExchange: Sendable {
  private let running: RunningDriver<ExchangeDriver>?

  /// Begins to carry a request out, which the runtime counts as unfinished already.
  init(_ request: HTTPRequest, policy: EgressPolicy, handler: any HTTPResponseHandler, runtime: NetworkRuntime) {
    running = RunningDriver(on: runtime, window: request.window, givesBack: request.window == nil) { delivery, onEnd in
      ExchangeDriver(request, policy: policy, handler: handler, runtime: runtime, delivery: delivery, onEnd: onEnd)
    }
  }

  /// An exchange that was begun too late.
  init(closed handler: any HTTPResponseHandler) {
    running = nil
    DispatchQueue.global().async { handler.end(.shutDown) }
  }

  /// Adds to a streamed body.
  public func write(_ bytes: some Sequence<UInt8>) {
    let buffer = ByteBuffer(bytes: bytes)
    running?.run { $0.write(buffer) }
  }

  /// Says that a streamed body is complete.
  public func finish() {
    running?.run { $0.finish() }
  }

  /// Says that so many further bytes may come, where the request has a window.
  public func consumed(_ count: Int) { running?.delivery.consumed(count) }

  /// Ends the exchange soon, with the handler's `end`. Idempotent.
  public func cancel() {
    running?.run { $0.cancel() }
  }
}
