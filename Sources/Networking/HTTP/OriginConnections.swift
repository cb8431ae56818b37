import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// The connections to one origin. Belongs to the event loop.
final class OriginConnections {
  private struct Idle {
    let channel: ResponseChannel
    let address: IPAddress
    let expiry: Scheduled<Void>
  }

  private let key: ConnectionPool.Key
  private let connector: Connector
  private let limits: NetworkLimits
  private let onEmpty: () -> Void

  private var idle: [Idle] = []
  private var multiplexed: [HTTP2Connection] = []
  private var waiting: [ConnectionLease] = []
  private var all: [ObjectIdentifier: any Channel] = [:]
  private var connecting = 0
  /// Whether the origin speaks HTTP/2; `nil` until a connection has stood.
  private var multiplexes: Bool?

  init(_ key: ConnectionPool.Key, connector: Connector, limits: NetworkLimits, onEmpty: @escaping () -> Void) {
    self.key = key
    self.connector = connector
    self.limits = limits
    self.onEmpty = onEmpty
    multiplexes = key.tls == nil ? false : nil
  }

  func close() {
    for channel in all.values { channel.close(promise: nil) }
  }

  // MARK: Leases

  func serve(_ lease: ConnectionLease) {
    guard lease.isOpen else { return }
    let isUsable = { (connection: HTTP2Connection) in
      connection.isUsable && lease.grant.permits(connection.address) && !(lease.isFresh && connection.isIdle)
    }
    if let connection = multiplexed.last(where: isUsable) {
      connection.open { lease.complete($0) }
    } else if !lease.isFresh, let channel = takeIdle(permittedBy: lease.grant) {
      lease.complete(.success(channel))
    } else if mayConnect() {
      // The fresh connection takes the place of an idle one, of which there would be more and more otherwise.
      if lease.isFresh { takeIdle(permittedBy: lease.grant)?.close() }
      connect(for: lease)
    } else {
      waiting.append(lease)
    }
  }

  func cancelled(_ lease: ConnectionLease) {
    waiting.removeAll { $0 === lease }
    if let attempt = lease.attempt {
      lease.attempt = nil
      attempt.cancel()
      connecting -= 1
      serveWaiting()
    }
    checkEmpty()
  }

  /// One connection is made first where it may turn out that all requests fit on it.
  private func mayConnect() -> Bool {
    if multiplexes != false, connecting > 0 { return false }
    if all.count + connecting < limits.connectionsPerOrigin { return true }
    // The policy of the request does not permit the idle connections.
    guard let oldest = idle.first else { return false }
    oldest.channel.close()
    return all.count + connecting < limits.connectionsPerOrigin
  }

  private func serveWaiting() {
    let leases = waiting
    waiting = []
    for lease in leases { serve(lease) }
  }

  private func checkEmpty() {
    if all.isEmpty, connecting == 0, waiting.isEmpty { onEmpty() }
  }

  // MARK: Connections

  private func connect(for lease: ConnectionLease) {
    connecting += 1
    let security = key.tls.map { ConnectAttempt.Security(options: $0, protocols: ["h2", "http/1.1"]) }
    lease.attempt = connector.connect(lease.grant, security: security) { [self] result in
      lease.attempt = nil
      connecting -= 1
      switch result {
      case .success(let connection): connected(connection, lease)
      case .failure(let error): lease.complete(.failure(error))
      }
      serveWaiting()
      checkEmpty()
    }
  }

  private func connected(_ connection: ConnectAttempt.Connection, _ lease: ConnectionLease) {
    let channel = connection.channel
    let id = ObjectIdentifier(channel)
    all[id] = channel
    let bound = NIOLoopBound(self, eventLoop: connector.loop)
    channel.closeFuture.whenComplete { _ in bound.value.closed(id) }
    multiplexes = connection.negotiated == "h2"
    do {
      if multiplexes == true {
        let connection = try HTTP2Connection(channel, to: key.endpoint, address: connection.address, limits: limits)
        multiplexed.append(connection)
        connection.open { lease.complete($0) }
      } else {
        let response = try ResponseChannel.addHTTP1(to: channel, limits: limits)
        response.onEvent = { [weak self, weak response] event in
          guard let self, let response, case .free = event else { return }
          self.freed(response, connection.address)
        }
        lease.complete(.success(response))
      }
    } catch {
      channel.close(promise: nil)
      lease.complete(.failure(NetworkError(connectionLost: key.endpoint)))
    }
  }

  private func closed(_ id: ObjectIdentifier) {
    all[id] = nil
    idle.removeAll { entry in
      guard !entry.channel.isUsable else { return false }
      entry.expiry.cancel()
      return true
    }
    multiplexed.removeAll { $0.id == id }
    serveWaiting()
    checkEmpty()
  }

  private func freed(_ channel: ResponseChannel, _ address: IPAddress) {
    let expiry = connector.loop.assumeIsolated().scheduleTask(in: TimeAmount(limits.idleConnections)) {
      [weak channel] in
      if let channel, channel.isUsable { channel.close() }
    }
    idle.append(Idle(channel: channel, address: address, expiry: expiry))
    serveWaiting()
  }

  private func takeIdle(permittedBy grant: EgressGrant) -> ResponseChannel? {
    while let index = idle.lastIndex(where: { grant.permits($0.address) }) {
      let entry = idle.remove(at: index)
      entry.expiry.cancel()
      if entry.channel.isUsable { return entry.channel }
    }
    return nil
  }
}

extension ResponseChannel {
  /// Makes a connection speak HTTP/1.1.
  static func addHTTP1(to channel: any Channel, limits: NetworkLimits) throws -> ResponseChannel {
    var decoderLimits = NIOHTTPDecoderLimitConfiguration()
    decoderLimits.maxHeaderListSize = limits.headerBytes
    decoderLimits.maxHeaderFieldCount = limits.headerFields
    let decoder = HTTPResponseDecoder(
      leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .drop, limitConfiguration: decoderLimits)
    let response = ResponseChannel(isStream: false)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(HTTPRequestEncoder())
    try pipeline.addHandler(ByteToMessageHandler(decoder))
    // The exchange counts the decompressed bytes.
    try pipeline.addHandler(NIOHTTPResponseDecompressor(limit: .none))
    try pipeline.addHandler(response)
    return response
  }
}

extension TimeAmount {
  /// The same time as a duration, at most some centuries.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let bounded = min(max(seconds, 0), 1 << 32)
    self = .nanoseconds(bounded * 1_000_000_000 + (bounded == seconds ? attoseconds / 1_000_000_000 : 0))
  }
}
