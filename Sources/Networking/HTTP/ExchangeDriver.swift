import Localization
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Carries one request out. Belongs to the event loop.
final class ExchangeDriver: NetworkDriver {
  private let request: HTTPRequest
  private let policy: EgressPolicy
  private let handler: any HTTPResponseHandler
  private let runtime: NetworkRuntime
  private let delivery: Delivery
  private let limits: NetworkLimits
  private let onEnd: () -> Void

  private var redirection: Redirection?
  private var lease: ConnectionLease?
  private var channel: ResponseChannel?
  private var connectDeadline: Scheduled<Void>?
  private var hasEnded = false
  /// Whether the server may get the request twice.
  private var isRepeatable = false
  /// Whether the request needs a connection that has not been idle.
  private var needsFreshConnection = false

  // The body of the request.
  private var unwritten: [ByteBuffer] = []
  private var bodyIsComplete = false
  private var unsent = 0

  // The response.
  private var hasAnswer = false
  private var isRedirect = false
  private var skipped = 0
  private var received = 0
  private var pending = Backlog()
  /// Whether the only piece waits for more, and how many bytes it has.
  private var isGathering = false
  private var gathered = 0
  private var lastHandOver = NIODeadline.distantPast
  /// The delay is not noticeable while an answer is read.
  private static let gatheringTime = TimeAmount.milliseconds(10)
  private static let mostGathered = 4 << 10
  private var outcome: NetworkError??
  private var idleTimeout: IdleTimeout?
  /// Kept until nothing more is delivered, so that a limit of 0 is one byte too much.
  private let responseLimit: Int

  init(
    _ request: HTTPRequest, policy: EgressPolicy, handler: any HTTPResponseHandler, runtime: NetworkRuntime,
    delivery: Delivery, onEnd: @escaping () -> Void
  ) {
    self.request = request
    self.policy = policy
    self.handler = handler
    self.runtime = runtime
    self.delivery = delivery
    self.onEnd = onEnd
    limits = runtime.limits
    responseLimit = max(0, request.responseLimit ?? limits.responseLimit)
  }

  private var loop: any EventLoop { runtime.loop }
  private var endpoint: Endpoint? { redirection?.address.endpoint }

  // MARK: The caller's side

  func start() {
    do {
      let head = try RequestHead(request)
      let address = try WebAddress(parsing: request.url)
      isRepeatable = request.isRepeatable ?? head.isIdempotent
      needsFreshConnection = !isRepeatable
      redirection = Redirection(head, to: address, follows: !request.keepsRedirects, limit: limits.redirects)
      takeBody()
      try connect()
    } catch {
      end(error)
    }
  }

  /// Has the body of the request sent, if it is known as a whole.
  private func takeBody() {
    guard case .bytes(let bytes) = request.body else { return }
    unwritten = bytes.isEmpty ? [] : [ByteBuffer(bytes: bytes)]
    bodyIsComplete = true
  }

  func write(_ bytes: ByteBuffer) {
    guard !hasEnded, !bodyIsComplete, bytes.readableBytes > 0 else { return }
    let limit = limits.unsent
    guard bytes.readableBytes <= limit - unsent else {
      end(endpoint.map { NetworkError(unsent: $0, limit: limit) } ?? .init(cancelled: nil))
      return
    }
    unsent += bytes.readableBytes
    idleTimeout?.touch()
    if channel != nil { send(bytes) } else { unwritten.append(bytes) }
  }

  func finish() {
    guard !hasEnded, !bodyIsComplete else { return }
    bodyIsComplete = true
    idleTimeout?.touch()
    channel?.finish()
  }

  func cancel() { end(NetworkError(cancelled: endpoint)) }

  func shutDown() { end(.shutDown) }

  /// There is room again for what had to wait.
  func resume() {
    guard !hasEnded else { return }
    pump()
    if pending.isEmpty {
      idleTimeout?.touch()
      channel?.read()
    }
  }

  // MARK: Connecting

  private func connect() throws(NetworkError) {
    guard let redirection else { return }
    let address = redirection.address
    let grant = try policy.grant(for: address.endpoint)
    connectDeadline = loop.assumeIsolated().scheduleTask(
      in: TimeAmount(request.connectTimeout ?? limits.connectTimeout)
    ) { [weak self] in self?.end(NetworkError(connectTimeout: address.endpoint)) }
    let key = ConnectionPool.Key(endpoint: address.endpoint, tls: address.isSecure ? request.tls : nil)
    // It may be there at once, before the lease is.
    var isThere = false
    let lease = runtime.onLoop.pool.lease(key, grant: grant, isFresh: needsFreshConnection) { [weak self] result in
      isThere = true
      guard let self else { return }
      self.lease = nil
      self.connectDeadline?.cancel()
      guard !self.hasEnded else {
        if case .success(let channel) = result { channel.close() }
        return
      }
      switch result {
      case .success(let channel): self.begin(on: channel)
      case .failure(let error): self.end(error)
      }
    }
    if !isThere { self.lease = lease }
  }

  private func begin(on channel: ResponseChannel) {
    guard let redirection else { return }
    self.channel = channel
    hasAnswer = false
    isRedirect = false
    skipped = 0
    idleTimeout = IdleTimeout(
      limit: request.idleTimeout ?? limits.idleTimeout, loop: loop,
      heldBack: { [weak self] in self?.heldBack ?? .distantPast },
      onTimeout: { [weak self] in
        guard let self, let endpoint = self.endpoint else { return }
        self.end(NetworkError(idleTimeout: endpoint))
      })
    channel.begin(redirection.head.made(for: redirection.address, frames: channel.isStream), receiver: self)
    for bytes in unwritten { send(bytes) }
    unwritten = []
    if bodyIsComplete { channel.finish() } else { channel.flush() }
  }

