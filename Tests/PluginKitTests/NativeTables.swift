import CPluginABI
import Synchronization

/// The capabilities of a host that answer, in C: they echo, and note what they were asked.
final class NativeTables: Sendable {
  struct Handler<Value>: @unchecked Sendable {
    let value: Value
  }

  struct State: Sendable {
    var lines: [String] = []
    var stored: [String: (value: [UInt8], version: UInt64)] = [:]
    var blobs: [UInt64: [UInt8]] = [:]
    var pending: [UInt64: Handler<sous_http_handler>] = [:]
    var stream: Handler<sous_stream_handler>?
    var isEmitRefused = false
  }

  let state = Mutex(State())
  var lines: [String] { state.withLock { $0.lines } }

  // Never freed, as nothing tells when the last thread of a plugin has gone.
  nonisolated(unsafe) let http = UnsafeMutablePointer<sous_http_v1>.allocate(capacity: 1)
  nonisolated(unsafe) let stream = UnsafeMutablePointer<sous_stream_v1>.allocate(capacity: 1)
  nonisolated(unsafe) let secret = UnsafeMutablePointer<sous_secret_v1>.allocate(capacity: 1)
  nonisolated(unsafe) let kept = UnsafeMutablePointer<sous_state_v1>.allocate(capacity: 1)
  nonisolated(unsafe) let blob = UnsafeMutablePointer<sous_blob_v1>.allocate(capacity: 1)
  nonisolated(unsafe) let event = UnsafeMutablePointer<sous_event_v1>.allocate(capacity: 1)

