import ModelWire
public import PluginKit

/// Language models of OpenAI, and of every server that speaks as OpenAI's does: `chat`, `embed` and `transcribe`.
public struct OpenAIPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "openai", version: "1.0.0",
      summary: "Language models of OpenAI and of every compatible server",
      summaryGerman: "Sprachmodelle von OpenAI und jedem kompatiblen Server",
      contracts: ["chat/1", "embed/1", "transcribe/1"], configuration: OpenAIConfiguration.schema,
      hosts: ["api.openai.com", "{base_url}"],
      secrets: ["api_key"])
  }

  let configuration: OpenAIConfiguration
  let service: ModelService

  /// Reads the settings; touches no network.
  ///
  /// - Throws: `invalid_input` where `base_url` is no URL.
  public init(configuration: OpenAIConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    var headers = HTTPHeaders()
    if let key = configuration.apiKey { headers.add("authorization", "Bearer \(key)") }
    if let organization = configuration.organization { headers.add("openai-organization", organization) }
    service = try ModelService(
      baseURL: configuration.baseURL ?? OpenAIConfiguration.defaultURL, headers: headers, provider: context.provider,
      secrets: [configuration.apiKey].compactMap { $0 }, timeout: configuration.timeout)
  }

  /// What the plugin can do.
  public static var actions: ActionList<OpenAIPlugin> {
    Action(
      "chat.complete", effect: .read, costly: true, summary: "Answers a prompt", input: ChatInput.self,
      output: JSONValue.self
    ) { plugin, input, context in try await plugin.complete(input, context) }
    Action(
      "chat.models", effect: .read, summary: "Lists the models", input: NoConfiguration.self, output: JSONValue.self
    ) { plugin, _, context in
      try plugin.requireKey()
      return try await ModelList.ask(plugin.service, context: context)
    }
    Action(
      "embed.texts", effect: .read, costly: true, summary: "Turns texts into vectors", input: EmbeddingInput.self,
      output: JSONValue.self
    ) { plugin, input, context in try await plugin.embed(input, context) }
    Action(
      "transcribe.audio", effect: .read, costly: true, summary: "Writes down what is said in a recording",
      input: TranscriptionInput.self, output: JSONValue.self
    ) { plugin, input, context in
      try plugin.requireKey()
      let model =
        input.model ?? plugin.configuration.transcriptionModel ?? OpenAIConfiguration.defaultTranscriptionModel
      return try await Transcription(service: plugin.service, times: .verboseFormat)
        .run(input, model: model, context: context)
    }
  }
}
