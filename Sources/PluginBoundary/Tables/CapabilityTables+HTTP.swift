import CPluginABI
import Engine
import Localization
import OperatingSystem
import Synchronization

/// HTTP requests.
extension CapabilityTables {
  private static let methodBytes = 32
  private static let urlBytes = 64 << 10
  private static let headerFields = 1000
  private static let headerBytes = 256 << 10

  static func http(_ context: UnsafeMutableRawPointer?) -> sous_http_v1 {
    sous_http_v1(
      size: MemoryLayout<sous_http_v1>.size, context: context,
      start: { context, request, handler in
        CapabilityTables.find(context)?.startExchange(request, handler) ?? 0
      },
      write: { context, number, piece in
        guard let tables = CapabilityTables.find(context), let exchange = tables.exchanges.find(number) else { return }
        guard let bytes = piece.copy(limit: tables.limits.requestBytes) else {
          tables.services.reportDefect(
            "sous.http write: the piece is too large; the request is cancelled", level: .error)
          return exchange.cancel()
        }
        if !bytes.isEmpty { exchange.control?.write(bytes) }
      },
      finish: { CapabilityTables.find($0)?.exchanges.find($1)?.control?.finish() },
      consumed: { context, number, bytes in
        guard let exchange = CapabilityTables.find(context)?.exchanges.find(number), exchange.countsItself else {
          return
        }
        exchange.control?.consumed(bytes)
      },
      cancel: { CapabilityTables.find($0)?.exchanges.find($1)?.cancel() })
  }

  private func startExchange(
    _ request: UnsafePointer<sous_http_request>?, _ handler: UnsafePointer<sous_http_handler>?
  ) -> UInt64 {
    guard let request, let handler, request.pointee.size >= MemoryLayout<sous_http_request>.size,
      handler.pointee.size >= MemoryLayout<sous_http_handler>.size, handler.pointee.end != nil
    else {
      services.reportDefect(
        "sous.http start: the request or its handler is NULL, too small or without 'end'", level: .error)
      return 0
    }
    let number = CompletionTable.shared.makeID()
    let countsItself = request.pointee.flags & UInt32(SOUS_HTTP_FLOW_CONTROL) != 0
    let exchange = NativeExchange(
      handler.pointee, countsItself: countsItself, threads: callbacks,
      over: { [exchanges] in exchanges.remove(number) })
    guard exchanges.insert(exchange, as: number) else {
      exchange.end(.closedInstance)
      return number
    }
    do throws(ActionFailure) {
      exchange.setControl(services.send(try read(request.pointee), to: exchange))
    } catch {
      exchange.end(error)
    }
    return number
  }

  private func read(_ request: sous_http_request) throws(ActionFailure) -> HTTPExchangeRequest {
    guard let method = request.method.text(limit: CapabilityTables.methodBytes), !method.isEmpty else {
      throw .badRequest("the method")
    }
    guard let url = request.url.text(limit: CapabilityTables.urlBytes), !url.isEmpty else {
      throw .badRequest("the URL")
    }
    guard let body = request.body.copy(limit: limits.requestBytes) else { throw .badRequest("the body") }
    guard request.header_count <= CapabilityTables.headerFields, request.header_count == 0 || request.headers != nil
    else { throw .badRequest("the number of header fields") }
    var headers: [HeaderField] = []
    var bytes = 0
    for field in UnsafeBufferPointer(start: request.headers, count: request.header_count) {
      guard let name = field.name.text(limit: CapabilityTables.headerBytes),
        let value = field.value.text(limit: CapabilityTables.headerBytes)
      else { throw .badRequest("a header field") }
      bytes += name.utf8.count + value.utf8.count
      guard bytes <= CapabilityTables.headerBytes else { throw .badRequest("the header") }
      headers.append(HeaderField(name: name, value: value))
    }
    return HTTPExchangeRequest(
      call: request.call, method: method, url: url, headers: headers, body: body,
      streamsBody: request.flags & UInt32(SOUS_HTTP_STREAM_BODY) != 0,
      keepsRedirects: request.flags & UInt32(SOUS_HTTP_KEEP_REDIRECTS) != 0,
      connectTimeout: request.connect_timeout_ms, idleTimeout: request.idle_timeout_ms,
      responseLimit: request.response_limit, window: request.window)
  }
}

/// An HTTP request between the services and the callbacks of a plugin.
// Unchecked: the plugin's pointer, `context`, is only handed back to it.
final class NativeExchange: HTTPExchangeHandler, @unchecked Sendable {
  private struct State {
    var control: (any HTTPExchangeControl)?
    /// Commands of the plugin that came before the control existed.
    var isCancelled = false
    var consumed: UInt64 = 0
    var isOver = false
  }

  /// Whether the plugin says itself what it has consumed.
  let countsItself: Bool
  /// Told when the plugin's `end` has returned.
  let ended = SyncReply<Void>()

  private let native: sous_http_handler
  private let queue: CallbackQueue
  private let over: @Sendable () -> Void
  private let state = Mutex(State())

  init(
    _ native: sous_http_handler, countsItself: Bool, threads: BlockingPool, over: @escaping @Sendable () -> Void
  ) {
    self.native = native
    self.countsItself = countsItself
    self.over = over
    queue = CallbackQueue(threads: threads)
  }

  var control: (any HTTPExchangeControl)? { state.withLock { $0.control } }

  func setControl(_ control: any HTTPExchangeControl) {
    let (consumed, isCancelled) = state.withLock { state in
      if !state.isOver { state.control = control }
      return (state.consumed, state.isCancelled)
    }
    if isCancelled { control.cancel() } else if consumed > 0 { control.consumed(consumed) }
  }

  func cancel() {
    let control = state.withLock { state in
      state.isCancelled = true
      return state.control
    }
    control?.cancel()
  }

  func head(status: UInt32, headers: [HeaderField]) {
    guard let head = native.head else { return }
    queue.post { [self] in
      lend(headers) { head(native.context, status, $0.baseAddress, $0.count) }
    }
  }

  func data(_ piece: [UInt8]) {
    queue.post { [self] in
      if let data = native.data { borrow(piece) { data(native.context, $0) } }
      if !countsItself { consume(UInt64(piece.count)) }
    }
  }

  func end(_ failure: ActionFailure?) {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      state.control = nil
      return !state.isOver
    }
    guard isFirst else { return }
    queue.post { [self] in
      lend(failure) { native.end?(native.context, $0) }
      over()
      ended.offer(())
    }
  }

  private func consume(_ bytes: UInt64) {
    let control = state.withLock { state in
      if state.control == nil { state.consumed += bytes }
      return state.control
    }
    control?.consumed(bytes)
  }
}
