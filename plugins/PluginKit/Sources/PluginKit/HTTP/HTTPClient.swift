/// HTTP through the host, which alone opens connections: it knows which hosts are allowed, and calls requests off with
/// their call.
///
/// ```swift
/// let response = try await context.http.send(HTTPRequest(url: "https://api.example.com/v1/weather"))
/// let weather = try await response.checked().json(as: Weather.self)
/// ```
///
/// For an answer that streams:
///
/// ```swift
/// for try await event in response.body.serverSentEvents() where event.data != "[DONE]" { … }
/// ```
public struct HTTPClient: Sendable {
  let services: any HostServices
  let call: UInt64

  /// Sends a request and returns as soon as the head of the response is there.
  ///
  /// Any status is a response; ``HTTPResponse/checked(now:)`` turns those of failure into errors. When the task is
  /// cancelled, so is the request.
  ///
  /// - Throws: ``ActionError`` as the host reports it: `dns`, `timeout`, `refused`, `unreachable`, `io`, `auth` (a host
  ///   that is not allowed, a certificate that cannot be trusted), `protocol`, `cancelled`; `unsupported` where the host
  ///   has no HTTP.
  public func send(_ request: HTTPRequest) async throws(ActionError) -> HTTPResponse {
    try await start(request, streamed: false).response()
  }

  /// Sends a request whose body is made while it is sent.
  ///
  /// Returns when the body is complete and the head of the response is there; where that comes before, the rest of the
  /// body is not read. The host keeps what the network cannot take yet, so a body should be large, not endless.
  ///
  /// - Parameters:
  ///   - request: The request; its own body goes first.
  ///   - body: The pieces of the body.
  /// - Throws: As ``send(_:)``; what `body` throws ends the request.
  public func send<Body: AsyncSequence & Sendable>(
    _ request: HTTPRequest, body: Body
  ) async throws(ActionError) -> HTTPResponse where Body.Element == [UInt8] {
    let transfer = try start(request, streamed: true)
    let writer = Task {
      do {
        for try await piece in body {
          try Task.checkCancellation()
          transfer.write(piece)
        }
        transfer.finish()
      } catch is CancellationError {
        transfer.finish()
      } catch {
        transfer.abandon(ActionError(any: error))
      }
    }
    defer { writer.cancel() }
    return try await transfer.response()
  }

  private func start(_ request: HTTPRequest, streamed: Bool) throws(ActionError) -> HTTPTransfer {
    guard !Task.isCancelled else { throw ActionError.cancelled }
    let transfer = HTTPTransfer()
    guard let control = services.startHTTP(request, call: call, streamed: streamed, receiver: transfer) else {
      throw ActionError.missing("sous.http/1")
    }
    transfer.begin(control)
    return transfer
  }
}
