public import Expressions
import Localization

/// A message of a client: JSON-RPC 2.0, one JSON object.
public enum IncomingMessage: Sendable {
  /// A call that gets an answer.
  case request(MessageID, method: String, params: ValueMap)
  /// A message without an answer.
  case notification(method: String, params: ValueMap)
  /// The answer to a request of the server; an error has the text of the client.
  case response(MessageID, Result<Value, ClientRefusal>)
  /// Anything else. The id is that of the message if it can be read.
  case invalid(MessageID?, AssistantError)

  /// The id of a request, or of a message that is not one; `nil` if it has none.
  public var id: MessageID? {
    switch self {
    case .request(let id, _, _), .response(let id, _): id
    case .invalid(let id, _): id
    case .notification: nil
    }
  }

  /// The error with which a client answers a request of the server.
  public struct ClientRefusal: Error, Sendable, Hashable {
    /// The number of JSON-RPC.
    public let number: Int64
    /// The words of the client.
    public let text: String
  }

  /// The deepest nesting of a message.
  private static let limits = JSONLimits(depth: 100, size: 64 << 20)
  /// The most bytes of the name of a method.
  private static let longestMethod = 200

  /// Reads a message. Bytes that are not a message become ``invalid(_:_:)``.
  public init(_ bytes: some Collection<UInt8>) {
    do {
      self.init(try Value(json: bytes, limits: Self.limits))
    } catch {
      self = .invalid(
        nil,
        AssistantError(
          .malformed, .parse, "the message is not JSON: \(error)", de: "die Nachricht ist kein JSON: \(error)"))
    }
  }

  /// Reads a message.
  public init(_ value: Value) {
    guard case .map(let map) = value else {
      self = .invalid(
        nil,
        .invalidRequest(
          "a message is one JSON object; batches are not part of the protocol",
          de: "eine Nachricht ist ein JSON-Objekt; Stapel gehören nicht zum Protokoll"))
      return
    }
    let id = MessageID(map["id"])
    guard map["jsonrpc"]?.stringValue == "2.0" else {
      self = .invalid(id, .invalidRequest("'jsonrpc' must be \"2.0\"", de: "'jsonrpc' muss \"2.0\" sein"))
      return
    }
    guard let method = map["method"] else {
      self = Self.response(map, id)
      return
    }
    guard let name = method.stringValue, (1...Self.longestMethod).contains(name.utf8.count) else {
      self = .invalid(id, .invalidRequest("'method' must be a text", de: "'method' muss ein Text sein"))
      return
    }
    guard map["params"] == nil || map["params"]?.mapValue != nil else {
      self = .invalid(id, .invalidParameters("'params' must be an object", de: "'params' muss ein Objekt sein"))
      return
    }
    let params = map["params"]?.mapValue ?? [:]
    if map["id"] == nil {
      self = .notification(method: name, params: params)
    } else if let id {
      self = .request(id, method: name, params: params)
    } else {
      self = .invalid(
        nil,
        .invalidRequest("'id' must be a text or a whole number", de: "'id' muss ein Text oder eine ganze Zahl sein"))
    }
  }

  private static func response(_ map: ValueMap, _ id: MessageID?) -> IncomingMessage {
    guard let id else {
      return .invalid(
        nil,
        .invalidRequest(
          "a message has a 'method', or the 'id' of a request",
          de: "eine Nachricht hat ein 'method' oder das 'id' einer Anfrage"))
    }
    if let result = map["result"], result.mapValue != nil { return .response(id, .success(result)) }
    guard let error = map["error"], let number = error["code"]?.intValue else {
      return .invalid(
        id,
        .invalidRequest("a response has a 'result' or an 'error'", de: "eine Antwort hat ein 'result' oder ein 'error'")
      )
    }
    return .response(
      id, .failure(ClientRefusal(number: number, text: String((error["message"]?.stringValue ?? "").prefix(500)))))
  }
}
