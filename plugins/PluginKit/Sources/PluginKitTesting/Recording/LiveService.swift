import Foundation
import PluginKit
import PluginRecording
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The real network, for making recordings: HTTP through Foundation. Tests use it only with `SOUS_RECORD`.
final class LiveService: Sendable {
  struct Entry {
    let request: HTTPRequest
    var status: Int?
    var headers: HTTPHeaders = [:]
    var pieces: [[UInt8]] = []
    var failure: ActionError?
  }

  private let entries = Mutex<[Entry]>([])

  func begin(_ request: HTTPRequest) -> Int {
    entries.withLock { entries in
      entries.append(Entry(request: request))
      return entries.count - 1
    }
  }

  func change(_ number: Int, _ body: (inout Entry) -> Void) {
    entries.withLock { body(&$0[number]) }
  }

  func recording(note: String?, scrubber: SecretScrubber) -> Recording {
    Recording(
      note: note,
      exchanges: entries.withLock { $0 }.map { entry in
        func fields(_ headers: HTTPHeaders) -> [RecordedHeader] {
          headers.fields.map { RecordedHeader(name: $0.name.lowercased(), value: $0.value) }
        }
        let headers = scrubber.scrub(fields(entry.headers)).sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        return RecordedExchange(
          request: RecordedRequest(
            method: entry.request.method.rawValue, url: entry.request.url, headers: fields(entry.request.headers),
            body: entry.request.body, scrubber: scrubber),
          response: RecordedResponse(
            status: entry.status, headers: headers.isEmpty ? nil : headers,
            body: scrubber.scrub(entry.pieces.map { RecordedBytes($0) }),
            failure: entry.failure.map { RecordedFailure(kind: $0.kind.rawValue, message: $0.message) }))
      })
  }

  /// Sends a request with its whole body.
  func start(_ request: HTTPRequest, receiver: any HTTPReceiver) -> any HTTPControl {
    LiveExchange(request, service: self, receiver: receiver)
  }
}

/// One request on the real network.
// URLSession calls the delegate on one queue; what it changes is behind the mutex of the service.
private final class LiveExchange: NSObject, URLSessionDataDelegate, HTTPControl, @unchecked Sendable {
  private let request: HTTPRequest
  private let service: LiveService
  private let receiver: any HTTPReceiver
  private let body: Mutex<[UInt8]>
  private let task = Mutex<(session: URLSession, task: URLSessionDataTask, number: Int)?>(nil)

  init(_ request: HTTPRequest, service: LiveService, receiver: any HTTPReceiver) {
    self.request = request
    self.service = service
    self.receiver = receiver
    body = Mutex(request.body)
  }

  func write(_ piece: [UInt8]) { body.withLock { $0 += piece } }

  func finish() {
    guard let url = URL(string: request.url) else {
      return receiver.receiveEnd(ActionError(.invalidInput, "'\(request.url)' is no URL."))
    }
    var sent = request
    sent.body = body.withLock { $0 }
    let number = service.begin(sent)
    var native = URLRequest(url: url)
    native.httpMethod = request.method.rawValue
    for field in request.headers.fields { native.addValue(field.value, forHTTPHeaderField: field.name) }
    if !sent.body.isEmpty { native.httpBody = Data(sent.body) }
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: native)
    self.task.withLock { $0 = (session, task, number) }
    task.resume()
  }

  // Everything that arrives is kept anyway.
  func consumed(_ count: Int) {}
  func cancel() { task.withLock { $0 }?.task.cancel() }

  private func change(_ body: (inout LiveService.Entry) -> Void) {
    if let number = task.withLock({ $0?.number }) { service.change(number, body) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse {
      // The length and the coding of what came over the wire are not those of what is handed on.
      let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
        guard let name = (name as? String)?.lowercased(), let value = value as? String,
          !["content-encoding", "content-length", "transfer-encoding", "date"].contains(name)
        else { return nil }
        return HTTPHeaders.Field(name: name, value: value)
      }
      let headers = HTTPHeaders(fields.sorted { $0.name < $1.name })
      change { entry in
        entry.status = response.statusCode
        entry.headers = headers
      }
      receiver.receiveHead(status: response.statusCode, headers: headers)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard !data.isEmpty else { return }
    change { $0.pieces.append(Array(data)) }
    receiver.receivePiece(Array(data))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(request.keepsRedirects ? nil : newRequest)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let failure = error.map { LiveExchange.failure($0) }
    change { $0.failure = failure }
    receiver.receiveEnd(failure)
    session.finishTasksAndInvalidate()
  }

  private static func failure(_ error: any Error) -> ActionError {
    let kind: ActionError.Kind =
      switch (error as? URLError)?.code {
      case .cannotFindHost, .dnsLookupFailed: .dns
      case .timedOut: .timeout
      case .cannotConnectToHost: .refused
      case .notConnectedToInternet, .networkConnectionLost: .unreachable
      case .secureConnectionFailed, .serverCertificateUntrusted: .auth
      case .cancelled: .cancelled
      default: .io
      }
    return ActionError(kind, (error as? URLError)?.localizedDescription ?? "\(error)")
  }
}
