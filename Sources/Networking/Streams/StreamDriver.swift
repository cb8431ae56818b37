import Localization
import NIOCore

/// Carries one byte stream. Belongs to the event loop.
final class StreamDriver: NetworkDriver {
  private enum Phase {
    case connecting
    case open
    /// TLS is requested; writes wait until all plain text has been sent.
    case upgrading(held: [ByteBuffer], isInstalled: Bool)
    case closing
    case ended
  }

  private let request: StreamRequest
  private let policy: EgressPolicy
  private let handler: any StreamHandler
  private let runtime: NetworkRuntime
  private let delivery: Delivery
  private let limits: NetworkLimits
  private let onEnd: () -> Void

  private var phase = Phase.connecting
  private var endpoint: Endpoint?
  private var isSecured = false
  private var attempt: ConnectAttempt?
  private var channel: (any Channel)?
  private var deadline: Scheduled<Void>?
  private var idleTimeout: IdleTimeout?

  private var pending = Backlog()
  private var received = 0
  private var outcome: NetworkError??
  private var unsent = 0
  private var sent = 0
  /// Bytes written before the connection was established.
  private var early: [ByteBuffer] = []
  /// Whether it is to be closed as soon as what was written can be sent.
  private var closesSoon = false

  init(
    _ request: StreamRequest, policy: EgressPolicy, handler: any StreamHandler, runtime: NetworkRuntime,
    delivery: Delivery, onEnd: @escaping () -> Void
  ) {
    self.request = request
    self.policy = policy
    self.handler = handler
    self.runtime = runtime
    self.delivery = delivery
    self.onEnd = onEnd
    limits = runtime.limits
  }

  private var loop: any EventLoop { runtime.loop }

  private var hasEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  // MARK: Opening

  func start() {
    do throws(NetworkError) {
      guard (1...65535).contains(request.port) else {
        throw NetworkError(
          .invalidInput, .hostInvalid,
          LocalizedText("\(request.port) is not a port: 1 to 65535", de: "\(request.port) ist kein Port: 1 bis 65535"))
      }
      let endpoint = Endpoint(host: try Host(parsing: request.host), port: request.port)
      self.endpoint = endpoint
      let grant = try policy.grant(for: endpoint)
      let security = ConnectAttempt.Security(options: request.tls, protocols: [])
      startDeadline()
      attempt = runtime.onLoop.connector.connect(
        grant, security: request.security == .implicit ? security : nil, halfClosure: true
      ) { [weak self] result in
        self?.connected(result)
      }
    } catch {
      end(error)
    }
  }

  private func startDeadline() {
    deadline = loop.assumeIsolated().scheduleTask(in: TimeAmount(request.connectTimeout ?? limits.connectTimeout)) {
      [weak self] in
      guard let self, let endpoint = self.endpoint else { return }
      self.end(NetworkError(connectTimeout: endpoint))
    }
  }

  private func connected(_ result: Result<ConnectAttempt.Connection, NetworkError>) {
    attempt = nil
    deadline?.cancel()
    let connection: ConnectAttempt.Connection
    switch result {
    case .success(let made): connection = made
    case .failure(let error):
      end(error)
      return
    }
    channel = connection.channel
    isSecured = request.security == .implicit
    phase = .open
    delivery.deliver { [handler] in handler.opened() }
    do {
      try connection.channel.pipeline.syncOperations.addHandler(StreamChannelHandler(self))
    } catch {
      fail(error)
      return
    }
    for bytes in early { send(bytes) }
    early = []
    startIdleTimeout()
    connection.channel.read()
    if closesSoon { close() }
  }

  private func startIdleTimeout() {
    guard let limit = request.idleTimeout else { return }
    idleTimeout?.stop()
    idleTimeout = IdleTimeout(
      limit: limit, loop: loop,
      heldBack: { [weak self] in
        guard let self else { return .distantPast }
        return self.pending.isEmpty ? self.delivery.lastBusy : self.loop.now
      }, onTimeout: { [weak self] in self?.endIdle() })
  }

