import Networking
import OperatingSystem
import Synchronization

/// A response that has been received as a whole.
struct HTTPResponse: Sendable {
  var status = 0
  var headers: [HTTPHeader] = []
  /// The body, decompressed.
  var body: [UInt8] = []

  /// Sends a request and waits for the response; a cancelled task ends that.
  ///
  /// - Throws: ``Network/NetworkError``
  init(
    to request: HTTPRequest, policy: EgressPolicy, network: NetworkService
  ) async throws(NetworkError) {
    let collector = ResponseCollector()
    let exchange = network.send(request, policy: policy, handler: collector)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { collector.wait($0) }
    } onCancel: {
      exchange.cancel()
    }
    self = try outcome.get()
  }

  fileprivate init() {}

  /// The first value of a header field.
  func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

  /// The body as text: in the character set it names if that is Latin 1, otherwise UTF-8 with what is invalid replaced.
  var text: String {
    let type = header("content-type")?.lowercased() ?? ""
    guard type.contains("charset=iso-8859-1") || type.contains("charset=\"iso-8859-1\"") else {
      return String(decoding: body.withoutByteOrderMark, as: UTF8.self)
    }
    var text = String.UnicodeScalarView()
    for byte in body { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }
}

/// Puts a response together.
private final class ResponseCollector: HTTPResponseHandler {
  private struct State {
    var response = HTTPResponse()
    var outcome: Result<HTTPResponse, NetworkError>?
    var waiting: CheckedContinuation<Result<HTTPResponse, NetworkError>, Never>?
  }

  private let state = Mutex(State())

  func head(status: Int, headers: [HTTPHeader]) {
    state.withLock {
      $0.response.status = status
      $0.response.headers = headers
    }
  }

  func data(_ bytes: RawSpan) {
    let copy = bytes.withUnsafeBytes { Array($0) }
    state.withLock { $0.response.body += copy }
  }

  func end(_ failure: NetworkError?) {
    let (waiting, outcome) = state.withLock { state in
      let outcome: Result<HTTPResponse, NetworkError> = failure.map { .failure($0) } ?? .success(state.response)
      state.outcome = outcome
      defer { state.waiting = nil }
      return (state.waiting, outcome)
    }
    waiting?.resume(returning: outcome)
  }

  func wait(_ continuation: CheckedContinuation<Result<HTTPResponse, NetworkError>, Never>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiting = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
  }
}
