import ModelWire
import PluginKit

extension OpenAIPlugin {
  /// Whether the service is OpenAI itself, whose newer models know `max_completion_tokens` alone.
  private var isOpenAI: Bool {
    let host = service.host.lowercased()
    return host == "api.openai.com" || host.hasSuffix(".openai.com") || host.hasSuffix(".openai.azure.com")
  }

  func complete(_ input: ChatInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try requireKey()
    let model = input.model ?? configuration.model ?? OpenAIConfiguration.defaultModel
    var body = CompletionBody(model: model, turns: try await input.turns.withPictureURLs(context))
    body.apply(input)
    if let choice = input.toolChoice {
      body.members["tool_choice"] = CompletionBody.choice(choice, words: ["auto", "none", "required"])
    }
    if let limit = input.maxTokens {
      body.members[isOpenAI ? "max_completion_tokens" : "max_tokens"] = .integer(Int64(limit))
    }
    if let seed = input.seed { body.members["seed"] = .integer(Int64(seed)) }
    if context.wantsDeltas {
      body.members["stream"] = true
      body.members["stream_options"] = ["include_usage": true]
    }
    body.merge(input.options)
    let response = try await service.send("/chat/completions", body.json, model: model, context: context)
    let answer = try await CompletionReader(service: service, model: model, context: context).read(response)
    return try answer.output(schema: input.schema, model: model)
  }

  /// - Throws: `auth` where OpenAI itself is asked without a key: it would only refuse.
  func requireKey() throws(ActionError) {
    guard isOpenAI, configuration.apiKey == nil else { return }
    throw ActionError(
      .auth, "The provider '\(service.provider)' has no key for \(service.host).",
      german: "Der Provider „\(service.provider)“ hat keinen Schlüssel für \(service.host).",
      advice: "Set 'api_key: { secret: OPENAI_API_KEY }' in sous.yaml and the variable to the key.",
      adviceGerman: "In sous.yaml „api_key: { secret: OPENAI_API_KEY }“ und die Variable auf den Schlüssel setzen.")
  }
}
