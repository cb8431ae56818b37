import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// The events of a ``ResponseChannel``. All on the event loop.
protocol ResponseReceiver: AnyObject {
  /// The head has arrived.
  func received(head: HTTPResponseHead)
  /// A piece of the body has arrived.
  func received(body: ByteBuffer)
  /// The response is complete.
  func receivedEnd()
  /// The response will not be complete.
  func failed(_ error: any Error)
  /// Whether the receiver wants more now.
  var wantsMore: Bool { get }
}

/// One exchange at a time on a channel that speaks HTTP: an HTTP/1 connection, which is used again, or a stream of HTTP/2,
/// which is not. Belongs to the event loop.
final class ResponseChannel: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  /// The events for the pool.
  enum Event {
    /// The exchange is over and the channel can be used again.
    case free
    /// The channel is gone.
    case closed
  }

  let isStream: Bool
  /// Whether the connection was idle before the exchange, so that the server may be closing it.
  private(set) var isReused: Bool
  var onEvent: ((Event) -> Void)?

  private weak var receiver: (any ResponseReceiver)?
  private var context: ChannelHandlerContext?
  private var isClosed = false
  private var isBusy = false
  private var requestEnded = false
  private var responseBegan = false
  private var keepsAlive = false
  private var hasNoBody = false
  private var isHeadRequest = false

  init(isStream: Bool, isReused: Bool = false) {
    self.isStream = isStream
    self.isReused = isReused
  }

  /// Whether the channel can take a request.
  var isUsable: Bool { !isClosed && !isBusy && context != nil }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  // MARK: Sending

  /// Begins an exchange.
  func begin(_ head: HTTPRequestHead, receiver: any ResponseReceiver) {
    guard let context, !isClosed else {
      receiver.failed(ChannelError.ioOnClosedChannel)
      return
    }
    self.receiver = receiver
    isBusy = true
    requestEnded = false
    responseBegan = false
    keepsAlive = false
    isHeadRequest = head.method == .HEAD
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.read()
  }

  /// Sends a piece of the body.
  func write(_ bytes: ByteBuffer, sent: @escaping () -> Void) {
    guard let context, isBusy, !requestEnded else { return }
    let promise = context.eventLoop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenComplete { _ in sent() }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
  }

  /// Completes the body.
  func finish() {
    guard let context, isBusy, !requestEnded else { return }
    requestEnded = true
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// Sends what has been written.
  func flush() { context?.flush() }

  /// Asks for more of the response.
  func read() { context?.read() }

  /// Ends the exchange; the receiver hears no more.
  func abandon() {
    receiver = nil
    close()
  }

  /// Ends the channel.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    context?.close(promise: nil)
  }

  // MARK: Receiving

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard isBusy else {
      // No request is under way.
      close()
      return
    }
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard head.status.code >= 200 else {
        if head.status == .switchingProtocols { fail(HTTPParserError.invalidStatus) }
        return
      }
      responseBegan = true
      keepsAlive = head.isKeepAlive
      hasNoBody = isHeadRequest || head.status == .noContent || head.status == .notModified
      receiver?.received(head: head)
    case .body(let bytes):
      if bytes.readableBytes > 0 { receiver?.received(body: bytes) }
    case .end:
      guard responseBegan else { return }
      ended()
    }
  }

  private func ended() {
    isBusy = false
    let receiver = self.receiver
    self.receiver = nil
    let isOpen = context?.channel.isActive ?? false
    if isStream || !keepsAlive || !requestEnded || isClosed || !isOpen {
      close()
    } else {
      // Goes on reading, to notice when the other side closes.
      context?.read()
      isReused = true
      onEvent?(.free)
    }
    receiver?.receivedEnd()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if !isBusy || receiver?.wantsMore ?? false { context.read() }
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The decompressor takes an announced but absent body for a truncated one.
    if let error = error as? NIOHTTPDecompression.ExtraDecompressionError, error == .truncatedData, hasNoBody { return }
    fail(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosed = true
    fail(ChannelError.eof)
    onEvent?(.closed)
    onEvent = nil
    context.fireChannelInactive()
  }

  private func fail(_ error: any Error) {
    let receiver = self.receiver
    self.receiver = nil
    close()
    receiver?.failed(error)
  }
}
