import Dispatch
import NIOCore

/// A request that is under way.
///
/// Every function may be called from any thread, never blocks, and does nothing after the end. Letting go of the exchange
/// does not cancel it.
public final class HTTPExchange: Sendable {
  private struct Running: Sendable {
    let gate: LoopGate
    let driver: NIOLoopBoundBox<ExchangeDriver?>
    let delivery: Delivery
  }

  private let running: Running?

  /// Begins to carry a request out, which the runtime counts as unfinished already.
  init(_ request: HTTPRequest, policy: EgressPolicy, handler: any HTTPResponseHandler, runtime: NetworkRuntime) {
    let box = NIOLoopBoundBox<ExchangeDriver?>.makeEmptyBox(eventLoop: runtime.loop)
    let delivery = Delivery(
      queue: CallbackQueue(unfinished: runtime.unfinished), window: request.window ?? runtime.limits.window,
      givesBack: request.window == nil, resume: { runtime.gate.run { box.value?.resume() } })
    running = Running(gate: runtime.gate, driver: box, delivery: delivery)
    runtime.gate.run {
      let id = ObjectIdentifier(box)
      let driver = ExchangeDriver(request, policy: policy, handler: handler, runtime: runtime, delivery: delivery) {
        box.value = nil
        runtime.onLoop.endings[id] = nil
        // The delivery of the end counts by itself.
        runtime.unfinished.leave()
      }
      box.value = driver
      runtime.onLoop.endings[id] = { [weak driver] in driver?.shutDown() }
      if runtime.onLoop.isClosing { driver.shutDown() } else { driver.start() }
    }
  }

  /// An exchange that was begun too late.
  init(closed handler: any HTTPResponseHandler) {
    running = nil
    DispatchQueue.global().async { handler.end(.shutDown) }
  }

  /// Adds to a streamed body.
  public func write(_ bytes: some Sequence<UInt8>) {
    guard let running else { return }
    let buffer = ByteBuffer(bytes: bytes)
    running.gate.run { running.driver.value?.write(buffer) }
  }

  /// Says that a streamed body is complete.
  public func finish() {
    guard let running else { return }
    running.gate.run { running.driver.value?.finish() }
  }

  /// Says that so many further bytes may come, where the request has a window.
  public func consumed(_ count: Int) { running?.delivery.consumed(count) }

  /// Ends the exchange soon, with the handler's `end`. Idempotent.
  public func cancel() {
    guard let running else { return }
    running.gate.run { running.driver.value?.cancel() }
  }
}
