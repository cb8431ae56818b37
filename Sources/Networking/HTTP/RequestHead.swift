import Localization
import NIOHTTP1

/// The head of a request as it is sent.
struct RequestHead: Sendable {
  /// The method as given.
  let method: String
  private var fields: [HTTPHeader]
  private let body: HTTPRequest.Body

  /// Fields that belong to the connection, or that the host decides on (RFC 9110, section 7.6.1).
  private static let owned: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "te", "trailer",
    "upgrade", "expect", "accept-encoding", "http2-settings",
  ]

  /// Fields that another origin may see. Everything else may be a credential, whatever its name.
  private static let harmless: Set<String> = [
    "accept", "accept-language", "cache-control", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "pragma", "range", "user-agent",
  ]

  /// Checks method and fields of a request.
  ///
  /// - Throws: ``NetworkError/Code/requestInvalid``
  init(_ request: HTTPRequest) throws(NetworkError) {
    guard Self.isToken(request.method), request.method.uppercased() != "CONNECT" else {
      throw Self.invalid(
        LocalizedText(
          "'\(request.method.prefix(20))' is not a method", de: "'\(request.method.prefix(20))' ist keine Methode"))
    }
    for field in request.headers where !Self.isToken(field.name) {
      throw Self.invalid(
        LocalizedText(
          "'\(field.name.prefix(40))' is not the name of a header",
          de: "'\(field.name.prefix(40))' ist kein Name eines Header-Felds"))
    }
    for field in request.headers where !field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) {
      throw Self.invalid(
        LocalizedText(
          "the header '\(field.name)' contains a control character",
          de: "die Kopfzeile '\(field.name)' enthält ein Steuerzeichen"))
    }
    method = request.method
    body = request.body
    fields = request.headers.filter { !Self.owned.contains($0.name.lowercased()) }
    for usual in [HTTPHeader("Accept", "*/*"), HTTPHeader("User-Agent", "sous")] where !has(usual.name) {
      fields.append(usual)
    }
  }

  private func has(_ name: String) -> Bool { fields.contains { $0.name.lowercased() == name.lowercased() } }

  /// The same request for another origin: without what may be a credential.
  func forOtherOrigin() -> RequestHead {
    var copy = self
    copy.fields = fields.filter { Self.harmless.contains($0.name.lowercased()) }
    return copy
  }

  /// The head as it is sent.
  ///
  /// - Parameter frames: Whether the protocol marks the end of a body by itself (HTTP/2).
  func made(for address: WebAddress, frames: Bool) -> HTTPRequestHead {
    var headers = HTTPHeaders()
    headers.add(name: "Host", value: address.authority)
    for field in fields { headers.add(name: field.name, value: field.value) }
    headers.add(name: "Accept-Encoding", value: "gzip, deflate")
    switch body {
    case .bytes(let bytes):
      if !bytes.isEmpty || ["POST", "PUT", "PATCH"].contains(method) {
        headers.add(name: "Content-Length", value: String(bytes.count))
      }
    case .streamed: if !frames { headers.add(name: "Transfer-Encoding", value: "chunked") }
    }
    return HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: method), uri: address.target, headers: headers)
  }

  /// Whether a server may get a request with this method twice (RFC 9110, section 9.2.2).
  var isIdempotent: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method) }

  /// Whether the request may be sent again to where a redirect leads: it changes nothing and has no body.
  var isRepeatable: Bool {
    guard case .bytes(let bytes) = body else { return false }
    return bytes.isEmpty && (method == "GET" || method == "HEAD")
  }

  /// The characters of names (RFC 9110, section 5.6.2).
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x5e...0x7a, 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x7c, 0x7e: true
        default: false
        }
      }
  }

  private static func invalid(_ reason: LocalizedText) -> NetworkError {
    NetworkError(
      .protocol, .requestInvalid,
      LocalizedText("The request cannot be sent: ", de: "Die Anfrage ist nicht sendbar: ") + reason)
  }
}
