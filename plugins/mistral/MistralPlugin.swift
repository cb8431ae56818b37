import ModelWire
public import PluginKit

/// Language models of Mistral: `chat`, `embed` and `transcribe`.
public struct MistralPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "mistral", version: "1.0.0", summary: "Language models of Mistral",
      summaryGerman: "Sprachmodelle von Mistral",
      contracts: ["chat/1", "embed/1", "transcribe/1"], configuration: MistralConfiguration.schema,
      hosts: ["api.mistral.ai", "{base_url}"], secrets: ["api_key"])
  }

  let configuration: MistralConfiguration
  let service: ModelService

  /// Reads the settings; touches no network.
  ///
  /// - Throws: `invalid_input` where `base_url` is no URL.
  public init(configuration: MistralConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    var headers = HTTPHeaders()
    if let key = configuration.apiKey { headers.add("authorization", "Bearer \(key)") }
    service = try ModelService(
      baseURL: configuration.baseURL ?? MistralConfiguration.defaultURL, headers: headers, provider: context.provider,
      secrets: [configuration.apiKey].compactMap { $0 }, timeout: configuration.timeout)
  }

  /// What the plugin can do.
  public static var actions: ActionList<MistralPlugin> {
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
        input.model ?? plugin.configuration.transcriptionModel ?? MistralConfiguration.defaultTranscriptionModel
      return try await Transcription(service: plugin.service, times: .granularities)
        .run(input, model: model, context: context)
    }
  }

  /// - Throws: `auth` where Mistral itself is asked without a key: it would only refuse.
  func requireKey() throws(ActionError) {
    guard service.host.lowercased() == "api.mistral.ai", configuration.apiKey == nil else { return }
    throw ActionError(
      .auth, "The provider '\(service.provider)' has no key for \(service.host).",
      german: "Der Provider „\(service.provider)“ hat keinen Schlüssel für \(service.host).",
      advice: "Set 'api_key: { secret: MISTRAL_API_KEY }' in sous.yaml and the variable to the key.",
      adviceGerman: "In sous.yaml „api_key: { secret: MISTRAL_API_KEY }“ und die Variable auf den Schlüssel setzen.")
  }
}
