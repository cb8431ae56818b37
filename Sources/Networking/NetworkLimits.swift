/// The limits of a ``NetworkService``.
public struct NetworkLimits: Sendable {
  /// The default time until a connection is established.
  public var connectTimeout: Duration = .seconds(10)
  /// IdleTimeout before an HTTP exchange is given up where the request names none.
  public var idleTimeout: Duration = .seconds(300)
  /// The largest response body in bytes where the request names none.
  public var responseLimit = 64 << 20
  /// Bytes handed over and not consumed, where the request names no window.
  public var window = 1 << 20
  /// Bytes written and not yet sent, of one exchange or stream; more end it.
  public var unsent = 256 << 20
  /// Connections to one origin at a time; further requests wait.
  public var connectionsPerOrigin = 64
  /// How long an unused connection is kept.
  public var idleConnections: Duration = .seconds(30)
  /// How long closing a stream may take.
  public var closeTimeout: Duration = .seconds(5)
  /// Redirects followed in a row.
  public var redirects = 5
  /// The size of all header fields of a response together in bytes, and their number.
  public var headerBytes = 256 << 10
  /// The number of header fields of a response.
  public var headerFields = 256

  /// Creates the usual limits.
  public init() {}
}