  /// Sends in pieces, each of which is a sign of life when it is gone.
  private func send(_ bytes: ByteBuffer) {
    var rest = bytes
    while rest.readableBytes > 0, let piece = rest.readSlice(length: min(rest.readableBytes, 256 << 10)) {
      let count = piece.readableBytes
      channel?.write(piece) { [weak self] in
        self?.unsent -= count
        self?.idleTimeout?.touch()
      }
    }
  }

  /// The last moment at which the other side had to wait: for the receiver, or for the body.
  private var heldBack: NIODeadline {
    pending.isEmpty && (bodyIsComplete || unsent > 0) ? delivery.lastBusy : loop.now
  }

  // MARK: Handing over

  private func pump() {
    isGathering = false
    lastHandOver = loop.now
    pending.handOver(through: delivery) { [handler] in handler.data($0) }
    guard pending.isEmpty else { return }
    if let outcome { end(outcome) }
  }

  /// Ends with what was received so far still to be handed over.
  private func endBehindPending(_ failure: NetworkError?) {
    idleTimeout?.stop()
    channel = nil
    outcome = .some(failure)
    pump()
  }

  /// Ends now.
  private func end(_ failure: NetworkError?) {
    guard !hasEnded else { return }
    hasEnded = true
    connectDeadline?.cancel()
    idleTimeout?.stop()
    lease?.cancel()
    lease = nil
    channel?.abandon()
    channel = nil
    pending.removeAll()
    unwritten = []
    delivery.deliver { [handler] in handler.end(failure) }
    onEnd()
  }
}

// MARK: The other side

extension ExchangeDriver: ResponseReceiver {
  var wantsMore: Bool { pending.isEmpty || isGathering }

  func received(head: HTTPResponseHead) {
    guard !hasEnded else { return }
    hasAnswer = true
    idleTimeout?.touch()
    do {
      let status = Int(head.status.code)
      isRedirect = try redirection?.follow(status: status, location: head.headers.first(name: "Location")) ?? false
      guard !isRedirect else { return }
      let headers = head.fieldsWithoutCoding.map { HTTPHeader($0.name, $0.value) }
      delivery.deliver { [handler] in handler.head(status: status, headers: headers) }
    } catch {
      end(error)
    }
  }

  func received(body: ByteBuffer) {
    guard !hasEnded else { return }
    idleTimeout?.touch()
    if isRedirect {
      // Not worth a connection that could be used again, unless it goes on and on.
      skipped += body.readableBytes
      if skipped > 64 << 10 {
        channel?.abandon()
        reconnect()
      }
      return
    }
    guard body.readableBytes <= responseLimit - received else {
      end(tooLarge)
      return
    }
    received += body.readableBytes
    if isGathering {
      gathered += body.readableBytes
      pending.extend(body)
      if gathered >= Self.mostGathered { pump() }
    } else {
      pending.append(body)
      if loop.now - lastHandOver < Self.gatheringTime { gather(body.readableBytes) } else { pump() }
    }
  }

  /// Keeps what has arrived until more has, or some time has passed: models send their words by ones, and each piece
  /// wakes up the plugin.
  private func gather(_ bytes: Int) {
    guard bytes < Self.mostGathered, pending.isOnePiece else { return pump() }
    isGathering = true
    gathered = bytes
    _ = loop.assumeIsolated().scheduleTask(deadline: lastHandOver + Self.gatheringTime) { [weak self] in
      if let self, self.isGathering { self.pump() }
    }
  }

  func receivedEnd() {
    guard !hasEnded else { return }
    if isRedirect { reconnect() } else { endBehindPending(nil) }
  }

  func failed(_ error: any Error) {
    guard !hasEnded, let endpoint else { return }
    if isRedirect {
      reconnect()
      return
    }
    let failure = NetworkError(exchange: error, with: endpoint)
    if failure.code == .connectionLost, isUnanswered {
      needsFreshConnection = true
      takeBody()
      reconnect()
      return
    }
    endBehindPending(failure)
  }

  /// Whether the request can go out once more, as the server has ended a kept connection instead of answering
  /// (RFC 9112, section 9.3.1). It does so on a fresh connection, so this happens once.
  private var isUnanswered: Bool {
    guard case .bytes = request.body, let channel else { return false }
    return isRepeatable && channel.isReused && !needsFreshConnection && !hasAnswer
  }

  /// Sends the request once more: to where a redirect leads, or on a fresh connection.
  private func reconnect() {
    idleTimeout?.stop()
    channel = nil
    do { try connect() } catch { end(error) }
  }

  private var tooLarge: NetworkError {
    let host = endpoint.map(String.init(describing:)) ?? ""
    return NetworkError(
      .protocol, .responseTooLarge,
      LocalizedText(
        "the response of \(host) is larger than the \(responseLimit) bytes that were allowed",
        de: "die Antwort von \(host) ist größer als die erlaubten \(responseLimit) Bytes"))
  }
}

extension HTTPResponseHead {
  /// The header fields as they are true for the body that is handed over: decompressed.
  fileprivate var fieldsWithoutCoding: HTTPHeaders {
    var fields = headers
    let coding = headers[canonicalForm: "Content-Encoding"].first?.lowercased()
    if coding == "gzip" || coding == "deflate" {
      fields.remove(name: "Content-Encoding")
      fields.remove(name: "Content-Length")
    }
    return fields
  }
}
