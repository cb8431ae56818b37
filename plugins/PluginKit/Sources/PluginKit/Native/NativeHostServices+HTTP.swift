import CPluginABI

extension NativeHostServices {
  func startHTTP(
    _ request: HTTPRequest, call: UInt64, streamed: Bool, receiver: any HTTPReceiver
  ) -> (any HTTPControl)? {
    guard let table = httpTable, let start = table.pointee.start else { return nil }
    // Freed at the end, which every request has exactly once.
    let context = Unmanaged.passRetained(ReceiverBox(receiver)).toOpaque()
    var handler = sous_http_handler(
      size: MemoryLayout<sous_http_handler>.size, context: context,
      head: { context, status, headers, count in
        guard let context else { return }
        Unmanaged<ReceiverBox<any HTTPReceiver>>.fromOpaque(context).takeUnretainedValue().receiver
          .receiveHead(status: Int(status), headers: NativeBytes.headers(headers, count))
      },
      data: { context, piece in
        guard let context, piece.size > 0 else { return }
        Unmanaged<ReceiverBox<any HTTPReceiver>>.fromOpaque(context).takeUnretainedValue().receiver
          .receivePiece(NativeBytes.copy(piece))
      },
      end: { context, failure in
        guard let context else { return }
        Unmanaged<ReceiverBox<any HTTPReceiver>>.fromOpaque(context).takeRetainedValue().receiver
          .receiveEnd(NativeBytes.failure(failure))
      })
    var flags = UInt32(SOUS_HTTP_FLOW_CONTROL)
    if streamed { flags |= UInt32(SOUS_HTTP_STREAM_BODY) }
    if request.keepsRedirects { flags |= UInt32(SOUS_HTTP_KEEP_REDIRECTS) }
    let number = NativeBytes.borrow(request.method.rawValue) { method in
      NativeBytes.borrow(request.url) { url in
        NativeBytes.borrow(request.headers) { headers, count in
          NativeBytes.borrow(request.body) { body in
            var native = sous_http_request(
              size: MemoryLayout<sous_http_request>.size, call: call, method: method, url: url, headers: headers,
              header_count: count, body: body, flags: flags,
              connect_timeout_ms: NativeBytes.milliseconds(request.connectTimeout),
              idle_timeout_ms: NativeBytes.milliseconds(request.idleTimeout),
              response_limit: UInt64(clamping: request.responseLimit ?? 0), window: 0)
            return start(table.pointee.context, &native, &handler)
          }
        }
      }
    }
    return NativeHTTPControl(table: table, number: number)
  }
}

/// A receiver on its way through C, which knows only addresses of objects.
final class ReceiverBox<Receiver: Sendable>: Sendable {
  let receiver: Receiver
  init(_ receiver: Receiver) { self.receiver = receiver }
}

/// Steers a request through the host's table.
// The table is constant, kept alive by the host, and callable from any thread.
private struct NativeHTTPControl: HTTPControl, @unchecked Sendable {
  let table: UnsafePointer<sous_http_v1>
  let number: UInt64

  func write(_ piece: [UInt8]) {
    NativeBytes.borrow(piece) { table.pointee.write?(table.pointee.context, number, $0) }
  }
  func finish() { table.pointee.finish?(table.pointee.context, number) }
  func consumed(_ count: Int) { table.pointee.consumed?(table.pointee.context, number, UInt64(clamping: count)) }
  func cancel() { table.pointee.cancel?(table.pointee.context, number) }
}
