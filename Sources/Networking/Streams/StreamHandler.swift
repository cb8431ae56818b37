/// Receives the events of one byte stream: `opened` once, then `data`, `secured`, `sent`, and `end` once and last.
///
/// The calls come one at a time, on a queue of the stream's own: a slow call delays only its own stream.
public protocol StreamHandler: Sendable {
  /// The connection is established; with implicit TLS it is secured.
  func opened()
  /// Bytes that arrived, never empty.
  func data(_ bytes: RawSpan)
  /// ``StreamConnection/startTLS()`` is done: later data is encrypted.
  func secured()
  /// So many bytes altogether have been handed to the system.
  func sent(_ total: Int)
  /// The stream is over; `failure` is `nil` when the other side or ``StreamConnection/close()`` ended it in good order.
  /// Called exactly once for every ``NetworkService/open(_:policy:handler:)``, maybe before `open` has returned.
  func end(_ failure: NetworkError?)
}
