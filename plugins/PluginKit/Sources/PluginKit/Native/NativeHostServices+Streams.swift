import CPluginABI

extension NativeHostServices {
  func openStream(_ request: StreamRequest, call: UInt64, receiver: any StreamReceiver) -> (any StreamControl)? {
    guard let table = streamTable, let open = table.pointee.open else { return nil }
    // Freed at the end, which every stream has exactly once.
    let context = Unmanaged.passRetained(ReceiverBox(receiver)).toOpaque()
    var handler = sous_stream_handler(
      size: MemoryLayout<sous_stream_handler>.size, context: context,
      opened: { streamReceiver($0)?.receiveOpened() },
      data: { context, piece in
        guard piece.size > 0 else { return }
        streamReceiver(context)?.receiveData(NativeBytes.copy(piece))
      },
      secured: { streamReceiver($0)?.receiveSecured() },
      sent: { streamReceiver($0)?.receiveSent($1) },
      end: { context, failure in
        guard let context else { return }
        Unmanaged<ReceiverBox<any StreamReceiver>>.fromOpaque(context).takeRetainedValue().receiver
          .receiveEnd(NativeBytes.failure(failure))
      })
    let number = NativeBytes.borrow(request.host) { host in
      var native = sous_stream_request(
        size: MemoryLayout<sous_stream_request>.size, call: call, host: host, port: UInt32(clamping: request.port),
        tls: request.tls.rawValue, connect_timeout_ms: NativeBytes.milliseconds(request.connectTimeout),
        idle_timeout_ms: NativeBytes.milliseconds(request.idleTimeout), window: 0)
      return open(table.pointee.context, &native, &handler)
    }
    return NativeStreamControl(table: table, number: number)
  }
}

private func streamReceiver(_ context: UnsafeMutableRawPointer?) -> (any StreamReceiver)? {
  guard let context else { return nil }
  return Unmanaged<ReceiverBox<any StreamReceiver>>.fromOpaque(context).takeUnretainedValue().receiver
}

/// Steers a stream through the host's table.
// The table is constant, kept alive by the host, and callable from any thread.
private struct NativeStreamControl: StreamControl, @unchecked Sendable {
  let table: UnsafePointer<sous_stream_v1>
  let number: UInt64

  func write(_ piece: [UInt8]) {
    NativeBytes.borrow(piece) { table.pointee.write?(table.pointee.context, number, $0) }
  }
  func startTLS() { table.pointee.start_tls?(table.pointee.context, number) }
  func consumed(_ count: Int) { table.pointee.consumed?(table.pointee.context, number, UInt64(clamping: count)) }
  func close() { table.pointee.close?(table.pointee.context, number) }
}
