import NIOCore

/// Checks the first byte from the peer before the TLS handler gets it, then removes itself.
///
/// The TLS library waits until it has the five bytes that a record begins with; fewer, in plain text, would hold the
/// connection up until its limit.
final class FirstRecordHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  /// Alert and handshake (RFC 8446, section 5.1): the records that a server can begin with.
  private static let firstTypes: ClosedRange<UInt8> = 0x15...0x16
  private var hasFailed = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasFailed else { return }
    let bytes = unwrapInboundIn(data)
    guard let first = bytes.readableBytesView.first else { return }
    guard Self.firstTypes.contains(first) else {
      hasFailed = true
      context.fireErrorCaught(TLSFailure.plaintext)
      return
    }
    context.fireChannelRead(data)
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }
}
