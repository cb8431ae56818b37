/// One header field, name and value as on the wire.
public struct HTTPHeader: Sendable, Hashable {
  /// The name; compared without regard to case.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request to a server.
public struct HTTPRequest: Sendable {
  /// Where the body comes from.
  public enum Body: Sendable {
    /// These bytes, maybe none.
    case bytes([UInt8])
    /// The body is written by ``HTTPExchange/write(_:)`` until ``HTTPExchange/finish()``, as chunked transfer.
    case streamed
  }

  /// GET, POST …
  public var method: String
  /// http or https, absolute, without user and password.
  public var url: String
  /// The fields, in order. Host, Content-Length, Transfer-Encoding, Connection, Accept-Encoding and the like are the
  /// host's and ignored here.
  public var headers: [HTTPHeader]
  /// The body.
  public var body: Body
  /// How long it may take until the connection is established: waiting for a free one, names, TCP, TLS. `nil`: 10 s.
  public var connectTimeout: Duration?
  /// How long the other side may be silent. `nil`: 300 s.
  public var idleTimeout: Duration?
  /// The largest response body in bytes, after decompression. `nil`: 64 MiB.
  public var responseLimit: Int?
  /// How many bytes of the response may be handed over before ``HTTPExchange/consumed(_:)`` is called for them; `nil`: bytes
  /// count as consumed when the handler's `data` returns.
  public var window: Int?
  /// Whether a redirect is answered like any other response. Otherwise those of GET and HEAD are followed.
  public var keepsRedirects: Bool
  /// Whom to trust.
  public var tls: TLSOptions
  /// Whether the server may get the request twice. Such a request goes out on a kept connection, and is sent once more on a
  /// fresh one if the server ends that connection without an answer (RFC 9110, section 9.2.2); any other request goes out
  /// on a fresh connection. `nil`: if its method is idempotent.
  public var isRepeatable: Bool?

  /// Creates a request.
  public init(
    method: String = "GET", url: String, headers: [HTTPHeader] = [], body: Body = .bytes([]),
    connectTimeout: Duration? = nil, idleTimeout: Duration? = nil, responseLimit: Int? = nil, window: Int? = nil,
    keepsRedirects: Bool = false, tls: TLSOptions = TLSOptions(), isRepeatable: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.connectTimeout = connectTimeout
    self.idleTimeout = idleTimeout
    self.responseLimit = responseLimit
    self.window = window
    self.keepsRedirects = keepsRedirects
    self.tls = tls
    self.isRepeatable = isRepeatable
  }
}
