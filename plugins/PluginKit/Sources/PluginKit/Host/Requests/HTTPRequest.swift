/// A request that the host is to make.
///
/// ```swift
/// let request = HTTPRequest(url: "https://api.example.com/v1/rates", query: ["base": "CHF"])
/// let rates = try await context.http.send(request).checked().json(as: Rates.self)
/// ```
///
/// The host sets Content-Length, Host and Accept-Encoding, and decompresses the answer. It never repeats a request.
public struct HTTPRequest: Sendable, Hashable {
  /// The method.
  public var method: HTTPMethod
  /// An absolute http or https URL, of a host that the manifest or the configuration names.
  public var url: String
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body; empty for none.
  public var body: [UInt8]
  /// The time in which the connection must open; `nil` for the host's default, 10 s.
  public var connectTimeout: Duration?
  /// The silence after which the host gives up; `nil` for the host's, 300 s.
  public var idleTimeout: Duration?
  /// The largest body of a response, in bytes; `nil` for the host's, 64 MiB. A larger one fails with `protocol`.
  public var responseLimit: Int?
  /// Whether a redirect is answered like any other response instead of being followed.
  public var keepsRedirects: Bool

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: An absolute http or https URL.
  ///   - query: Names and values that are added to the URL, escaped.
  ///   - headers: The header fields.
  ///   - body: The body.
  ///   - connectTimeout: The time in which the connection must open; `nil` for 10 s.
  ///   - idleTimeout: The silence after which the host gives up; `nil` for 300 s.
  ///   - responseLimit: The largest body of a response in bytes; `nil` for 64 MiB.
  ///   - keepsRedirects: Whether a redirect is answered like any other response instead of being followed.
  public init(
    method: HTTPMethod = .get, url: String, query: KeyValuePairs<String, String> = [:], headers: HTTPHeaders = [:],
    body: [UInt8] = [], connectTimeout: Duration? = nil, idleTimeout: Duration? = nil, responseLimit: Int? = nil,
    keepsRedirects: Bool = false
  ) {
    self.method = method
    self.url = HTTPRequest.url(url, query: query)
    self.headers = headers
    self.body = body
    self.connectTimeout = connectTimeout
    self.idleTimeout = idleTimeout
    self.responseLimit = responseLimit
    self.keepsRedirects = keepsRedirects
  }

  /// A request whose body is a value as JSON, with its Content-Type.
  ///
  /// - Parameters:
  ///   - value: The body.
  ///   - url: An absolute http or https URL.
  ///   - method: The method.
  ///   - headers: Further header fields.
  ///   - names: How names of properties are spelled.
  /// - Throws: `protocol` if the value cannot be encoded.
  public static func json(
    _ value: some Encodable, to url: String, method: HTTPMethod = .post, headers: HTTPHeaders = [:],
    names: JSONNames = .snakeCase
  ) throws(ActionError) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: url, headers: headers)
    do {
      request.body = try JSONCoding.encode(value, names: names)
    } catch {
      throw ActionError(
        .protocol, "The request cannot be encoded: \(DecodingFailure(error).english)",
        german: "Die Anfrage lässt sich nicht kodieren: \(DecodingFailure(error).german)")
    }
    if request.headers["content-type"] == nil { request.headers.add("content-type", "application/json") }
    return request
  }

  /// Text in the form for a path or a query: everything but `A-Z a-z 0-9 - . _ ~` percent-encoded, RFC 3986.
  public static func escape(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func url(_ url: String, query: KeyValuePairs<String, String>) -> String {
    guard !query.isEmpty else { return url }
    let pairs = query.map { escape($0) + "=" + escape($1) }.joined(separator: "&")
    let (start, fragment) = url.firstIndex(of: "#").map { (url[..<$0], url[$0...]) } ?? (url[...], "")
    return start + (start.contains("?") ? "&" : "?") + pairs + fragment
  }
}
