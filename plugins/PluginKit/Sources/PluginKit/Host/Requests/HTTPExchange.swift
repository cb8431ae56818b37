/// Receives a response: `receiveHead` at most once, `receivePiece` any number of times, `receiveEnd` once
/// and last. Any thread, one at a time.
package protocol HTTPReceiver: Sendable {
  func receiveHead(status: Int, headers: HTTPHeaders)
  func receivePiece(_ piece: [UInt8])
  /// `nil` if the response is complete.
  func receiveEnd(_ failure: ActionError?)
}

/// A request under way, as a host steers it. Nothing here blocks; everything is ignored after the end.
package protocol HTTPControl: Sendable {
  func write(_ piece: [UInt8])
  func finish()
  func consumed(_ count: Int)
  func cancel()
}
