import NIOCore
import NIOPosix
import NIOSSL

/// One way to a connection: name, permitted addresses, TCP, TLS. Belongs to the event loop.
final class ConnectAttempt {
  /// An established connection.
  struct Connection {
    let channel: any Channel
    /// The address it goes to, which the policy has permitted.
    let address: IPAddress
    /// What TLS has agreed on (ALPN), if anything.
    let negotiated: String?
  }

  /// What TLS is wanted for.
  struct Security {
    let options: TLSOptions
    let protocols: [String]
  }

  private let connector: Connector
  private let grant: EgressGrant
  private let security: Security?
  private let halfClosure: Bool
  private var completion: ((Result<Connection, NetworkError>) -> Void)?

  private var race = AddressRace([])
  private var pause: Scheduled<Void>?
  private var channels: [Int: any Channel] = [:]
  private var failures: [any Error] = []

  init(
    connector: Connector, grant: EgressGrant, security: Security?, halfClosure: Bool,
    completion: @escaping (Result<Connection, NetworkError>) -> Void
  ) {
    self.connector = connector
    self.grant = grant
    self.security = security
    self.halfClosure = halfClosure
    self.completion = completion
  }

  private var loop: any EventLoop { connector.loop }
  private var endpoint: Endpoint { grant.endpoint }

  func start() {
    // Reading the authorities takes a while the first time; it goes on beside the name.
    if let security { connector.contexts.prepare(security.options, protocols: security.protocols) }
    switch endpoint.host {
    case .address(let address): connect(to: [address])
    case .name(let name):
      let attempt = NIOLoopBound(self, eventLoop: loop)
      let turns = connector.turns
      connector.resolver.resolve(name) { result in
        turns.run { attempt.value.resolved(result) }
      }
    }
  }

  /// Gives up; the completion is not called any more.
  func cancel() {
    completion = nil
    stop(except: nil)
  }

  private func finish(_ result: Result<Connection, NetworkError>) {
    guard let completion else {
      if case .success(let connection) = result { connection.channel.close(promise: nil) }
      return
    }
    self.completion = nil
    completion(result)
  }

  private func stop(except winner: Int?) {
    pause?.cancel()
    pause = nil
    let others = channels.filter { $0.key != winner }
    channels = [:]
    for (_, channel) in others { channel.close(promise: nil) }
  }

  // MARK: Names and addresses

  private func resolved(_ result: Result<[IPAddress], NameFailure>) {
    guard completion != nil else { return }
    switch result {
    case .failure(let failure): finish(.failure(NetworkError(failure, for: endpoint)))
    case .success(let addresses):
      let permitted = addresses.filter(grant.permits)
      if permitted.isEmpty { finish(.failure(grant.refusal(of: addresses))) } else { connect(to: permitted) }
    }
  }

  private func connect(to addresses: [IPAddress]) {
    race = AddressRace(addresses)
    carryOut(race.start())
  }

  private func carryOut(_ actions: [AddressRace.Action]) {
    pause?.cancel()
    pause = nil
    for action in actions {
      switch action {
      case .attempt(let index): attempt(index)
      case .pause:
        pause = loop.assumeIsolated().scheduleTask(in: .milliseconds(250)) { [weak self] in
          guard let self, self.completion != nil else { return }
          self.carryOut(self.race.pauseElapsed())
        }
      case .giveUp: finish(.failure(NetworkError(connecting: failures, to: endpoint)))
      }
    }
  }

  private func attempt(_ index: Int) {
    guard race.addresses.indices.contains(index) else { return }
    let address = race.addresses[index]
    let target: SocketAddress
    do {
      target = try SocketAddress(ipAddress: address.description, port: endpoint.port)
    } catch {
      failed(error)
      return
    }
    let attempt = NIOLoopBound(self, eventLoop: loop)
    ClientBootstrap(group: loop)
      .connectTimeout(.hours(1))  // whoever asked has a deadline of its own
      .channelOption(.autoRead, value: false)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 8192, maximum: 256 << 10)
      )
      .channelOption(.allowRemoteHalfClosure, value: halfClosure)
      .channelInitializer { channel in
        channel.closeOnExec()
        attempt.value.began(index, channel)
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .connect(to: target)
      .assumeIsolated()
      .whenComplete { [self] result in
        switch result {
        case .success(let channel): connected(index, channel, address)
        case .failure(let error):
          channels[index] = nil
          failed(error)
        }
      }
  }

  private func began(_ index: Int, _ channel: any Channel) {
    if completion == nil || race.addresses.isEmpty { channel.close(promise: nil) } else { channels[index] = channel }
  }

  private func failed(_ error: any Error) {
    guard completion != nil else { return }
    failures.append(error)
    carryOut(race.attemptFailed())
  }

  private func connected(_ index: Int, _ channel: any Channel, _ address: IPAddress) {
    guard completion != nil, channels[index] != nil else {
      channel.close(promise: nil)
      return
    }
    stop(except: index)
    guard let security else {
      finish(.success(Connection(channel: channel, address: address, negotiated: nil)))
      return
    }
    channels[index] = channel
    connector.secure(channel, for: endpoint.host, options: security.options, protocols: security.protocols) {
      [self] result in
      switch result {
      case .success(let negotiated):
        channels = [:]
        finish(.success(Connection(channel: channel, address: address, negotiated: negotiated)))
      case .failure(let error):
        channel.close(promise: nil)
        finish(.failure(error.naming(endpoint)))
      }
    }
  }
}
