public import Expressions
import RunStore
public import UseCases

/// The choices of a person for an answer. A missing one comes from the preset, the conversation or the provider.
public struct ChatChoice: Sendable {
  /// The provider, also with a model: `gpt/gpt-4o`.
  public var provider: String?
  /// The model.
  public var model: String?
  /// The instructions and the task of a preset of the catalog.
  public var preset: (text: String, task: String?)?
  /// Standing instructions.
  public var system: String?
  /// The kind of work, for a provider without a model.
  public var task: String?
  /// The temperature, from 0 to 2.
  public var temperature: Double?
  /// The JSON Schema of the answer.
  public var schema: Value?

  /// Chooses nothing.
  public init() {}

  /// The input of `chat.complete`.
  public func input(_ question: ChatQuestion, in conversation: Conversation) -> Value {
    var map = ValueMap()
    if !question.words.isEmpty { map["prompt"] = .string(question.words) }
    if !question.text.isEmpty { map["input"] = .string(question.text) }
    if !question.pictures.isEmpty { map["images"] = .list(question.pictures.map(Value.string)) }
    if !conversation.isEmpty { map["messages"] = conversation.messages }
    let settings = conversation.lastAnswer?.settings
    if let schema { map["schema"] = schema }
    if let task = task ?? preset?.task ?? settings?["task"]?.stringValue, !task.isEmpty { map["task"] = .string(task) }
    let instructions = system ?? preset?.text ?? conversation.system
    if !instructions.isEmpty { map["system"] = .string(instructions) }
    // The model of the conversation belongs to its provider.
    let kept = provider == nil ? settings?["model"]?.stringValue : nil
    if let model = model ?? kept, !model.isEmpty { map["model"] = .string(model) }
    if let temperature = temperature.map(Value.double) ?? settings?["temperature"] { map["temperature"] = temperature }
    return .map(map)
  }
}
