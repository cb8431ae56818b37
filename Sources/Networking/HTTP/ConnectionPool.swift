import NIOCore

/// The established HTTP connections, and the exchanges that wait for one. Use it on the event loop only.
///
/// A connection is handed only to those whose policy permits the address it goes to.
final class ConnectionPool {
  /// The properties that interchangeable connections share.
  struct Key: Hashable {
    let endpoint: Endpoint
    /// `nil`: no TLS.
    let tls: TLSOptions?
  }

  let connector: Connector
  let limits: NetworkLimits
  private var origins: [Key: OriginConnections] = [:]

  init(connector: Connector, limits: NetworkLimits) {
    self.connector = connector
    self.limits = limits
  }

  /// Asks for a channel; the completion is called once, maybe at once, unless the lease is cancelled.
  ///
  /// - Parameter isFresh: Whether a connection that has been idle will not do, as the server may be closing it.
  func lease(
    _ key: Key, grant: EgressGrant, isFresh: Bool, completion: @escaping (Result<ResponseChannel, NetworkError>) -> Void
  ) -> ConnectionLease {
    let origin =
      origins[key]
      ?? OriginConnections(key, connector: connector, limits: limits) { [weak self] in
        self?.origins[key] = nil
      }
    origins[key] = origin
    let lease = ConnectionLease(grant: grant, isFresh: isFresh, origin: origin, completion: completion)
    origin.serve(lease)
    return lease
  }

  /// Closes every connection.
  func close() {
    for origin in origins.values { origin.close() }
  }
}

/// A place in the queue for a channel. Belongs to the event loop.
final class ConnectionLease {
  let grant: EgressGrant
  /// Whether a connection that has been idle will not do.
  let isFresh: Bool
  var attempt: ConnectAttempt?
  private let origin: OriginConnections
  private var completion: ((Result<ResponseChannel, NetworkError>) -> Void)?

  init(
    grant: EgressGrant, isFresh: Bool, origin: OriginConnections,
    completion: @escaping (Result<ResponseChannel, NetworkError>) -> Void
  ) {
    self.grant = grant
    self.isFresh = isFresh
    self.origin = origin
    self.completion = completion
  }

  /// Whether a waiter is left.
  var isOpen: Bool { completion != nil }

  /// Hands over what was asked for.
  func complete(_ result: Result<ResponseChannel, NetworkError>) {
    let completion = self.completion
    self.completion = nil
    if let completion {
      completion(result)
    } else if case .success(let channel) = result {
      channel.close()
    }
  }

  /// Gives the place up.
  func cancel() {
    guard completion != nil else { return }
    completion = nil
    origin.cancelled(self)
  }
}
