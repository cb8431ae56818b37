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
    var request = request
    request.tls = tls
    request.keepsRedirects = true
    request.responseLimit = HTTPAnswer.longest
    request.connectTimeout = .seconds(15)
    request.idleTimeout = .seconds(30)
    let collector = Collector()
    let exchange = network.send(request, policy: policy, handler: collector)
    guard collector.ended.wait(timeout: .now() + .seconds(60)) == .success else {
      exchange.cancel()
      throw Self.unavailable(LocalizedText("it took longer than 60 s", de: "es dauerte länger als 60 s"), nil)
    }
    let state = collector.state.withLock { $0 }
    guard let failure = state.failure else { return state.answer }
    switch failure.kind {
    case .auth, .invalidInput: throw OAuthError(.configuration, failure.message, advice: failure.advice)
    case .cancelled: throw OAuthError(.cancelled, failure.message)
    case .dns, .timeout, .refused, .unreachable, .io, .protocol:
      throw Self.unavailable(failure.message, failure.advice)
    }
  }

  private static func unavailable(_ reason: LocalizedText, _ advice: LocalizedText?) -> OAuthError {
    OAuthError(
      .unavailable,
      LocalizedText("the authorization server did not answer: ", de: "der Anmeldeserver hat nicht geantwortet: ")
        + reason,
      advice: advice)
  }

  /// Keeps what comes until the end.
  private final class Collector: HTTPResponseHandler {
    struct State {
      var answer = HTTPAnswer(status: 0, body: [])
      var failure: NetworkError?
    }
    let state = Mutex(State())
    let ended = DispatchSemaphore(value: 0)

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
      state.withLock { $0.failure = failure }
      ended.signal()
    }
  }
}
