public import Expressions
public import Localization

/// A message to a client.
public struct OutgoingMessage: Sendable {
  /// The message as JSON.
  public let value: Value
  /// Whether it is the response to a request, after which nothing more comes for that request.
  public let isResponse: Bool
  /// The number of the error; `nil` for other messages.
  public let error: Int?

  /// The response to a request that succeeded.
  static func result(_ id: MessageID, _ result: ValueMap) -> OutgoingMessage {
    OutgoingMessage(
      value: ["jsonrpc": "2.0", "id": id.value, "result": .map(result)], isResponse: true, error: nil)
  }

  /// The response to a request that failed, or to a message whose id cannot be read.
  public static func error(_ id: MessageID?, _ error: AssistantError, in language: Language) -> OutgoingMessage {
    OutgoingMessage(
      value: ["jsonrpc": "2.0", "id": id?.value ?? .null, "error": error.value(in: language)], isResponse: true,
      error: error.number)
  }

  /// A message without an answer.
  static func notification(_ method: String, _ params: ValueMap) -> OutgoingMessage {
    OutgoingMessage(
      value: ["jsonrpc": "2.0", "method": .string(method), "params": .map(params)], isResponse: false, error: nil)
  }

  /// A request to the client, up to version 2025-11-25.
  static func request(_ id: MessageID, _ method: String, _ params: ValueMap) -> OutgoingMessage {
    OutgoingMessage(
      value: ["jsonrpc": "2.0", "id": id.value, "method": .string(method), "params": .map(params)], isResponse: false,
      error: nil)
  }

  /// The message as a line: JSON without line breaks, and a line feed.
  public var line: [UInt8] { value.json() + [0x0A] }
}
