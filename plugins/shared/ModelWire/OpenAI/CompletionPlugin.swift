public import PluginKit

/// A plugin for a service that speaks as OpenAI does: `chat`, `embed` and `transcribe`, but for what its vendor has of
/// its own.
public protocol CompletionPlugin: Plugin where Configuration == CompletionConfiguration {
  /// The specifics of the service.
  static var vendor: CompletionVendor { get }
  /// The settings.
  var configuration: CompletionConfiguration { get }
  /// The service.
  var service: ModelService { get }
  /// The forms of requests that the service has accepted.
  var forms: RequestForms { get }
}

extension CompletionPlugin {
  /// The contracts of the plugin.
  @ActionListBuilder<Self> public static var actions: ActionList<Self> {
    Action(
      "chat.complete", effect: .read, costly: true, native: ["schema", "tools", "images"], summary: "Answers a prompt",
      summaryGerman: "Beantwortet einen Prompt",
      input: ChatInput.self,
      output: JSONValue.self
    ) { plugin, input, context in try await plugin.complete(input, context) }
    Action(
      "chat.models", effect: .read, summary: "Lists the models", summaryGerman: "Listet die Modelle auf",
      input: NoConfiguration.self, output: JSONValue.self
    ) { plugin, _, context in
      try plugin.requireKey()
      return try await ModelList.ask(plugin.service, context: context)
    }
    Action(
      "embed.texts", effect: .read, costly: true, summary: "Turns texts into vectors",
      summaryGerman: "Macht aus Texten Vektoren", input: EmbeddingInput.self,
      output: JSONValue.self
    ) { plugin, input, context in try await plugin.embed(input, context) }
    Action(
      "transcribe.audio", effect: .read, costly: true, summary: "Writes down what is said in a recording",
      summaryGerman: "Schreibt den Text einer Aufnahme auf",
      input: TranscriptionInput.self, output: JSONValue.self
    ) { plugin, input, context in
      try plugin.requireKey()
      let model = input.model ?? plugin.configuration.transcriptionModel ?? vendor.transcriptionModel
      return try await Transcription(service: plugin.service, times: vendor.times)
        .run(input, model: model, context: context)
    }
  }

  /// The service that the settings describe.
  ///
  /// - Throws: `invalid_input` where `base_url` is not a URL.
  public static func service(
    _ configuration: CompletionConfiguration, _ context: PluginContext
  ) throws(ActionError) -> ModelService {
    var headers = HTTPHeaders()
    if let key = configuration.apiKey { headers.add("authorization", "Bearer \(key)") }
    if let organization = configuration.organization { headers.add("openai-organization", organization) }
    return try ModelService(
      baseURL: configuration.baseURL ?? vendor.baseURL, headers: headers, provider: context.provider,
      secrets: [configuration.apiKey].compactMap { $0 }, timeout: configuration.timeout)
  }

  private var isOwn: Bool { Self.vendor.isOwn(service.host.lowercased()) }

  /// - Throws: `auth` where the vendor itself is asked without a key: it would only refuse.
  private func requireKey() throws(ActionError) {
    guard isOwn, configuration.apiKey == nil else { return }
    let variable = Self.vendor.keyVariable
    throw ActionError(
      .auth, "The provider '\(service.provider)' has no key for \(service.host).",
      german: "Der Provider '\(service.provider)' hat keinen Schlüssel für \(service.host).",
      advice: "Set 'api_key: { secret: \(variable) }' in sous.yaml and the variable to the key.",
      adviceGerman: "In sous.yaml 'api_key: { secret: \(variable) }' und die Variable auf den Schlüssel setzen.")
  }

  private func complete(_ input: ChatInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try requireKey()
    let model = input.model ?? configuration.model ?? Self.vendor.model
    let turns = try await input.turns.withPictureURLs(context)
    let known = await forms.form(of: model, at: service.baseURL, context)
    var form = known
    while true {
      let body = body(input, turns, model, form, context)
      let response = try await context.http.send(try service.request("/chat/completions", body.json))
      guard response.isSuccess else {
        let failure = await service.failure(response)
        guard let change = form.learn(from: failure, body: body.members, options: input.options) else {
          throw service.error(failure, headers: response.headers, model: model, now: context.clock)
        }
        context.log(
          change.contains("temperature") || change.contains("top_p") ? .warning : .info,
          "\(service.host) refused the request for '\(model)'; it is sent again with \(change)")
        continue
      }
      let answer = try await CompletionReader(service: service, model: model, context: context).read(response)
      if form != known { await forms.keep(form, of: model, at: service.baseURL, context) }
      return try answer.output(model: model)
    }
  }

  private func body(
    _ input: ChatInput, _ turns: [ChatTurn], _ model: String, _ form: RequestForm, _ context: ActionContext
  ) -> CompletionBody {
    let turns = ToolCallIDs.mapped(turns) { id in
      form.shortensIDs ? ToolCallIDs.short(id) : Self.vendor.toolCallID(id, isOwn)
    }
    var body = CompletionBody(model: model, turns: turns)
    body.apply(input)
    Self.vendor.complete(input, &body, isOwn)
    if context.wantsDeltas {
      body.members["stream"] = true
      body.merge(Self.vendor.streaming)
    }
    form.apply(to: &body, input)
    body.merge(input.options)
    return body
  }

  private func embed(_ input: EmbeddingInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try requireKey()
    let model = input.model ?? configuration.embeddingModel ?? Self.vendor.embeddingModel
    return try await Self.vendor.batches.run(input.texts, model: model, context: context) { texts throws(ActionError) in
      var body: JSONObject = ["model": .string(model), "input": .array(texts.map(JSONValue.string))]
      if let dimensions = input.dimensions { body[Self.vendor.dimensions] = .integer(Int64(dimensions)) }
      let response = try await service.send("/embeddings", .object(body), model: model, context: context)
      return try EmbeddingBatches.openAI(try await service.json(response, model: model), count: texts.count)
    }
  }
}
