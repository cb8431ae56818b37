import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOHTTPCompression

/// A connection that carries many exchanges at a time (RFC 9113). Belongs to the event loop.
final class HTTP2Connection {
  /// Names the channel.
  let id: ObjectIdentifier
  /// The address it goes to.
  let address: IPAddress

  private let channel: any Channel
  private let endpoint: Endpoint
  private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
  private let watch: GoAwayHandler
  private let idleTime: TimeAmount
  private var streams = 0
  private var isKept = false
  private var expiry: Scheduled<Void>?

  init(_ channel: any Channel, to endpoint: Endpoint, address: IPAddress, limits: NetworkLimits) throws {
    self.channel = channel
    self.endpoint = endpoint
    self.address = address
    id = ObjectIdentifier(channel)
    idleTime = TimeAmount(limits.idleConnections)
    watch = GoAwayHandler()
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings = [
      HTTP2Setting(parameter: .enablePush, value: 0),
      HTTP2Setting(parameter: .maxConcurrentStreams, value: 0),
      HTTP2Setting(parameter: .maxHeaderListSize, value: min(limits.headerBytes, 1 << 24)),
      HTTP2Setting(parameter: .initialWindowSize, value: Self.streamWindow),
    ]
    connection.targetWindowSize = 4 << 20
    var stream = NIOHTTP2Handler.StreamConfiguration()
    stream.targetWindowSize = Self.streamWindow
    multiplexer = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
      mode: .client, connectionConfiguration: connection, streamConfiguration: stream
    ) { pushed in
      pushed.close()
    }
    try channel.pipeline.syncOperations.addHandler(watch)
    // A stream whose receiver waits is not read; the connection goes on.
    try channel.syncOptions?.setOption(.autoRead, value: true)
    channel.read()
  }

  private static let streamWindow = 256 << 10

  /// Whether it takes further exchanges.
  var isUsable: Bool { channel.isActive && !watch.isGoingAway }

  /// Whether it has carried exchanges and carries none now: the server may be closing it.
  var isIdle: Bool { isKept && streams == 0 }

  /// Opens a stream for one exchange.
  func open(completion: @escaping (Result<ResponseChannel, NetworkError>) -> Void) {
    let isReused = isIdle
    isKept = true
    streams += 1
    expiry?.cancel()
    expiry = nil
    let made = NIOLoopBoundBox<ResponseChannel?>(nil, eventLoop: channel.eventLoop)
    let promise = channel.eventLoop.makePromise(of: (any Channel).self)
    multiplexer.createStreamChannel(promise: promise) { stream in
      stream.eventLoop.makeCompletedFuture {
        let response = ResponseChannel(isStream: true, isReused: isReused)
        let pipeline = stream.pipeline.syncOperations
        try stream.syncOptions?.setOption(.autoRead, value: false)
        try pipeline.addHandler(HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https))
        try pipeline.addHandler(NIOHTTPResponseDecompressor(limit: .none))
        try pipeline.addHandler(response)
        made.value = response
      }
    }
    promise.futureResult.assumeIsolated().whenComplete { [self] result in
      switch (result, made.value) {
      case (.success(let stream), let response?):
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        stream.closeFuture.whenComplete { _ in bound.value.streamClosed() }
        completion(.success(response))
      default:
        streamClosed()
        completion(.failure(NetworkError(connectionLost: endpoint)))
      }
    }
  }

  private func streamClosed() {
    streams -= 1
    guard streams == 0 else { return }
    if watch.isGoingAway {
      channel.close(promise: nil)
    } else {
      expiry = channel.eventLoop.assumeIsolated().scheduleTask(in: idleTime) { [weak self] in
        self?.channel.close(promise: nil)
      }
    }
  }
}

/// Notices that the other side takes no further streams.
private final class GoAwayHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  private(set) var isGoingAway = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .goAway = unwrapInboundIn(data).payload { isGoingAway = true }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Errors of single streams reach their own channels.
    if error is NIOHTTP2Errors.StreamError { return }
    isGoingAway = true
    context.close(promise: nil)
  }
}
