public import PluginKit

/// How a scripted service answers one request.
///
/// ```swift
/// host.respond { request in
///   request.url.hasSuffix("/models") ? .json(["data": []]) : ScriptedResponse(status: 404)
/// }
/// ```
public struct ScriptedResponse: Sendable {
  /// How the body ends.
  public enum Ending: Sendable {
    /// In good order.
    case complete
    /// With a failure of the connection, behind the pieces. Without status: before the head.
    case failure(ActionError)
    /// Never: until the request is cancelled.
    case never
  }

  /// The status code; `nil` if the request fails, or hangs, before the head.
  public var status: Int?
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body in the pieces in which it arrives.
  public var pieces: [[UInt8]]
  /// How it ends.
  public var ending: Ending

  /// Creates a response with a body in pieces.
  public init(status: Int = 200, headers: HTTPHeaders = [:], pieces: [[UInt8]], ending: Ending = .complete) {
    self.status = status
    self.headers = headers
    self.pieces = pieces
    self.ending = ending
  }

  /// Creates a response with a body of text.
  public init(status: Int = 200, headers: HTTPHeaders = [:], _ body: String = "", ending: Ending = .complete) {
    self.init(status: status, headers: headers, pieces: body.isEmpty ? [] : [Array(body.utf8)], ending: ending)
  }

  /// A response with a JSON body.
  public static func json(_ value: JSONValue, status: Int = 200, headers: HTTPHeaders = [:]) -> ScriptedResponse {
    var headers = headers
    if headers["content-type"] == nil { headers.add("content-type", "application/json") }
    let text = (try? JSONCoding.encode(value)) ?? []
    return ScriptedResponse(status: status, headers: headers, pieces: [text])
  }

  /// A stream of events, each in a piece of its own; `data` of one event per element.
  public static func events(_ data: [String], headers: HTTPHeaders = [:]) -> ScriptedResponse {
    var headers = headers
    if headers["content-type"] == nil { headers.add("content-type", "text/event-stream") }
    return ScriptedResponse(
      headers: headers,
      pieces: data.map { text in
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Array((lines.map { "data: \($0)\n" }.joined() + "\n").utf8)
      })
  }

  /// A request that fails before its head: a refused connection, a name that does not resolve.
  public static func failure(_ error: ActionError) -> ScriptedResponse {
    var response = ScriptedResponse(ending: .failure(error))
    response.status = nil
    return response
  }

  /// A request that is never answered, for what a plugin does when it is cancelled.
  public static var silence: ScriptedResponse {
    var response = ScriptedResponse(ending: .never)
    response.status = nil
    return response
  }

  /// The same response cut into pieces of `count` bytes each, to show that nothing depends on where pieces end.
  public func cut(every count: Int) -> ScriptedResponse {
    let bytes = pieces.flatMap(\.self)
    var response = self
    response.pieces = stride(from: 0, to: bytes.count, by: max(1, count)).map {
      Array(bytes[$0..<min(bytes.count, $0 + max(1, count))])
    }
    return response
  }
}
