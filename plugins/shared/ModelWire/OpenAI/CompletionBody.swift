public import PluginKit

/// The body of `POST /chat/completions`, as OpenAI describes it and most servers take it.
public struct CompletionBody: Sendable {
  /// The members so far.
  public var members: JSONObject

  /// Begins a body with the model and the conversation.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - turns: The conversation; images are data: or https: URLs.
  public init(model: String, turns: [ChatTurn]) {
    members = ["model": .string(model), "messages": .array(turns.map(Self.message))]
  }

  /// Takes over what all such servers call the same: `temperature`, `top_p`, `stop`, `tools`, `response_format`.
  public mutating func apply(_ input: ChatInput) {
    if let temperature = input.temperature { members["temperature"] = .number(temperature) }
    if let topP = input.topP { members["top_p"] = .number(topP) }
    if let stop = input.stop, !stop.isEmpty { members["stop"] = .array(stop.map(JSONValue.string)) }
    if let tools = input.tools, !tools.isEmpty { members["tools"] = .array(tools.map(Self.tool)) }
    if let schema = input.schema {
      let (schema, isStrict) = AnswerSchema(schema: schema).strict
      members["response_format"] = Self.responseFormat(schema, isStrict: isStrict)
    }
  }

  /// Takes over `options`: what is `null` there is left out of the body.
  public mutating func merge(_ options: JSONObject?) {
    for (name, value) in options ?? [:] {
      if value == .null { members.removeValue(forKey: name) } else { members[name] = value }
    }
  }

  /// The body.
  public var json: JSONValue { .object(members) }

  /// How a tool is named as the one to use, where the choice is none of the words that a server knows.
  public static func choice(_ choice: String, words: Set<String>) -> JSONValue {
    words.contains(choice) ? .string(choice) : ["type": "function", "function": ["name": .string(choice)]]
  }

  /// A tool as `tools` lists it.
  public static func tool(_ tool: ChatInput.Tool) -> JSONValue {
    var function: JSONObject = [
      "name": .string(tool.name),
      "parameters": tool.parameters ?? ["type": "object", "properties": [:]],
    ]
    if let description = tool.description { function["description"] = .string(description) }
    return ["type": "function", "function": .object(function)]
  }

  /// `response_format` for an answer of a schema.
  static func responseFormat(_ schema: JSONValue, isStrict: Bool) -> JSONValue {
    [
      "type": "json_schema",
      "json_schema": ["name": .string(name(of: schema)), "schema": schema, "strict": .bool(isStrict)],
    ]
  }

  /// At most 64 of `[A-Za-z0-9_-]`, from the schema's title.
  static func name(of schema: JSONValue) -> String {
    let letters = (schema["title"]?.string ?? "").map { letter -> Character in
      letter.isASCII && (letter.isLetter || letter.isNumber) || letter == "-" ? letter : "_"
    }
    let name = String(letters.prefix(64))
    return name.contains { $0 != "_" } ? name : "answer"
  }

  private static func message(_ turn: ChatTurn) -> JSONValue {
    var members: JSONObject = ["role": .string(turn.role.rawValue), "content": .string(turn.content)]
    if !turn.images.isEmpty {
      let words: [JSONValue] = turn.content.isEmpty ? [] : [["type": "text", "text": .string(turn.content)]]
      let images = turn.images.map { url -> JSONValue in ["type": "image_url", "image_url": ["url": .string(url)]] }
      members["content"] = .array(words + images)
    }
    if !turn.toolCalls.isEmpty {
      if turn.content.isEmpty { members["content"] = .null }
      members["tool_calls"] = .array(turn.toolCalls.map(call))
    }
    if turn.role == .tool {
      members["tool_call_id"] = .string(turn.toolCallID ?? "")
      if let name = turn.toolName { members["name"] = .string(name) }
    }
    return .object(members)
  }

  private static func call(_ call: ToolCall) -> JSONValue {
    [
      "id": .string(call.id), "type": "function",
      "function": ["name": .string(call.name), "arguments": .string(call.arguments.json)],
    ]
  }
}
