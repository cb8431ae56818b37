import Dispatch
import NIOCore

/// A byte stream.
///
/// Every function may be called from any thread, never blocks, and does nothing after the end. Letting go of the
/// connection does not close it.
public final class StreamConnection: Sendable {
  private let running: RunningDriver<StreamDriver>?

  /// Begins to connect; the runtime counts it as unfinished already.
  init(_ request: StreamRequest, policy: EgressPolicy, handler: any StreamHandler, runtime: NetworkRuntime) {
    running = RunningDriver(on: runtime, window: request.window, givesBack: false) { delivery, onEnd in
      StreamDriver(request, policy: policy, handler: handler, runtime: runtime, delivery: delivery, onEnd: onEnd)
    }
  }

  /// A stream that was opened too late.
  init(closed handler: any StreamHandler) {
    running = nil
    DispatchQueue.global().async { handler.end(.shutDown) }
  }

  /// Sends bytes, in order.
  public func write(_ bytes: some Sequence<UInt8>) {
    let buffer = ByteBuffer(bytes: bytes)
    running?.run { $0.write(buffer) }
  }

  /// Begins TLS as a client, behind what was written before; then the handler's `secured`, or its `end`.
  ///
  /// Bytes that came in plain text and were not handed over when this is called end the stream with
  /// ``NetworkError/Code/plaintextBehindTLS`` (RFC 3207, section 6; CVE-2011-0411). A caller looks itself at what follows the
  /// line it reacts to in the piece it got: that must be nothing.
  public func startTLS() {
    guard let running else { return }
    let handedOver = running.delivery.handedOver
    running.run { $0.startTLS(handedOver: handedOver) }
  }

  /// Says that so many further bytes may come.
  public func consumed(_ count: Int) { running?.delivery.consumed(count) }

  /// Closes after what was written has been sent. Idempotent.
  public func close() {
    running?.run { $0.close() }
  }

  /// Ends the stream at once, with the handler's `end` and the code ``NetworkError/Code/cancelled``. Idempotent.
  public func cancel() {
    running?.run { $0.cancel() }
  }
}
