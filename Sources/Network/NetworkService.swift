/// The network as the host offers it to plugins: HTTP and byte streams within an ``EgressPolicy``.
///
/// Makes nothing, no thread and no TLS context, before it is first used. Nothing is ever tried again by itself.
public final class NetworkService: Sendable {
  /// Creates a service.
  ///
  /// - Parameter limits: What it allows itself.
  public init(limits: NetworkLimits = NetworkLimits()) {}

  /// Starts a request. Never blocks; whatever happens ends in the handler's `end`.
  @discardableResult
  public func send(_ request: HTTPRequest, policy: EgressPolicy, handler: any HTTPResponseHandler) -> HTTPExchange {
    HTTPExchange()
  }

  /// Opens a byte stream. Never blocks; whatever happens ends in the handler's `end`.
  @discardableResult
  public func open(_ request: StreamRequest, policy: EgressPolicy, handler: any StreamHandler) -> StreamConnection {
    StreamConnection()
  }

  /// Ends everything that is under way, with ``NetworkError/Code/closed``, and returns when all of it has ended. What is
  /// sent or opened later ends at once with the same code.
  public func shutdown() async {}
}
