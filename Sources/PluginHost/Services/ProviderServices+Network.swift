import Engine
import Localization
import Networking
import PluginBoundary

/// HTTP and byte streams over the host's network service, within the provider's egress policy.
extension ProviderServices {
  func send(_ request: HTTPExchangeRequest, to handler: any HTTPExchangeHandler) -> any HTTPExchangeControl {
    guard let network = resources.network, let policy = resources.policy else {
      handler.end(AbsentControl.failure)
      return AbsentControl.shared
    }
    guard let number = begin(of: request.call) else {
      handler.end(.callOver)
      return AbsentControl.shared
    }
    let adapter = ExchangeAdapter(handler) { [exchanges] in exchanges.finish(number, of: request.call) }
    var body = request.body
    if request.streamsBody { body = [] }
    let exchange = network.send(
      HTTPRequest(
        method: request.method, url: request.url, headers: request.headers.map { HTTPHeader($0.name, $0.value) },
        body: request.streamsBody ? .streamed : .bytes(body), connectTimeout: milliseconds(request.connectTimeout),
        idleTimeout: milliseconds(request.idleTimeout), responseLimit: count(request.responseLimit),
        window: count(request.window) ?? 1 << 20, keepsRedirects: request.keepsRedirects, tls: resources.trust,
        isRepeatable: running(request.call)?.isRepeatable),
      policy: policy, handler: adapter)
    exchanges.set(number, of: request.call) { exchange.cancel() }
    if request.streamsBody, !request.body.isEmpty { exchange.write(request.body) }
    return ExchangeControl(exchange)
  }

  func open(_ request: ByteStreamRequest, to handler: any ByteStreamHandler) -> any ByteStreamControl {
    guard let network = resources.network, let policy = resources.policy else {
      handler.end(AbsentControl.failure)
      return AbsentControl.shared
    }
    guard let number = begin(of: request.call) else {
      handler.end(.callOver)
      return AbsentControl.shared
    }
    let adapter = StreamAdapter(handler) { [exchanges] in exchanges.finish(number, of: request.call) }
    let connection = network.open(
      StreamRequest(
        host: request.host, port: Int(request.port), security: request.isSecured ? .implicit : .none,
        connectTimeout: milliseconds(request.connectTimeout), idleTimeout: milliseconds(request.idleTimeout),
        window: count(request.window), tls: resources.trust),
      policy: policy, handler: adapter)
    exchanges.set(number, of: request.call) { connection.cancel() }
    return StreamControl(connection)
  }

  /// Lets something begin, unless the call it belongs to is over or to be.
  private func begin(of id: UInt64) -> UInt64? {
    if id != 0 {
      guard let call = running(id), !call.hasEnded, call.cancelReason == nil else { return nil }
    }
    return exchanges.begin(of: id)
  }
}

extension ActionFailure {
  /// The failure of a request that a plugin makes after its call has ended.
  fileprivate static var callOver: ActionFailure {
    ActionFailure(
      .cancelled,
      LocalizedText(
        "The call that asked for something on the network is over.",
        de: "Der Aufruf, der etwas vom Netz wollte, ist vorbei."))
  }

  fileprivate init(_ error: NetworkError) {
    self.init(Kind(rawValue: error.kind.rawValue), error.message, advice: error.advice)
  }
}

private func milliseconds(_ number: UInt64) -> Duration? {
  // A duration does not hold every number; a century is long enough.
  number == 0 ? nil : .milliseconds(Int64(min(number, 3_200_000_000_000)))
}

private func count(_ number: UInt64) -> Int? { number == 0 ? nil : Int(clamping: number) }

private func copy(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }

/// Passes the events of an HTTP request on.
private struct ExchangeAdapter: HTTPResponseHandler {
  let handler: any HTTPExchangeHandler
  let over: @Sendable () -> Void

  init(_ handler: any HTTPExchangeHandler, over: @escaping @Sendable () -> Void) {
    self.handler = handler
    self.over = over
  }

  func head(status: Int, headers: [HTTPHeader]) {
    handler.head(
      status: UInt32(clamping: status), headers: headers.map { HeaderField(name: $0.name, value: $0.value) })
  }

  func data(_ bytes: RawSpan) { handler.data(copy(bytes)) }

  func end(_ failure: NetworkError?) {
    over()
    handler.end(failure.map { ActionFailure($0) })
  }
}

/// Passes the events of a stream on.
private struct StreamAdapter: StreamHandler {
  let handler: any ByteStreamHandler
  let over: @Sendable () -> Void

  init(_ handler: any ByteStreamHandler, over: @escaping @Sendable () -> Void) {
    self.handler = handler
    self.over = over
  }

  func opened() { handler.opened() }
  func data(_ bytes: RawSpan) { handler.data(copy(bytes)) }
  func secured() { handler.secured() }
  func sent(_ total: Int) { handler.sent(UInt64(clamping: total)) }

  func end(_ failure: NetworkError?) {
    over()
    handler.end(failure.map { ActionFailure($0) })
  }
}

private final class ExchangeControl: HTTPExchangeControl {
  private let exchange: HTTPExchange

  init(_ exchange: HTTPExchange) { self.exchange = exchange }

  func write(_ piece: [UInt8]) { exchange.write(piece) }
  func finish() { exchange.finish() }
  func consumed(_ bytes: UInt64) { exchange.consumed(Int(clamping: bytes)) }
  func cancel() { exchange.cancel() }
}

private final class StreamControl: ByteStreamControl {
  private let connection: StreamConnection

  init(_ connection: StreamConnection) { self.connection = connection }

  func write(_ piece: [UInt8]) { connection.write(piece) }
  func startTLS() { connection.startTLS() }
  func consumed(_ bytes: UInt64) { connection.consumed(Int(clamping: bytes)) }
  func close() { connection.close() }
}
