import ModelWire
import PluginKit

extension OpenAIPlugin {
  /// At most 2048 texts and 300 000 tokens to a request; a token has two bytes or more but for odd texts.
  private static let batches = EmbeddingBatches(count: 2048, bytes: 512 << 10)

  func embed(_ input: EmbeddingInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try requireKey()
    let model = input.model ?? configuration.embeddingModel ?? OpenAIConfiguration.defaultEmbeddingModel
    return try await Self.batches.run(input.texts, model: model, context: context) { texts throws(ActionError) in
      var body: JSONObject = ["model": .string(model), "input": .array(texts.map(JSONValue.string))]
      if let dimensions = input.dimensions { body["dimensions"] = .integer(Int64(dimensions)) }
      let response = try await service.send("/embeddings", .object(body), model: model, context: context)
      return try EmbeddingBatches.openAI(try await service.json(response, model: model), count: texts.count)
    }
  }
}
