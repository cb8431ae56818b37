import Expressions
import Foundation
import LoopbackPorts
import Synchronization

/// A collector of OpenTelemetry on the loopback interface.
final class TraceCollector: Sendable {
  /// How it answers.
  enum Mode: Sendable {
    case accepts, overloaded, refuses, hangs
    /// Refuses requests with spans of more than so many traces as too large.
    case takesTraces(Int)
    /// Refuses requests with a span of this name.
    case refusesName(String)
    /// Answers with this status.
    case answers(Int)
  }

  /// A request.
  struct Request: Sendable {
    var head: String
    var body: Value
  }

  private let listener: LoopbackListener
  private let state: Mutex<(mode: Mode, requests: [Request])>

  /// Called before each answer, on a thread of its own.
  private let onRequest: (@Sendable (TraceCollector) -> Void)?

  init(_ mode: Mode = .accepts, onRequest: (@Sendable (TraceCollector) -> Void)? = nil) throws {
    listener = try LoopbackListener()
    self.onRequest = onRequest
    state = Mutex((mode, []))
    listener.serve { [self] connection in answer(connection) }
  }

  var port: Int { listener.port }
  /// The requests that have arrived as a whole.
  var requests: [Request] { state.withLock { $0.requests } }
  /// The spans that it has accepted.
  var spans: [Value] {
    requests.flatMap { Self.spans(of: $0.body) }
  }
  /// The traces of each request.
  var traces: [Set<String>] { requests.map { Set(Self.spans(of: $0.body).compactMap { $0["traceId"]?.stringValue }) } }

  private static func spans(of body: Value) -> [Value] {
    (body["resourceSpans"]?.listValue ?? []).flatMap { $0["scopeSpans"]?.listValue ?? [] }.flatMap {
      $0["spans"]?.listValue ?? []
    }
  }
  func set(_ mode: Mode) { state.withLock { $0.mode = mode } }
  func end() { listener.end() }

  private func answer(_ connection: Int32) {
    let bytes = HTTPCall.read(connection) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n"),
        let length = text[..<end.lowerBound].lowercased().components(separatedBy: "content-length: ").dropFirst().first?
          .prefix(while: \.isNumber)
      else { return false }
      return text[end.upperBound...].utf8.count >= Int(length) ?? 0
    }
    let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
    guard parts.count > 1 else {
      close(connection)
      return
    }
    let body = (try? Value(json: Array(parts.dropFirst().joined(separator: "\r\n\r\n").utf8))) ?? .null
    let mode = state.withLock { state in
      state.requests.append(Request(head: parts[0], body: body))
      return state.mode
    }
    // The connection stays open: the daemon has to give the request up.
    if case .hangs = mode { return }
    let spans = Self.spans(of: body)
    let status =
      switch mode {
      case .accepts, .hangs: "200 OK"
      case .overloaded: "503 Busy"
      case .refuses: "400 Bad Request"
      case .takesTraces(let most):
        Set(spans.compactMap { $0["traceId"]?.stringValue }).count > most ? "413 Content Too Large" : "200 OK"
      case .refusesName(let name): spans.contains { $0["name"] == .string(name) } ? "400 Bad Request" : "200 OK"
      case .answers(let status): "\(status) Status"
      }
    onRequest?(self)
    HTTPCall.write(
      Array(
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}".utf8),
      to: connection)
    close(connection)
  }
}