  private func endIdle() {
    guard let endpoint else { return }
    end(NetworkError(idleTimeout: endpoint))
  }

  // MARK: Sending

  func write(_ bytes: ByteBuffer) {
    guard bytes.readableBytes > 0, let endpoint else { return }
    switch phase {
    case .closing, .ended: return
    case .connecting, .open, .upgrading: break
    }
    guard bytes.readableBytes <= limits.unsent - unsent else {
      end(NetworkError(unsent: endpoint, limit: limits.unsent))
      return
    }
    unsent += bytes.readableBytes
    switch phase {
    case .upgrading(let held, isInstalled: false): phase = .upgrading(held: held + [bytes], isInstalled: false)
    case .connecting: early.append(bytes)
    default: send(bytes)
    }
  }

  private func send(_ bytes: ByteBuffer) {
    guard let channel else { return }
    let count = bytes.readableBytes
    let promise = loop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenComplete { [weak self] result in
      guard let self else { return }
      self.unsent -= count
      guard case .success = result else { return }
      self.wasSent(count)
    }
    channel.writeAndFlush(bytes, promise: promise)
  }

  private func wasSent(_ count: Int) {
    guard !hasEnded else { return }
    sent += count
    idleTimeout?.touch()
    delivery.deliver { [handler, sent] in handler.sent(sent) }
    checkClosing()
  }

  // MARK: TLS

  func startTLS(handedOver: Int) {
    guard let endpoint, let channel, case .open = phase, !isSecured else {
      if case .closing = phase { return }
      end(
        NetworkError(
          .protocol, .requestInvalid,
          LocalizedText(
            "TLS can begin once only, on a plain stream that is open",
            de: "TLS kann nur einmal beginnen, auf einem offenen Klartext-Strom")))
      return
    }
    guard received == handedOver, pending.isEmpty else {
      end(plaintextBehindTLS)
      return
    }
    phase = .upgrading(held: [], isInstalled: false)
    startDeadline()
    runtime.onLoop.connector.secure(
      channel, for: endpoint.host, options: request.tls, protocols: [],
      installed: { [weak self] in self?.installed() },
      completion: { [weak self] result in
        guard let self, !self.hasEnded else { return }
        switch result {
        case .success: self.secured()
        case .failure(.plaintext): self.end(self.plaintextBehindTLS)
        case .failure(let failure): self.end(failure.naming(endpoint))
        }
      })
  }

  private func installed() {
    guard case .upgrading(let held, _) = phase else { return }
    phase = .upgrading(held: [], isInstalled: true)
    for bytes in held { send(bytes) }
  }

  private func secured() {
    deadline?.cancel()
    isSecured = true
    idleTimeout?.touch()
    delivery.deliver { [handler] in handler.secured() }
    if case .upgrading = phase { phase = .open }
    if closesSoon { close() }
  }

  private var plaintextBehindTLS: NetworkError {
    let host = endpoint.map(String.init(describing:)) ?? ""
    return NetworkError(
      .protocol, .plaintextBehindTLS,
      LocalizedText(
        "\(host) sent bytes in plain text behind the point where TLS begins; a third party may be injecting data",
        de:
          "\(host) hat hinter dem Beginn von TLS noch Klartext geschickt; vielleicht schiebt ein Dritter Daten ein"),
      advice: LocalizedText("use the port with TLS from the first byte", de: "den Port mit TLS von Anfang an verwenden")
    )
  }

  // MARK: Receiving

  func arrived(_ bytes: ByteBuffer) {
    switch phase {
    case .upgrading(_, isInstalled: false): end(plaintextBehindTLS)
    case .open, .upgrading:
      guard bytes.readableBytes > 0 else { return }
      idleTimeout?.touch()
      received += bytes.readableBytes
      pending.append(bytes)
      pump()
    case .connecting, .closing, .ended: return
    }
  }

