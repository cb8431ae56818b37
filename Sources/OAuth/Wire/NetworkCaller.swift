import Dispatch
import Localization
public import Networking
import Synchronization

/// Requests over the host's network, within an egress policy for the authorization server's own hosts.
public struct NetworkCaller: HTTPCaller {
  private let network: NetworkService
  private let policy: EgressPolicy
  private let tls: TLSOptions

  /// Creates a caller for the endpoints of one server.
  ///
  /// - Parameters:
  ///   - network: The network.
  ///   - server: The server: configured endpoints may have a private address, built-in or discovered ones may not.
  ///   - tls: The trusted certificates.
  /// - Throws: ``OAuthError/Code/configuration`` for an endpoint that is not a URL, or that is not https.
  public init(_ network: NetworkService, _ server: AuthorizationServer, tls: TLSOptions) throws(OAuthError) {
    self.network = network
    self.tls = tls
    try server.checkSchemes()
    do {
      policy = try EgressPolicy(
        declared: server.foundHosts, configured: server.configuredURLs, provider: nil)
    } catch {
      throw OAuthError(.configuration, error.message, advice: error.advice)
    }
  }

  /// Sends a request and waits for its end.
  public func call(_ request: HTTPRequest) throws(OAuthError) -> HTTPAnswer {
    let ended = DispatchSemaphore(value: 0)
    let collector = Collector { _ in ended.signal() }
    let exchange = network.send(prepared(request), policy: policy, handler: collector)
    guard ended.wait(timeout: .now() + .seconds(60)) == .success else {
      exchange.cancel()
      throw Self.late(60)
    }
    return try Self.result(collector.state.withLock { $0 })
  }

  /// Sends a request and waits for its end, without blocking a thread.
  ///
  /// - Parameter seconds: The longest time until the answer is there as a whole.
  func answer(to request: HTTPRequest, within seconds: Int) async throws(OAuthError) -> HTTPAnswer {
    let isLate = Flag()
    let state = await withCheckedContinuation { continuation in
      let exchange = network.send(
        prepared(request), policy: policy, handler: Collector { continuation.resume(returning: $0) })
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
        // Without effect if the exchange has ended.
        isLate.value.withLock { $0 = true }
        exchange.cancel()
      }
    }
    if isLate.value.withLock({ $0 }), state.failure != nil { throw Self.late(seconds) }
    return try Self.result(state)
  }

  private func prepared(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.tls = tls
    request.keepsRedirects = true
    request.responseLimit = HTTPAnswer.longest
    request.connectTimeout = .seconds(15)
    request.idleTimeout = .seconds(30)
    return request
  }

  private static func result(_ state: Collector.State) throws(OAuthError) -> HTTPAnswer {
    guard let failure = state.failure else { return state.answer }
    switch failure.kind {
    case .auth, .invalidInput: throw OAuthError(.configuration, failure.message, advice: failure.advice)
    case .cancelled: throw OAuthError(.cancelled, failure.message)
    case .dns, .timeout, .refused, .unreachable, .io, .protocol: throw unavailable(failure.message, failure.advice)
    }
  }

  private static func late(_ seconds: Int) -> OAuthError {
    unavailable(LocalizedText("it took longer than \(seconds) s", de: "es dauerte länger als \(seconds) s"), nil)
  }

  private static func unavailable(_ reason: LocalizedText, _ advice: LocalizedText?) -> OAuthError {
    OAuthError(
      .unavailable,
      LocalizedText("the authorization server did not answer: ", de: "der Anmeldeserver hat nicht geantwortet: ")
        + reason,
      advice: advice)
  }

  private final class Flag: Sendable {
    let value = Mutex(false)
  }

  /// Keeps the answer, and passes it on at the end.
  private final class Collector: HTTPResponseHandler {
    struct State: Sendable {
      var answer = HTTPAnswer(status: 0, body: [])
      var failure: NetworkError?
    }
    let state = Mutex(State())
    private let whenEnded: @Sendable (State) -> Void

    init(_ whenEnded: @escaping @Sendable (State) -> Void) { self.whenEnded = whenEnded }

    func head(status: Int, headers: [HTTPHeader]) {
      let wait = headers.first { $0.name.lowercased() == "retry-after" }.flatMap { Double($0.value) }
      state.withLock {
        $0.answer = HTTPAnswer(status: status, retryAfter: wait.map { min(max($0, 0), 86_400) }, body: [])
      }
    }

    func data(_ bytes: RawSpan) {
      state.withLock { state in
        bytes.withUnsafeBytes { state.answer.body.append(contentsOf: $0) }
      }
    }

    func end(_ failure: NetworkError?) {
      let state = state.withLock { state in
        state.failure = failure
        return state
      }
      whenEnded(state)
    }
  }
}
