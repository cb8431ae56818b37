/// A connection that the host is to make.
public struct StreamRequest: Sendable, Hashable {
  /// Whether, and when, a connection is encrypted.
  public enum TLS: UInt32, Sendable {
    /// Plain; ``ByteStream/startTLS()`` may follow.
    case none = 0
    /// From the first byte.
    case implicit = 1
  }

  /// A host name or address.
  public var host: String
  /// 1 to 65535.
  public var port: Int
  /// Whether, and when, it is encrypted.
  public var tls: TLS
  /// The time in which the connection must open; `nil` for the host's default, 10 s.
  public var connectTimeout: Duration?
  /// The silence after which the host gives up; `nil` for no limit.
  public var idleTimeout: Duration?

  /// Creates a request.
  public init(
    host: String, port: Int, tls: TLS = .implicit, connectTimeout: Duration? = nil, idleTimeout: Duration? = nil
  ) {
    self.host = host
    self.port = port
    self.tls = tls
    self.connectTimeout = connectTimeout
    self.idleTimeout = idleTimeout
  }
}

/// Receives the events of one stream; from any thread, one at a time.
package protocol StreamReceiver: Sendable {
  func receiveOpened()
  func receiveData(_ piece: [UInt8])
  func receiveSecured()
  /// So many bytes altogether have left.
  func receiveSent(_ total: UInt64)
  /// `nil` for a good end.
  func receiveEnd(_ failure: ActionError?)
}

/// A stream, as a host steers it. Nothing here blocks; everything is ignored after the end.
package protocol StreamControl: Sendable {
  func write(_ piece: [UInt8])
  func startTLS()
  func consumed(_ count: Int)
  func close()
}
