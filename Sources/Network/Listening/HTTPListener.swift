import Glibc
import Localization
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Accepts HTTP/1.1 requests at an address of this machine, one for each connection.
///
/// Number, time and size of requests are bounded. There is no TLS: put a proxy with TLS in front if other machines connect.
public final class HTTPListener: Sendable {
  /// Seconds in which a client must send the head of its request, and in which it must send the rest.
  private static let patience: (head: Int64, whole: Int64) = (5, 15)

  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel

  /// The port it listens at.
  public let port: Int

  private init(_ group: MultiThreadedEventLoopGroup, _ channel: any Channel) {
    self.group = group
    self.channel = channel
    port = channel.localAddress?.port ?? 0
  }

  /// Listens from now on.
  ///
  /// - Parameters:
  ///   - host: The address.
  ///   - port: The port; 0 for one that is free.
  ///   - handler: Answers.
  /// - Throws: ``NetworkError`` where the address cannot be used, as when another process has it.
  public static func start(
    host: String, port: Int, _ handler: any RequestHandler
  ) async throws(NetworkError) -> HTTPListener {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let register = ClientRegister()
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.closeOnExec()
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .childChannelInitializer { channel in
        channel.closeOnExec()
        guard let client = register.enter(channel) else { return channel.close() }
        channel.closeFuture.whenComplete { _ in register.leave(client.id) }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: true)
          try pipeline.addHandler(
            IncomingHandler(handler, client, register, patience: (.seconds(patience.head), .seconds(patience.whole))))
        }
      }
    do {
      return HTTPListener(group, try await bootstrap.bind(host: host, port: port).get())
    } catch {
      try? await group.shutdownGracefully()
      let isTaken = (error as? IOError)?.errnoCode == EADDRINUSE
      let reason =
        isTaken
        ? LocalizedText("another process listens there already", de: "dort wartet schon ein anderer Prozess")
        : LocalizedText(verbatim: "\(error)")
      throw NetworkError(
        .io, .addressUnusable,
        LocalizedText("cannot listen at \(host):\(port): ", de: "an \(host):\(port) lässt sich nicht warten: ") + reason
      )
    }
  }

  /// Ends it; requests under way are cut off.
  public func close() async {
    try? await channel.close()
    try? await group.shutdownGracefully()
  }
}

/// The clients of a listener.
private final class ClientRegister: Sendable {
  struct Client {
    let id: Int
    /// Whether the client gets status 503, because requests in progress take all places.
    let isTooMany: Bool
  }

  private struct State {
    var table = ClientTable()
    var channels: [Int: any Channel] = [:]
  }
  private let state = Mutex(State())

  /// Admits a client and disconnects the one that it replaces; `nil` if the new client must be disconnected at once.
  func enter(_ channel: any Channel) -> Client? {
    let (client, evicted) = state.withLock { state -> (Client?, (any Channel)?) in
      let entry = state.table.enter()
      guard let id = entry.id else { return (nil, nil) }
      state.channels[id] = channel
      return (Client(id: id, isTooMany: entry.isTooMany), entry.evicted.flatMap { state.channels[$0] })
    }
    evicted?.close(promise: nil)
    return client
  }

  func note(_ phase: ClientTable.Phase, of id: Int) { state.withLock { $0.table.note(phase, of: id) } }

  func leave(_ id: Int) {
    state.withLock { state in
      state.table.leave(id)
      state.channels[id] = nil
    }
  }
}

