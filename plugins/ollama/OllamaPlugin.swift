import ModelWire
public import PluginKit

/// Language models that run on a machine of one's own, served by Ollama: `chat` and `embed`.
public struct OllamaPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "ollama", version: "1.0.0", summary: "Language models of a local Ollama server",
      summaryGerman: "Sprachmodelle eines eigenen Ollama-Servers", contracts: ["chat/1", "embed/1"],
      configuration: OllamaConfiguration.schema, hosts: ["localhost", "{base_url}"], secrets: ["api_key"], files: [])
  }

  let configuration: OllamaConfiguration
  let service: ModelService

  /// Reads the settings; touches no network.
  ///
  /// - Throws: `invalid_input` where `base_url` is no URL.
  public init(configuration: OllamaConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    var headers: HTTPHeaders = ["accept": "application/x-ndjson, application/json"]
    if let key = configuration.apiKey { headers.add("authorization", "Bearer \(key)") }
    var url = configuration.baseURL ?? OllamaConfiguration.defaultURL
    while url.hasSuffix("/") { url.removeLast() }
    // Users of other clients write the address with it.
    if url.hasSuffix("/api") { url.removeLast(4) }
    var service = try ModelService(
      baseURL: url, headers: headers, provider: context.provider, secrets: [configuration.apiKey].compactMap { $0 },
      timeout: configuration.timeout)
    service.adviceForUnknownModel = { model in
      (
        "Fetch it with `ollama pull \(model)`; `sous models --provider \(context.provider)` lists those that are there.",
        "Mit `ollama pull \(model)` holen; `sous models --provider \(context.provider)` nennt die vorhandenen."
      )
    }
    self.service = service
  }

  /// What the plugin can do.
  public static var actions: ActionList<OllamaPlugin> {
    Action(
      "chat.complete", effect: .read, costly: true, native: ["schema", "tools", "images"], summary: "Answers a prompt",
      summaryGerman: "Beantwortet einen Prompt",
      input: ChatInput.self,
      output: JSONValue.self
    ) { plugin, input, context in try await plugin.complete(input, context) }
    Action(
      "chat.models", effect: .read, summary: "Lists the models", summaryGerman: "Listet die Modelle auf",
      input: NoConfiguration.self, output: JSONValue.self
    ) { plugin, _, context in try await plugin.models(context) }
    Action(
      "embed.texts", effect: .read, costly: true, summary: "Turns texts into vectors",
      summaryGerman: "Macht aus Texten Vektoren", input: EmbeddingInput.self,
      output: JSONValue.self
    ) { plugin, input, context in try await plugin.embed(input, context) }
  }

  /// Sends a request; says what to do where no server is there.
  func send(_ path: String, _ body: JSONValue?, _ context: ActionContext) async throws(ActionError) -> HTTPResponse {
    do throws(ActionError) {
      return try await context.http.send(try service.request(path, body))
    } catch {
      guard error.kind == .refused else { throw error }
      var error = error
      error.advice = "Start the server with `ollama serve`, or set 'base_url' in sous.yaml to where it runs."
      error.adviceGerman = "Den Server mit `ollama serve` starten oder 'base_url' in sous.yaml auf seinen Ort setzen."
      throw error
    }
  }

  private func models(_ context: ActionContext) async throws(ActionError) -> JSONValue {
    let response = try await service.checked(
      try await send("/api/tags", nil, context), model: nil, context: context)
    guard let models = try await service.json(response, model: nil)["models"]?.array else {
      throw ActionError(
        .parse, "\(service.host) sent no list of models.", german: "\(service.host) schickte keine Liste von Modellen.")
    }
    return ModelList.output(
      models.compactMap { model in
        guard let id = model["name"]?.string ?? model["model"]?.string, !id.isEmpty else { return nil }
        var members: JSONObject = ["id": .string(id)]
        if let size = TokenUsage.count(model["size"]) { members["size"] = .integer(size) }
        if let names = model["capabilities"]?.array {
          members["capabilities"] = .array(names.filter { $0.string != nil })
        }
        if let family = model["details"]?["family"]?.string, !family.isEmpty { members["family"] = .string(family) }
        if let parameters = model["details"]?["parameter_size"]?.string, !parameters.isEmpty {
          members["parameters"] = .string(parameters)
        }
        return members
      })
  }

  private func embed(_ input: EmbeddingInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let model = input.model ?? configuration.embeddingModel ?? OllamaConfiguration.defaultEmbeddingModel
    let batches = EmbeddingBatches(count: 256, bytes: 512 << 10)
    return try await batches.run(input.texts, model: model, context: context) { texts throws(ActionError) in
      var body: JSONObject = [
        "model": .string(model), "input": .array(texts.map(JSONValue.string)), "truncate": false,
      ]
      if let dimensions = input.dimensions { body["dimensions"] = .integer(Int64(dimensions)) }
      if let keepAlive = configuration.keepAlive { body["keep_alive"] = keepAlive }
      let response = try await service.checked(
        try await send("/api/embed", .object(body), context), model: model, context: context)
      let value = try await service.json(response, model: model)
      let vectors = value["embeddings"]?.array ?? []
      guard vectors.allSatisfy(EmbeddingBatches.isVector) else {
        throw ActionError(
          .protocol, "\(service.host) sent a vector that is none.",
          german: "\(service.host) schickte einen Vektor, der keiner ist.")
      }
      return EmbeddingBatches.Answer(
        vectors: vectors, model: value["model"]?.string, tokens: TokenUsage.count(value["prompt_eval_count"]) ?? 0)
    }
  }
}
