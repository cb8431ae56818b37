public import Networking

/// Sends one request and waits for the answer. Blocks the calling thread.
public protocol HTTPCaller: Sendable {
  /// Sends a request. Nothing is tried again.
  ///
  /// - Throws: ``OAuthError/Code/unavailable`` if there is no answer, ``OAuthError/Code/configuration`` where the request may
  ///   not be made.
  func call(_ request: HTTPRequest) throws(OAuthError) -> HTTPAnswer
}
