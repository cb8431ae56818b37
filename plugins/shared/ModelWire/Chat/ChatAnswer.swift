public import PluginKit

/// An answer while it is being put together.
public struct ChatAnswer: Sendable {
  /// The words so far.
  public var text = ""
  /// The reasoning of the model.
  public var reasoning = ""
  /// Why it would not answer.
  public var refusal = ""
  /// The tool calls.
  public var toolCalls = ToolCallFragments()
  /// Why it stopped, in the provider's word; `nil` while it goes on.
  public var finishReason: String?
  /// The model, as the provider calls it.
  public var model: String?
  /// The token usage.
  public var usage = TokenUsage()

  /// Creates an empty answer.
  public init() {}

  /// Whether nothing has come yet.
  public var isEmpty: Bool { text.isEmpty && reasoning.isEmpty && refusal.isEmpty && toolCalls.isEmpty }

  /// The output of `chat.complete`.
  ///
  /// Whether it suits a schema is the host's to say.
  ///
  /// - Parameter requested: The model that was asked for, where the provider does not name one.
  /// - Throws: `unsuitable` where calls of tools cannot be read, `parse` where a repetition would not help.
  public func output(model requested: String) throws(ActionError) -> JSONValue {
    let calls: [ToolCall]
    do throws(ActionError) {
      calls = try toolCalls.finished(isCut: ["length", "model_length"].contains(finishReason))
    } catch {
      throw error.paid(usage)
    }
    let reason = finish(calls.isEmpty)
    var members: JSONObject = [
      "text": .string(text), "model": .string(model.flatMap { $0.isEmpty ? nil : $0 } ?? requested),
      "finish_reason": .string(reason), "extractive": false, "usage": usage.json,
    ]
    if !reasoning.isEmpty { members["reasoning"] = .string(reasoning) }
    if !refusal.isEmpty { members["refusal"] = .string(refusal) }
    if !calls.isEmpty { members["tool_calls"] = .array(calls.map(\.json)) }
    return .object(members)
  }

  /// The reason in the contract's words.
  private func finish(_ hasNoCalls: Bool) -> String {
    switch finishReason {
    case nil, "": hasNoCalls ? "stop" : "tool_calls"
    case "function_call": "tool_calls"
    case "model_length": "length"
    // Ollama says `stop` where tools are asked for.
    case "stop": hasNoCalls ? "stop" : "tool_calls"
    case let reason?: reason
    }
  }
}
