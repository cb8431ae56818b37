import NIOCore
import NIOSSL

/// Makes connections. Belongs to the event loop.
final class Connector {
  let loop: any EventLoop
  let turns: EventLoopTurns
  let resolver: any HostResolver
  let contexts: TLSContexts

  init(loop: any EventLoop, turns: EventLoopTurns, resolver: any HostResolver) {
    self.loop = loop
    self.turns = turns
    self.resolver = resolver
    contexts = TLSContexts(loop: loop, turns: turns)
  }

  /// Begins to connect; the completion is called once, on the loop, unless the attempt is cancelled.
  func connect(
    _ grant: EgressGrant, security: ConnectAttempt.Security?, halfClosure: Bool = false,
    completion: @escaping (Result<ConnectAttempt.Connection, NetworkError>) -> Void
  ) -> ConnectAttempt {
    let attempt = ConnectAttempt(
      connector: self, grant: grant, security: security, halfClosure: halfClosure, completion: completion)
    attempt.start()
    return attempt
  }

  /// Begins TLS as a client on a connection, in front of what its pipeline holds.
  ///
  /// - Parameter installed: Called as soon as nothing goes out or comes in as plain text any more.
  func secure(
    _ channel: any Channel, for host: Host, options: TLSOptions, protocols: [String],
    installed: @escaping () -> Void = {},
    completion: @escaping (Result<String?, TLSFailure>) -> Void
  ) {
    contexts.context(for: options, protocols: protocols) { [contexts] result in
      do {
        let context = try result.get()
        let handshake = HandshakeHandler(context: context) { result in
          // A file that was replaced since is read again the next time.
          if case .failure = result { contexts.forget(options) }
          completion(result)
        }
        let pipeline = channel.pipeline.syncOperations
        let handler = try context.makeHandler(for: host)
        try pipeline.addHandler(handler, position: .first)
        try pipeline.addHandler(handshake, position: .after(handler))
        try pipeline.addHandler(FirstRecordHandler(), position: .before(handler))
        installed()
        channel.read()
      } catch let failure as TLSFailure {
        completion(.failure(failure))
      } catch {
        completion(.failure(TLSFailure(error)))
      }
    }
  }
}
