/// Receives one response: `head` once, `data` any number of times, `end` once and last.
///
/// The calls come one at a time, on a queue of the exchange's own: a slow call delays only its own exchange.
public protocol HTTPResponseHandler: Sendable {
  /// The status line and header fields have arrived. Not called where the request fails before.
  func head(status: Int, headers: [HTTPHeader])
  /// A piece of the decompressed body, never empty.
  func data(_ bytes: RawSpan)
  /// The response is complete, or failed. Called exactly once for every ``NetworkService/send(_:policy:handler:)``,
  /// also after ``HTTPExchange/cancel()``, maybe before `send` has returned.
  func end(_ failure: NetworkError?)
}
