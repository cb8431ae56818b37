import ModelWire
import PluginKit

extension OllamaPlugin {
  /// What stands in the body itself; every other option goes below `options`.
  private static let memberNames: Set<String> = [
    "format", "keep_alive", "logprobs", "raw", "shift", "stream", "suffix", "template", "think", "top_logprobs",
    "truncate",
  ]

  func complete(_ input: ChatInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let model = input.model ?? configuration.model ?? OllamaConfiguration.defaultModel
    var turns = try input.turns
    for index in turns.indices {
      var images: [String] = []
      for image in turns[index].images { images.append(try await Self.base64(image, context)) }
      turns[index].images = images
    }
    let common = body(input, model: model, context)

    var members = common
    members["messages"] = .array(turns.map(Self.message))
    if let tools = input.tools, !tools.isEmpty, input.toolChoice != "none" {
      members["tools"] = .array(try offered(tools, choice: input.toolChoice).map(CompletionBody.tool))
    }
    var response = try await send("/api/chat", .object(members), context)
    if response.status == 400 || response.status == 422, let schema = input.schema, input.options?["format"] == nil {
      let failure = await service.failure(response)
      guard failure.words?.lowercased().contains("format") ?? false else {
        throw service.error(failure, headers: response.headers, model: model, now: context.clock)
      }
      // Servers before 0.5 know "json" alone, and so get the schema in words.
      members["format"] = "json"
      let words = ChatTurn(role: .system, content: AnswerSchema(schema: schema).words)
      members["messages"] = .array(([words] + turns).map(Self.message))
      response = try await send("/api/chat", .object(members), context)
    }
    if response.status == 404 {
      let failure = await service.failure(response)
      // A server that knows the endpoint says which model is missing.
      guard !Self.isAboutModel(failure) else {
        throw service.error(failure, headers: response.headers, model: model, now: context.clock)
      }
      return try await generate(turns, common, input, model: model, context)
    }
    return try await read(response, model: model, context)
  }

  /// Asks the older endpoint, which knows one prompt and no tools.
  private func generate(
    _ turns: [ChatTurn], _ common: JSONObject, _ input: ChatInput, model: String, _ context: ActionContext
  ) async throws(ActionError) -> JSONValue {
    guard input.tools?.isEmpty ?? true else {
      throw ActionError(
        .unsupported, "\(service.host) does not know /api/chat, and so no tools.",
        german: "\(service.host) kennt /api/chat nicht und damit keine Werkzeuge.",
        advice: "Update Ollama.", adviceGerman: "Ollama aktualisieren.")
    }
    var members = common
    let system = turns.filter { $0.role == .system }.map(\.content).joined(separator: "\n\n")
    if !system.isEmpty { members["system"] = .string(system) }
    let spoken = turns.filter { $0.role != .system }
    let isOneTurn = spoken.count == 1 && spoken[0].role == .user
    members["prompt"] = .string(
      isOneTurn
        ? spoken[0].content
        : spoken.map { ($0.role == .user ? "User: " : "Assistant: ") + $0.content }.joined(separator: "\n\n")
          + "\n\nAssistant:")
    let images = spoken.flatMap(\.images)
    if !images.isEmpty { members["images"] = .array(images.map(JSONValue.string)) }
    return try await read(try await send("/api/generate", .object(members), context), model: model, context)
  }

  private func read(
    _ response: HTTPResponse, model: String, _ context: ActionContext
  ) async throws(ActionError) -> JSONValue {
    do throws(ActionError) {
      let response = try await service.checked(response, model: model, context: context)
      let answer = try await AnswerReader(service: service, model: model, context: context).read(response)
      return try answer.output(model: model)
    } catch {
      guard error.kind == .invalidInput, error.advice == nil, error.message.contains("context") else { throw error }
      var error = error
      error.advice = "Give the model a larger context ('num_ctx' of the provider or in 'options'), or a shorter input."
      error.adviceGerman =
        "Dem Modell einen größeren Kontext geben ('num_ctx' des Providers oder in 'options') oder weniger Text."
      throw error
    }
  }

  private func body(_ input: ChatInput, model: String, _ context: ActionContext) -> JSONObject {
    // Without a bound the server cuts long prompts in silence.
    var members: JSONObject = [
      "model": .string(model), "stream": .bool(context.wantsDeltas), "truncate": false,
    ]
    var options: JSONObject = [
      "num_ctx": .integer(Int64(configuration.numCtx ?? OllamaConfiguration.defaultContext))
    ]
    if let keepAlive = configuration.keepAlive { members["keep_alive"] = keepAlive }
    if let schema = input.schema { members["format"] = schema }
    if let temperature = input.temperature { options["temperature"] = .number(temperature) }
    if let topP = input.topP { options["top_p"] = .number(topP) }
    if let limit = input.maxTokens { options["num_predict"] = .integer(Int64(limit)) }
    if let seed = input.seed { options["seed"] = .integer(Int64(seed)) }
    if let stop = input.stop, !stop.isEmpty { options["stop"] = .array(stop.map(JSONValue.string)) }
    for (name, value) in input.options ?? [:] {
      if Self.memberNames.contains(name) { members[name] = value } else { options[name] = value }
    }
    members["options"] = .object(options)
    return members
  }

  /// The tools to offer: Ollama has no choice of tools, so naming one offers no other.
  private func offered(_ tools: [ChatInput.Tool], choice: String?) throws(ActionError) -> [ChatInput.Tool] {
    guard let choice, !["auto", "required"].contains(choice) else { return tools }
    let named = tools.filter { $0.name == choice }
    guard !named.isEmpty else {
      throw ActionError(
        .invalidInput, "'tool_choice' names '\(choice)', which is none of 'tools'.",
        german: "'tool_choice' nennt '\(choice)', das nicht unter 'tools' steht.")
    }
    return named
  }

  private static func isAboutModel(_ failure: ServiceFailure) -> Bool {
    failure.words?.lowercased().contains("model") ?? false
  }

  private static func base64(_ image: String, _ context: ActionContext) async throws(ActionError) -> String {
    switch try await Picture(image, context: context) {
    case .inline(let base64, _): return base64
    case .remote:
      throw ActionError(
        .invalidInput, "Ollama fetches no images: an https: URL cannot be used.",
        german: "Ollama holt keine Bilder: Eine https:-URL geht hier nicht.",
        advice: "Give the image as a blob or a data: URL.",
        adviceGerman: "Das Bild als Blob oder data:-URL angeben.")
    }
  }

  private static func message(_ turn: ChatTurn) -> JSONValue {
    var members: JSONObject = ["role": .string(turn.role.rawValue), "content": .string(turn.content)]
    if !turn.images.isEmpty { members["images"] = .array(turn.images.map(JSONValue.string)) }
    if !turn.toolCalls.isEmpty {
      members["tool_calls"] = .array(
        turn.toolCalls.map { ["function": ["name": .string($0.name), "arguments": $0.arguments]] })
    }
    if turn.role == .tool, let name = turn.toolName { members["tool_name"] = .string(name) }
    return .object(members)
  }
}