  init() {
    let context = Unmanaged.passRetained(self).toOpaque()
    http.initialize(
      to: sous_http_v1(
        size: MemoryLayout<sous_http_v1>.size, context: context,
        start: { NativeTables.of($0).startHTTP($1, $2) },
        write: { NativeTables.of($0).note("write \(text($2))") },
        finish: { context, request in NativeTables.of(context).answer(request, body: "finished") },
        consumed: { NativeTables.of($0).note("consumed \($2)") },
        cancel: { NativeTables.of($0).cancel($1) }))
    stream.initialize(
      to: sous_stream_v1(
        size: MemoryLayout<sous_stream_v1>.size, context: context,
        open: { NativeTables.of($0).open($1, $2) },
        write: { NativeTables.of($0).answerLine(text($2)) },
        start_tls: { context, _ in
          let handler = NativeTables.of(context).state.withLock { $0.stream }
          handler?.value.secured(handler?.value.context)
        },
        consumed: { NativeTables.of($0).note("consumed \($2)") },
        close: { context, _ in NativeTables.of(context).endStream() }))
    secret.initialize(
      to: sous_secret_v1(size: MemoryLayout<sous_secret_v1>.size, context: context) { _, name, receive, receiver in
        guard text(name) == "password" else { return UInt32(SOUS_REFUSED) }
        borrow("hunter2") { receive?(receiver, $0) }
        return UInt32(SOUS_OK)
      })
    kept.initialize(
      to: sous_state_v1(
        size: MemoryLayout<sous_state_v1>.size, context: context,
        read: { context, key, receive, receiver in
          guard let entry = NativeTables.of(context).state.withLock({ $0.stored[text(key)] }) else {
            return UInt32(SOUS_ABSENT)
          }
          borrow(String(decoding: entry.value, as: UTF8.self)) { receive?(receiver, $0, entry.version) }
          return UInt32(SOUS_OK)
        },
        list: { context, prefix, receive, receiver in
          for key in NativeTables.of(context).state.withLock({ $0.stored.keys.sorted() }) {
            if key.hasPrefix(text(prefix)) { borrow(key) { receive?(receiver, $0) } }
          }
          return UInt32(SOUS_OK)
        },
        commit: { NativeTables.of($0).commit($1, $2) }))
    blob.initialize(
      to: sous_blob_v1(
        size: MemoryLayout<sous_blob_v1>.size, context: context,
        create: { context, call in
          NativeTables.of(context).state.withLock { state in
            state.lines.append("create \(call)")
            state.blobs[9] = []
            return 9
          }
        },
        write: { context, number, piece in
          NativeTables.of(context).state.withLock { $0.blobs[number]? += Array(text(piece).utf8) }
          return UInt32(SOUS_OK)
        },
        finish: { context, number, receive, receiver in
          borrow("blob:sha256:" + String(repeating: "0", count: 63) + "\(number)") { receive?(receiver, $0) }
          return UInt32(SOUS_OK)
        },
        discard: { NativeTables.of($0).note("discard \($1)") },
        read: { _, call, name, offset, length, receive, receiver in
          guard text(name).hasSuffix("1") else { return UInt32(SOUS_REFUSED) }
          // Two pieces, then nothing.
          if offset == 0 { for piece in ["qui", "et"] { borrow(piece) { receive?(receiver, $0) } } }
          return UInt32(SOUS_OK)
        }))
    event.initialize(
      to: sous_event_v1(size: MemoryLayout<sous_event_v1>.size, context: context) { context, call, id, event, cursor in
        NativeTables.of(context).state.withLock { state in
          guard !state.isEmitRefused else { return UInt32(SOUS_REFUSED) }
          state.lines.append("event \(call) \(text(id)) \(text(event)) \(text(cursor))")
          return UInt32(SOUS_OK)
        }
      })
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> NativeTables {
    guard let context else { preconditionFailure("the plugin has lost the context") }
    return Unmanaged<NativeTables>.fromOpaque(context).takeUnretainedValue()
  }

  func note(_ line: String) { state.withLock { $0.lines.append(line) } }

  private func startHTTP(
    _ request: UnsafePointer<sous_http_request>?, _ handler: UnsafePointer<sous_http_handler>?
  ) -> UInt64 {
    guard let request = request?.pointee, let handler = handler?.pointee else { return 1 }
    let headers = UnsafeBufferPointer(start: request.headers, count: request.header_count)
      .map { "\(text($0.name))=\(text($0.value))" }
    note(
      "\(request.call) \(text(request.method)) \(text(request.url)) \(headers) \(text(request.body)) "
        + "flags \(request.flags) connect \(request.connect_timeout_ms) idle \(request.idle_timeout_ms) "
        + "limit \(request.response_limit)")
    state.withLock { $0.pending[4] = Handler(value: handler) }
    // Everything before `start` has returned, which the header allows.
    if text(request.url).hasSuffix("/now") { answer(4, body: "at once") }
    if text(request.url).hasSuffix("/fail") {
      end(4, #"{"kind":"refused","message":"no","message_de":"nein","advice":"a","retry_after":2}"#)
    }
    return 4
  }

  private func answer(_ request: UInt64, body: String) {
    guard let handler = state.withLock({ $0.pending.removeValue(forKey: request) })?.value else { return }
    borrow("X-One") { name in
      borrow("1") { value in
        var header = sous_header(name: name, value: value)
        handler.head(handler.context, 201, &header, 1)
      }
    }
    borrow(body) { handler.data(handler.context, $0) }
    handler.end(handler.context, nil)
  }

  private func end(_ request: UInt64, _ payload: String) {
    guard let handler = state.withLock({ $0.pending.removeValue(forKey: request) })?.value else { return }
    borrow(payload) { payload in
      var result = sous_result(
        size: MemoryLayout<sous_result>.size, status: UInt32(SOUS_STATUS_ERROR), payload: payload)
      handler.end(handler.context, &result)
    }
  }

  private func cancel(_ request: UInt64) {
    note("cancel \(request)")
    end(request, #"{"kind":"cancelled","message":"cancelled"}"#)
  }

  private func open(
    _ request: UnsafePointer<sous_stream_request>?, _ handler: UnsafePointer<sous_stream_handler>?
  ) -> UInt64 {
    guard let request = request?.pointee, let handler = handler?.pointee else { return 1 }
    note("open \(request.call) \(text(request.host)):\(request.port) tls \(request.tls)")
    state.withLock { $0.stream = Handler(value: handler) }
    handler.opened(handler.context)
    borrow("ready\r\n") { handler.data(handler.context, $0) }
    return 6
  }

  private func answerLine(_ line: String) {
    guard let handler = state.withLock({ $0.stream })?.value else { return }
    handler.sent(handler.context, UInt64(line.utf8.count))
    let said = line.hasPrefix("SAY ") ? String(line.dropFirst(4).dropLast()) : nil
    borrow(said.map { "\($0.utf8.count)\n\($0)" } ?? "ok\n") { handler.data(handler.context, $0) }
  }

  private func endStream() {
    let handler = state.withLock { state in
      defer { state.stream = nil }
      return state.stream
    }
    guard let handler = handler?.value else { return }
    note("close")
    handler.end(handler.context, nil)
  }

  private func commit(_ changes: UnsafePointer<sous_state_change>?, _ count: Int) -> UInt32 {
    state.withLock { state in
      for change in UnsafeBufferPointer(start: changes, count: count) {
        let key = text(change.key)
        if change.flags & UInt32(SOUS_STATE_IF_VERSION) != 0, state.stored[key]?.version ?? 0 != change.version {
          return UInt32(SOUS_CONFLICT)
        }
        state.lines.append("set \(key) \(text(change.value)) flags \(change.flags)")
        state.stored[key] = (Array(text(change.value).utf8), change.version + 1)
      }
      return UInt32(SOUS_OK)
    }
  }
}
