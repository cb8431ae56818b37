import CPluginABI
import Engine
import OperatingSystem
import Synchronization

/// Connections of bytes.
extension CapabilityTables {
  private static let hostBytes = 1024

  static func stream(_ context: UnsafeMutableRawPointer?) -> sous_stream_v1 {
    sous_stream_v1(
      size: MemoryLayout<sous_stream_v1>.size, context: context,
      open: { context, request, handler in CapabilityTables.find(context)?.openStream(request, handler) ?? 0 },
      write: { context, number, piece in
        guard let tables = CapabilityTables.find(context), let stream = tables.streams.find(number) else { return }
        guard let bytes = piece.copy(limit: tables.limits.requestBytes) else {
          tables.services.reportDefect("sous.stream write: the piece is too large; the stream is closed", level: .error)
          return stream.abort()
        }
        if !bytes.isEmpty { stream.control?.write(bytes) }
      },
      start_tls: { CapabilityTables.find($0)?.streams.find($1)?.startTLS() },
      consumed: { CapabilityTables.find($0)?.streams.find($1)?.control?.consumed($2) },
      close: { CapabilityTables.find($0)?.streams.find($1)?.abort() })
  }

  private func openStream(
    _ request: UnsafePointer<sous_stream_request>?, _ handler: UnsafePointer<sous_stream_handler>?
  ) -> UInt64 {
    guard let request, let handler, request.pointee.size >= MemoryLayout<sous_stream_request>.size,
      handler.pointee.size >= MemoryLayout<sous_stream_handler>.size, handler.pointee.end != nil
    else {
      services.reportDefect(
        "sous.stream open: the request or its handler is NULL, too small or without 'end'", level: .error)
      return 0
    }
    let number = CompletionTable.shared.makeID()
    let stream = NativeStream(handler.pointee, threads: callbacks, over: { [streams] in streams.remove(number) })
    guard streams.insert(stream, as: number) else {
      stream.end(.closedInstance)
      return number
    }
    do throws(ActionFailure) {
      stream.setControl(services.open(try read(request.pointee), to: stream))
    } catch {
      stream.end(error)
    }
    return number
  }

  private func read(_ request: sous_stream_request) throws(ActionFailure) -> ByteStreamRequest {
    guard let host = request.host.text(limit: CapabilityTables.hostBytes), !host.isEmpty else {
      throw .badRequest("the host")
    }
    guard let port = UInt16(exactly: request.port), port > 0 else { throw .badRequest("the port") }
    guard request.tls == UInt32(SOUS_TLS_NONE) || request.tls == UInt32(SOUS_TLS_IMPLICIT) else {
      throw .badRequest("tls")
    }
    return ByteStreamRequest(
      call: request.call, host: host, port: port, isSecured: request.tls == UInt32(SOUS_TLS_IMPLICIT),
      connectTimeout: request.connect_timeout_ms, idleTimeout: request.idle_timeout_ms, window: request.window)
  }
}

/// A connection between the services and the callbacks of a plugin.
// Unchecked: the plugin's pointer, `context`, is only handed back to it.
final class NativeStream: ByteStreamHandler, @unchecked Sendable {
  private struct State {
    var control: (any ByteStreamControl)?
    var isClosed = false
    var isOver = false
    var awaitsTLS = false
  }

  /// Told when the plugin's `end` has returned.
  let ended = SyncReply<Void>()

  private let native: sous_stream_handler
  private let queue: CallbackQueue
  private let over: @Sendable () -> Void
  private let state = Mutex(State())

  init(_ native: sous_stream_handler, threads: BlockingPool, over: @escaping @Sendable () -> Void) {
    self.native = native
    self.over = over
    queue = CallbackQueue(threads: threads)
  }

  var control: (any ByteStreamControl)? { state.withLock { $0.control } }

  func setControl(_ control: any ByteStreamControl) {
    let isClosed = state.withLock { state in
      if !state.isOver { state.control = control }
      return state.isClosed
    }
    if isClosed { control.close() }
  }

  /// Closes it, also where the connection has not begun.
  func abort() {
    let control = state.withLock { state in
      state.isClosed = true
      return state.control
    }
    control?.close()
  }

  func opened() { queue.post { [self] in native.opened?(native.context) } }

  func startTLS() {
    let control = state.withLock { state in
      state.awaitsTLS = true
      return state.control
    }
    control?.startTLS()
  }

  func data(_ piece: [UInt8]) {
    queue.post { [self] in
      // On its way here when the plugin asked for TLS: an attacker on the way may have inserted it to pass as encrypted.
      if state.withLock({ $0.awaitsTLS }) {
        abort()
        return end(.plaintextBehindTLS)
      }
      if let data = native.data { borrow(piece) { data(native.context, $0) } }
    }
  }

  func secured() {
    queue.post { [self] in
      state.withLock { $0.awaitsTLS = false }
      native.secured?(native.context)
    }
  }

  func sent(_ total: UInt64) {
    guard let sent = native.sent else { return }
    queue.post { [self] in sent(native.context, total) }
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
}
