import ModelWire
import PluginKit

extension MistralPlugin {
  func complete(_ input: ChatInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try requireKey()
    let model = input.model ?? configuration.model ?? MistralConfiguration.defaultModel
    var body = CompletionBody(model: model, turns: try await input.turns.withPictureURLs(context))
    body.apply(input)
    // `required` is `any` here; both are taken, the older word by older servers too.
    if let choice = input.toolChoice {
      body.members["tool_choice"] =
        choice == "required" ? "any" : CompletionBody.choice(choice, words: ["auto", "none", "any"])
    }
    if let limit = input.maxTokens { body.members["max_tokens"] = .integer(Int64(limit)) }
    if let seed = input.seed { body.members["random_seed"] = .integer(Int64(seed)) }
    // An answer that the conversation has already begun is gone on with.
    if case .array(var messages)? = body.members["messages"], case .object(var last)? = messages.last,
      last["role"] == "assistant", last["tool_calls"] == nil
    {
      last["prefix"] = true
      messages[messages.count - 1] = .object(last)
      body.members["messages"] = .array(messages)
    }
    // No `stream_options`: the service refuses what it does not know, and tells the usage without.
    if context.wantsDeltas { body.members["stream"] = true }
    body.merge(input.options)
    let response = try await service.send("/chat/completions", body.json, model: model, context: context)
    let answer = try await CompletionReader(service: service, model: model, context: context).read(response)
    return try answer.output(schema: input.schema, model: model)
  }

  /// Well below the 16 384 tokens that the service takes at once.
  private static let batches = EmbeddingBatches(count: 128, bytes: 32 << 10)

  func embed(_ input: EmbeddingInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try requireKey()
    let model = input.model ?? configuration.embeddingModel ?? MistralConfiguration.defaultEmbeddingModel
    return try await Self.batches.run(input.texts, model: model, context: context) { texts throws(ActionError) in
      var body: JSONObject = ["model": .string(model), "input": .array(texts.map(JSONValue.string))]
      if let dimensions = input.dimensions { body["output_dimension"] = .integer(Int64(dimensions)) }
      let response = try await service.send("/embeddings", .object(body), model: model, context: context)
      return try EmbeddingBatches.openAI(try await service.json(response, model: model), count: texts.count)
    }
  }
}
