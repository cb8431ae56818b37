import Dispatch
import NIOCore
import Synchronization

/// The network as the host offers it to plugins: HTTP and byte streams within an ``EgressPolicy``.
///
/// Makes nothing, no thread and no TLS context, before it is first used. It never retries. Exchanges and streams under way end
/// with the service.
public final class NetworkService: Sendable {
  private enum State: Sendable {
    case unused
    case running(NetworkRuntime)
    case closed
  }

  private let state = Mutex(State.unused)
  private let limits: NetworkLimits
  private let resolver: any HostResolver

  /// Creates a service.
  ///
  /// - Parameter limits: Its limits.
  public convenience init(limits: NetworkLimits = NetworkLimits()) {
    self.init(limits: limits, resolver: SystemResolver())
  }

  init(limits: NetworkLimits, resolver: any HostResolver) {
    self.limits = limits
    self.resolver = resolver
  }

  deinit {
    guard case .running(let runtime) = state.withLock({ $0 }) else { return }
    // Not awaited; it ends the thread.
    Task.detached { await runtime.shutDown() }
  }

  /// Starts a request. Never blocks; whatever happens ends in the handler's `end`.
  @discardableResult
  public func send(_ request: HTTPRequest, policy: EgressPolicy, handler: any HTTPResponseHandler) -> HTTPExchange {
    guard let runtime = enter() else { return HTTPExchange(closed: handler) }
    return HTTPExchange(request, policy: policy, handler: handler, runtime: runtime)
  }

  /// Opens a byte stream. Never blocks; whatever happens ends in the handler's `end`.
  @discardableResult
  public func open(_ request: StreamRequest, policy: EgressPolicy, handler: any StreamHandler) -> StreamConnection {
    guard let runtime = enter() else { return StreamConnection(closed: handler) }
    return StreamConnection(request, policy: policy, handler: handler, runtime: runtime)
  }

  /// Ends everything that is under way, with ``NetworkError/Code/closed``, and returns when all of it has ended. Later requests
  /// and streams end at once with the same code. Not to be called from a handler.
  public func shutdown() async {
    let runtime = state.withLock { state -> NetworkRuntime? in
      defer { state = .closed }
      return if case .running(let runtime) = state { runtime } else { nil }
    }
    await runtime?.shutDown()
  }

  /// Counts one more exchange or stream as unfinished, unless the service is closed.
  private func enter() -> NetworkRuntime? {
    state.withLock { state in
      switch state {
      case .closed: return nil
      case .running(let runtime):
        runtime.unfinished.enter()
        return runtime
      case .unused:
        let runtime = NetworkRuntime(limits: limits, resolver: resolver)
        state = .running(runtime)
        runtime.unfinished.enter()
        return runtime
      }
    }
  }
}
