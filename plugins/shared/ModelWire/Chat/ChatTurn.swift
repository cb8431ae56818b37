public import PluginKit

/// One turn of a conversation, ready to be written in a provider's form.
public struct ChatTurn: Sendable {
  /// Who speaks.
  public enum Role: String, Sendable {
    /// Standing instructions.
    case system
    /// The person, or the recipe.
    case user
    /// The model.
    case assistant
    /// A tool that the model asked for.
    case tool
  }

  /// Who speaks.
  public var role: Role
  /// The text; may be empty.
  public var content: String
  /// Pictures: blobs, data: or https: URLs.
  public var images: [String]
  /// The tool calls of the assistant.
  public var toolCalls: [ToolCall]
  /// The call that a turn of a tool answers.
  public var toolCallID: String?
  /// The tool that a turn of a tool answers for.
  public var toolName: String?

  /// Creates a turn.
  public init(
    role: Role, content: String, images: [String] = [], toolCalls: [ToolCall] = [], toolCallID: String? = nil,
    toolName: String? = nil
  ) {
    self.role = role
    self.content = content
    self.images = images
    self.toolCalls = toolCalls
    self.toolCallID = toolCallID
    self.toolName = toolName
  }

  var isEmpty: Bool { content.isEmpty && images.isEmpty && toolCalls.isEmpty && role != .tool }
}

/// A tool call of a model.
public struct ToolCall: Codable, Sendable, Hashable {
  /// Names the call; the answer refers to it.
  public var id: String
  /// The tool.
  public var name: String
  /// An object.
  public var arguments: JSONValue

  /// Creates a call.
  public init(id: String, name: String, arguments: JSONValue) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }

  /// The call as outputs show it.
  var json: JSONValue { ["id": .string(id), "name": .string(name), "arguments": arguments] }
}