  var wantsMore: Bool {
    switch phase {
    case .open, .upgrading: pending.isEmpty
    case .closing: true
    case .connecting, .ended: false
    }
  }

  /// The other side sends nothing any more.
  func inputEnded() {
    switch phase {
    case .open: endBehindPending(nil)
    case .upgrading: if let endpoint { end(TLSFailure.closed.naming(endpoint)) }
    case .closing, .connecting, .ended: return
    }
  }

  func fail(_ error: any Error) {
    guard let endpoint else { return }
    switch phase {
    case .ended: return
    case .closing: end(unsent == 0 ? nil : NetworkError(connectionLost: endpoint))
    default: endBehindPending(NetworkError(connectionLost: endpoint))
    }
  }

  /// There is room again for what had to wait.
  func resume() {
    guard !hasEnded else { return }
    pump()
    if pending.isEmpty {
      idleTimeout?.touch()
      channel?.read()
    }
  }

  private func pump() {
    pending.handOver(through: delivery) { [handler] in handler.data($0) }
    guard pending.isEmpty else { return }
    switch outcome {
    case nil: return
    case .some(nil): finishSending()
    case .some(let failure?): end(failure)
    }
  }

  // MARK: Ending

  func close() {
    switch phase {
    case .closing, .ended: return
    case .connecting, .upgrading: if unsent == 0 { end(nil) } else { closesSoon = true }
    case .open:
      pending.removeAll()
      finishSending()
    }
  }

  /// Ends in good order once what was written is sent.
  private func finishSending() {
    phase = .closing
    idleTimeout?.stop()
    // It has so long to get on.
    idleTimeout = IdleTimeout(limit: limits.closeTimeout, loop: loop, onTimeout: { [weak self] in self?.endIdle() })
    channel?.read()
    checkClosing()
  }

  private func checkClosing() {
    guard case .closing = phase, unsent == 0 else { return }
    end(nil)
  }

  func cancel() { end(NetworkError(cancelled: endpoint)) }

  func shutDown() { end(.shutDown) }

  /// Ends with what was received so far still to be handed over.
  private func endBehindPending(_ failure: NetworkError?) {
    if outcome == nil { outcome = .some(failure) }
    idleTimeout?.stop()
    deadline?.cancel()
    pump()
  }

  private func end(_ failure: NetworkError?) {
    guard !hasEnded else { return }
    phase = .ended
    attempt?.cancel()
    attempt = nil
    deadline?.cancel()
    idleTimeout?.stop()
    pending.removeAll()
    early = []
    if let channel {
      self.channel = nil
      if failure == nil { Self.closeInOrder(channel, within: limits.closeTimeout) } else { channel.close(promise: nil) }
    }
    delivery.deliver { [handler] in handler.end(failure) }
    onEnd()
  }

  /// Says goodbye (FIN, with TLS close_notify), and lets the other side finish for a while: closing at once with bytes
  /// unread would make the system reset the connection, and take away what was sent last.
  private static func closeInOrder(_ channel: any Channel, within time: Duration) {
    channel.close(mode: .output, promise: nil)
    let timer = channel.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in timer.cancel() }
    channel.read()
  }
}

/// The end of a stream's pipeline.
private final class StreamChannelHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private weak var driver: StreamDriver?
  private var inputHasEnded = false

  init(_ driver: StreamDriver) { self.driver = driver }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { driver?.arrived(unwrapInboundIn(data)) }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Data after the end is read and dropped until the other side has closed too.
    if driver?.wantsMore ?? true { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    inputHasEnded = true
    if let driver { driver.inputEnded() }
    if driver == nil { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let driver { driver.fail(error) } else { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !inputHasEnded { driver?.fail(ChannelError.eof) }
    context.fireChannelInactive()
  }
}
