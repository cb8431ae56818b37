public import PluginKit

/// The input of `chat.complete`, as the contract defines it.
public struct ChatInput: Decodable, Sendable {
  /// One turn of a conversation as a recipe gives it.
  public struct Turn: Decodable, Sendable {
    /// `system`, `user`, `assistant` or `tool`.
    public var role: String
    /// The messages.
    public var content: String?
    /// The tool calls of the assistant in this turn.
    public var toolCalls: [ToolCall]?
    /// The call that a turn of role `tool` answers.
    public var toolCallID: String?
    /// The tool that a turn of role `tool` answers for.
    public var name: String?
  }

  /// A function the model may ask for.
  public struct Tool: Decodable, Sendable {
    /// Its name, `[A-Za-z0-9_-]{1,64}`.
    public var name: String
    /// The description for the model.
    public var description: String?
    /// JSON Schema of its arguments.
    public var parameters: JSONValue?
  }

  /// The task.
  public var prompt: String?
  /// The text to do it with.
  public var input: String?
  /// Standing instructions.
  public var system: String?
  /// The conversation so far.
  public var messages: [Turn]?
  /// JSON Schema of the answer.
  public var schema: JSONValue?
  /// Pictures: blobs, data: or https: URLs.
  public var images: [String]?
  /// Functions the model may ask for.
  public var tools: [Tool]?
  /// `auto`, `none`, `required`, or the name of the tool to use.
  public var toolChoice: String?
  /// The model; `nil` for that of the settings.
  public var model: String?
  /// 0 to 2.
  public var temperature: Double?
  /// 0 to 1.
  public var topP: Double?
  /// The longest answer, in tokens.
  public var maxTokens: Int?
  /// Texts at which the answer ends.
  public var stop: [String]?
  /// For answers that can be repeated.
  public var seed: Int?
  /// Options of this provider only.
  public var options: JSONObject?

  /// The whole conversation: `system`, then `messages`, then a turn of the user with `prompt` and `input`, an empty line
  /// between the two, and with the images.
  ///
  /// - Throws: `invalid_input` if there is nothing to answer.
  public var turns: [ChatTurn] {
    get throws(ActionError) {
      var turns: [ChatTurn] = []
      if let system, !system.isEmpty { turns.append(ChatTurn(role: .system, content: system)) }
      for turn in messages ?? [] {
        guard let role = ChatTurn.Role(rawValue: turn.role) else {
          throw ActionError(
            .invalidInput, "'\(turn.role)' is not a role of a conversation.",
            german: "'\(turn.role)' ist keine Rolle in einem Gespräch.")
        }
        turns.append(
          ChatTurn(
            role: role, content: turn.content ?? "", toolCalls: turn.toolCalls ?? [], toolCallID: turn.toolCallID,
            toolName: turn.name))
      }
      let words = [prompt, input].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n\n")
      let images = images ?? []
      if !words.isEmpty {
        turns.append(ChatTurn(role: .user, content: words, images: images))
      } else if !images.isEmpty {
        if let last = turns.indices.last, turns[last].role == .user {
          turns[last].images = images
        } else {
          turns.append(ChatTurn(role: .user, content: "", images: images))
        }
      }
      guard turns.contains(where: { $0.role != .system && !$0.isEmpty }) else {
        throw ActionError(
          .invalidInput, "There is nothing to answer.", german: "Es gibt nichts zu beantworten.",
          advice: "Give a 'prompt', an 'input' or 'messages' with words in it.",
          adviceGerman: "'prompt', 'input' oder 'messages' mit Text angeben.")
      }
      return turns
    }
  }
}
