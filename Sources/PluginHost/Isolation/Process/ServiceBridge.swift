import Engine
import PluginBoundary
import Synchronization

/// Carries out in the host what a plugin in a worker process asks of its instance's services.
///
/// There is one for each worker: the numbers of its exchanges and blobs are the worker's, and end with it.
final class ServiceBridge: Sendable {
  /// The most blobs that a worker may be writing at once.
  private static let blobLimit = 256

  private enum Control: Sendable {
    case http(any HTTPExchangeControl)
    case stream(any ByteStreamControl)
  }

  private struct State {
    var controls: [UInt64: Control] = [:]
    /// Exchanges that ended before their control was there.
    var isOver = false
    var blobs: [UInt64: any BlobWriting] = [:]
  }

  private let services: any InstanceServices
  private let state = Mutex(State())

  init(_ services: any InstanceServices) { self.services = services }

  /// Passes on what needs no reply.
  func report(_ message: WorkerMessage) {
    switch message {
    case .log(let call, let level, let text): services.log(level, text, call: call)
    case .progress(let call, let done, let total, let label):
      services.progress(done: done, total: total, label: label, call: call)
    case .delta(let call, let json): services.delta(json, call: call)
    case .defect(let level, let text): services.reportDefect(text, level: level)
    case .createBlob(let id, let call):
      guard let blob = services.createBlob(call: call) else { return }
      let isTaken = state.withLock { state in
        guard !state.isOver, state.blobs[id] == nil, state.blobs.count < ServiceBridge.blobLimit else { return false }
        state.blobs[id] = blob
        return true
      }
      if !isTaken { blob.discard() }
    case .discardBlob(let id): state.withLock { $0.blobs.removeValue(forKey: id) }?.discard()
    default: break
    }
  }

  /// Carries a request out.
  func carryOut(_ request: WorkerRequest, reply: @escaping @Sendable (WorkerReply) -> Void) {
    switch request {
    case .now: reply(WorkerReply(number: UInt64(bitPattern: services.now)))
    case .monotonic: reply(WorkerReply(number: services.monotonic))
    case .readSecret(let name): services.readSecret(name) { reply(WorkerReply($0) { WorkerReply(items: [$0]) }) }
    case .readState(let key):
      services.readState(key) { reply(WorkerReply($0) { WorkerReply(number: $0.version, items: [$0.value]) }) }
    case .listState(let prefix):
      services.listState(prefix) { reply(WorkerReply($0) { WorkerReply(items: $0.map { Array($0.utf8) }) }) }
    case .commitState(let changes): services.commitState(changes) { reply(WorkerReply($0) { WorkerReply() }) }
    case .writeBlob(let id, let piece):
      guard let blob = state.withLock({ $0.blobs[id] }) else { return reply(WorkerReply(.failed)) }
      blob.write(piece) { reply(WorkerReply($0) { WorkerReply() }) }
    case .finishBlob(let id):
      guard let blob = state.withLock({ $0.blobs.removeValue(forKey: id) }) else { return reply(WorkerReply(.failed)) }
      blob.finish { reply(WorkerReply($0) { WorkerReply(items: [Array($0.utf8)]) }) }
    case .readBlob(let call, let name, let offset, let length):
      services.readBlob(name, offset: offset, length: Int(clamping: length), call: call) {
        reply(WorkerReply($0) { WorkerReply(items: [$0]) })
      }
    case .emit(let event): services.emit(event) { reply(WorkerReply($0) { WorkerReply() }) }
    }
  }

  /// Begins an HTTP request or a connection; its events go to the sink.
  func begin(_ id: UInt64, _ command: ExchangeCommand, sink: @escaping @Sendable (ExchangeEvent) -> Void) {
    let events = ExchangeEvents(sink) { [weak self] in
      _ = self?.state.withLock { $0.controls.removeValue(forKey: id) }
    }
    let control: Control
    switch command {
    case .send(let request): control = .http(services.send(request, to: events))
    case .open(let request): control = .stream(services.open(request, to: events))
    default: return
    }
    let isUnwanted = state.withLock { state in
      if state.isOver { return true }
      if !events.hasEnded { state.controls[id] = control }
      return false
    }
    if isUnwanted { end(control) }
    // It may have ended between the look and the note.
    if events.hasEnded { _ = state.withLock { $0.controls.removeValue(forKey: id) } }
  }

  func command(_ id: UInt64, _ command: ExchangeCommand) {
    switch (state.withLock { $0.controls[id] }, command) {
    case (.http(let control)?, .write(let piece)): control.write(piece)
    case (.http(let control)?, .finish): control.finish()
    case (.http(let control)?, .consumed(let bytes)): control.consumed(bytes)
    case (.stream(let control)?, .write(let piece)): control.write(piece)
    case (.stream(let control)?, .startTLS): control.startTLS()
    case (.stream(let control)?, .consumed(let bytes)): control.consumed(bytes)
    case (let control?, .cancel): end(control)
    default: break
    }
  }

  /// The worker has ended: nothing of what it began goes on.
  func close() {
    let (controls, blobs) = state.withLock { state in
      state.isOver = true
      defer {
        state.controls = [:]
        state.blobs = [:]
      }
      return (state.controls.values, state.blobs.values)
    }
    for control in controls { end(control) }
    for blob in blobs { blob.discard() }
  }

  private func end(_ control: Control) {
    switch control {
    case .http(let control): control.cancel()
    case .stream(let control): control.close()
    }
  }
}

/// Passes on what happens to one exchange.
private final class ExchangeEvents: HTTPExchangeHandler, ByteStreamHandler {
  private let sink: @Sendable (ExchangeEvent) -> Void
  private let onEnd: @Sendable () -> Void
  private let isOver = Atomic<Bool>(false)

  init(_ sink: @escaping @Sendable (ExchangeEvent) -> Void, onEnd: @escaping @Sendable () -> Void) {
    self.sink = sink
    self.onEnd = onEnd
  }

  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  func head(status: UInt32, headers: [HeaderField]) { sink(.head(status: status, headers: headers)) }
  func data(_ piece: [UInt8]) { sink(.data(piece)) }
  func opened() { sink(.opened) }
  func secured() { sink(.secured) }
  func sent(_ total: UInt64) { sink(.sent(total: total)) }
  func end(_ failure: ActionFailure?) {
    isOver.store(true, ordering: .releasing)
    sink(.end(failure.map { WireFailure($0) }))
    onEnd()
  }
}

extension WorkerReply {
  fileprivate init<Value>(_ result: Result<Value, ServiceStatus>, _ success: (Value) -> WorkerReply) {
    switch result {
    case .success(let value): self = success(value)
    case .failure(let status): self.init(status)
    }
  }
}
