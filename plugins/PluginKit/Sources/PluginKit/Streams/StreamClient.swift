/// Byte streams through the host, for protocols other than HTTP: TCP, TLS, and TLS begun later (STARTTLS).
///
/// ```swift
/// let stream = try await context.streams.open(host: "imap.example.com", port: 993, tls: .implicit)
/// let greeting = try await stream.readLine(limit: 8192)
/// try await stream.write("a1 LOGOUT\r\n")
/// ```
public struct StreamClient: Sendable {
  let services: any HostServices
  let call: UInt64

  /// Opens a connection, and returns when it is open and secured as requested.
  ///
  /// A stream of ``ActionContext/streams`` is closed with its call, one of ``PluginContext/streams`` lasts until no code
  /// holds it any more.
  ///
  /// - Parameters:
  ///   - host: A host name or address that the manifest or the configuration names.
  ///   - port: 1 to 65535.
  ///   - tls: Whether, and when, the connection is encrypted. TLS 1.2 or later; certificate and host name are verified.
  ///   - connectTimeout: The time in which the connection must open; `nil` for 10 s.
  ///   - idleTimeout: The silence after which the host gives up; `nil` for no limit.
  /// - Throws: ``ActionError``: `dns`, `timeout`, `refused`, `unreachable`, `io`, `auth` (a host that is not allowed, a
  ///   certificate that cannot be trusted), `cancelled`; `unsupported` if the host has no streams.
  public func open(
    host: String, port: Int, tls: StreamRequest.TLS = .implicit, connectTimeout: Duration? = nil,
    idleTimeout: Duration? = nil
  ) async throws(ActionError) -> ByteStream {
    guard !Task.isCancelled else { throw ActionError.cancelled }
    guard (1...65535).contains(port) else {
      throw ActionError(.invalidInput, "\(port) is no port.", german: "\(port) ist kein Port.")
    }
    let state = ByteStreamState()
    let request = StreamRequest(
      host: host, port: port, tls: tls, connectTimeout: connectTimeout, idleTimeout: idleTimeout)
    guard let control = services.openStream(request, call: call, receiver: state) else {
      throw ActionError.missing("sous.stream/1")
    }
    let stream = ByteStream(state, control)
    _ = try await state.wait { $0.isOpen ? true : nil }
    return stream
  }
}
