public import Expressions

/// A request that is to be carried out.
public struct AssistantCall: Sendable {
  /// The id of the request.
  public let id: MessageID
  /// The number of the call on its connection. Ids are chosen by the client, which may use one again after a cancellation, while
  /// the cancelled call still ends.
  public let serial: Int
  /// The method: `tools/call`.
  public let method: String
  /// The parameters.
  public let params: ValueMap
  /// The version of the protocol of this request.
  public let version: ProtocolVersion
  /// The features of the client.
  public let features: ClientFeatures

  /// The token by which the client wants to learn how far the call is; `nil` if it does not.
  var progressToken: Value? {
    switch params["_meta"]?["progressToken"] {
    case .string(let text)?: .string(text)
    case .int(let number)?: .int(number)
    default: nil
    }
  }

  /// A text among the parameters.
  ///
  /// - Throws: ``AssistantError`` with the code `invalid_parameters` if it is missing, or too long.
  func text(_ name: String) throws(AssistantError) -> String {
    guard let text = params[name]?.stringValue, text.utf8.count <= 2000 else {
      throw .invalidParameters("'\(name)' must be a text", de: "'\(name)' muss ein Text sein")
    }
    return text
  }
}

/// The keys of `_meta` that the protocol reserves.
enum MetaKey {
  static let version = "io.modelcontextprotocol/protocolVersion"
  static let capabilities = "io.modelcontextprotocol/clientCapabilities"
  static let server = "io.modelcontextprotocol/serverInfo"
  static let subscription = "io.modelcontextprotocol/subscriptionId"
  static let relatedTask = "io.modelcontextprotocol/related-task"
}
