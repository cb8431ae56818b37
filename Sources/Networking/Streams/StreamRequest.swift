/// A connection to make.
public struct StreamRequest: Sendable {
  /// How a connection is secured.
  public enum Security: Sendable, Hashable {
    /// Plain TCP; ``StreamConnection/startTLS()`` may follow.
    case none
    /// TLS from the first byte.
    case implicit
  }

  /// A host name, or an IPv4 or IPv6 address without brackets.
  public var host: String
  /// 1 to 65535
  public var port: Int
  /// How it is secured from the start.
  public var security: Security
  /// How long it may take until connection and implicit TLS are established. `nil`: 10 s.
  public var connectTimeout: Duration?
  /// How long the other side may be silent. `nil`: without limit.
  public var idleTimeout: Duration?
  /// How many bytes may be handed over before ``StreamConnection/consumed(_:)`` is called for them. `nil`: 1 MiB.
  public var window: Int?
  /// Whom to trust.
  public var tls: TLSOptions

  /// Creates a request.
  public init(
    host: String, port: Int, security: Security, connectTimeout: Duration? = nil, idleTimeout: Duration? = nil,
    window: Int? = nil, tls: TLSOptions = TLSOptions()
  ) {
    self.host = host
    self.port = port
    self.security = security
    self.connectTimeout = connectTimeout
    self.idleTimeout = idleTimeout
    self.window = window
    self.tls = tls
  }
}