/// One connection: takes a request together, has it answered, closes.
private final class IncomingHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let handler: any RequestHandler
  private let client: ClientRegister.Client
  private let register: ClientRegister
  private let patience: (head: TimeAmount, whole: TimeAmount)
  private var request: IncomingRequest?
  private var limit = 0
  private var isAnswered = false
  /// Whether all of the request has come. A request that is answered earlier is read to its end and dropped: closing a
  /// connection with unread bytes discards the answer.
  private var hasEnded = false
  private var alarm: Scheduled<Void>?

  init(
    _ handler: any RequestHandler, _ client: ClientRegister.Client, _ register: ClientRegister,
    patience: (head: TimeAmount, whole: TimeAmount)
  ) {
    self.handler = handler
    self.client = client
    self.register = register
    self.patience = patience
  }

  func handlerAdded(context: ChannelHandlerContext) {
    setAlarm(patience.head, context)
  }

  private func setAlarm(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    alarm?.cancel()
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    alarm = context.eventLoop.scheduleTask(in: time) { bound.value.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { alarm?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if case .end = part { hasEnded = true }
    guard !isAnswered else {
      if hasEnded { context.close(promise: nil) }
      return
    }
    switch part {
    case .head(let head): begin(head, context)
    case .body(let bytes):
      guard let count = request?.body.count, count + bytes.readableBytes <= limit else { return refuseSize(context) }
      request?.body += Array(bytes.readableBytesView)
    case .end: finish(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    register.note(.body, of: client.id)
    setAlarm(patience.whole, context)
    guard !client.isTooMany else {
      return answer(
        OutgoingAnswer(
          503, body: Array(#"{"error":"too many requests at once"}"#.utf8), fields: [("Retry-After", "1")]),
        context)
    }
    guard Self.namesOneHost(head) else {
      return answer(OutgoingAnswer(400, body: Array(#"{"error":"exactly one valid Host is required"}"#.utf8)), context)
    }
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let begun = IncomingRequest(
      method: head.method.rawValue, path: String(parts.first ?? ""), query: parts.count > 1 ? String(parts[1]) : "",
      fields: head.headers.map { ($0.name.lowercased(), $0.value) })
    switch handler.admit(begun) {
    case .failure(let refusal): answer(refusal.answer, context)
    case .success(let limit):
      self.limit = limit
      if let length = begun.field("content-length").flatMap({ Int($0) }), length > limit { return refuseSize(context) }
      request = begun
      if begun.field("expect")?.lowercased() == "100-continue" {
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
      }
    }
  }

  /// Whether a request has exactly one valid `Host` (RFC 9112, section 3.2). HTTP/1.0 does not require one.
  private static func namesOneHost(_ head: HTTPRequestHead) -> Bool {
    let hosts = head.headers["host"]
    guard let host = hosts.first else { return head.version.major == 1 && head.version.minor == 0 }
    // The characters of a host and a port (RFC 3986, section 3.2.2); an empty value is allowed.
    let isHost = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/\\@,?#\"<>{}|^`".utf8.contains($0) }
    return hosts.count == 1 && isHost
  }

  private func refuseSize(_ context: ChannelHandlerContext) {
    answer(OutgoingAnswer(413, body: Array(#"{"error":"too large"}"#.utf8)), context)
  }

  private func finish(_ context: ChannelHandlerContext) {
    guard let request else { return }
    self.request = nil
    // Answering takes as long as the disk takes.
    register.note(.answering, of: client.id)
    alarm?.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let (handler, loop) = (handler, context.eventLoop)
    // Not awaited: it ends with the answer.
    Task {
      let answer = await handler.answer(request)
      loop.execute {
        let (own, context) = bound.value
        own.answer(answer, context)
      }
    }
  }

  private func answer(_ answer: OutgoingAnswer, _ context: ChannelHandlerContext) {
    guard !isAnswered else { return }
    isAnswered = true
    guard context.channel.isActive else { return }
    var headers = HTTPHeaders([
      ("Content-Type", "application/json"), ("Content-Length", "\(answer.body.count)"), ("Connection", "close"),
      ("X-Content-Type-Options", "nosniff"),
    ])
    for (name, value) in answer.fields { headers.add(name: name, value: value) }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let hasEnded = hasEnded
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if hasEnded { bound.value.close(promise: nil) }
    }
  }
}
