import HTTPTypes

extension HTTPField.Name {
  /// The addresses of a client and of proxies, as proxies report them.
  static let xForwardedFor = known("X-Forwarded-For")
  /// `http` or `https`, as a proxy reports it.
  static let xForwardedProto = known("X-Forwarded-Proto")
  /// Names a request in answers and logs.
  static let xRequestID = known("X-Request-ID")
  static let referrerPolicy = known("Referrer-Policy")
  /// The name that a client gives to a change (IETF draft "The Idempotency-Key HTTP Header Field").
  static let idempotencyKey = known("Idempotency-Key")
  /// `true` on an answer that was kept.
  static let idempotentReplayed = known("Idempotent-Replayed")
  static let lastEventID = known("Last-Event-ID")
  static let csrfToken = known("X-CSRF-Token")
  static let host = known("Host")
  /// The version of the Model Context Protocol.
  static let mcpProtocolVersion = known("MCP-Protocol-Version")
  /// The method and the name in a message of the Model Context Protocol, for servers that route it.
  static let mcpMethod = known("Mcp-Method")
  static let mcpName = known("Mcp-Name")
  /// The session of a client of the Model Context Protocol, in versions with a handshake.
  static let mcpSessionID = known("Mcp-Session-Id")
  /// The trace of the caller (W3C Trace Context).
  static let traceParent = known("traceparent")
  /// `no` lets nginx pass each event on at once.
  static let xAccelBuffering = known("X-Accel-Buffering")

  /// A name that is known to be valid.
  private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .via }
}
