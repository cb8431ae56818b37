public import ModelWire
public import PluginKit

/// Language models of Mistral: `chat`, `embed` and `transcribe`.
public struct MistralPlugin: CompletionPlugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "mistral", version: "1.0.0", summary: "Language models of Mistral",
      summaryGerman: "Sprachmodelle von Mistral", contracts: ["chat/1", "embed/1", "transcribe/1"],
      configuration: vendor.configuration(), hosts: ["api.mistral.ai", "{base_url}"], secrets: ["api_key"], files: [])
  }

  /// What Mistral has of its own. It takes no `stream_options`, and tells the usage without.
  public static let vendor: CompletionVendor = {
    var vendor = CompletionVendor(
      baseURL: "https://api.mistral.ai/v1", model: "mistral-small-latest", embeddingModel: "mistral-embed",
      transcriptionModel: "voxtral-mini-latest", keyVariable: "MISTRAL_API_KEY",
      // Well below the 16 384 tokens that the service takes at once.
      batches: EmbeddingBatches(count: 128, bytes: 32 << 10), times: .granularities,
      isOwn: { $0 == "api.mistral.ai" }
    ) { input, body, _ in
      // `required` is `any` here; both are taken, the older word by older servers too.
      if let choice = input.toolChoice {
        body.members["tool_choice"] =
          choice == "required" ? "any" : CompletionBody.choice(choice, words: ["auto", "none", "any"])
      }
      if let limit = input.maxTokens { body.members["max_tokens"] = .integer(Int64(limit)) }
      if let seed = input.seed { body.members["random_seed"] = .integer(Int64(seed)) }
      body.continueLastTurn()
    }
    // It refuses ids of another form, and so those of other providers.
    vendor.toolCallID = { id, _ in ToolCallIDs.short(id) }
    vendor.dimensions = "output_dimension"
    return vendor
  }()

  /// The settings.
  public let configuration: CompletionConfiguration
  /// The service.
  public let service: ModelService
  /// The forms of requests that the service has accepted.
  public let forms = RequestForms()

  /// Reads the settings; touches no network.
  ///
  /// - Throws: `invalid_input` where `base_url` is no URL.
  public init(configuration: CompletionConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    service = try Self.service(configuration, context)
  }
}

extension CompletionBody {
  /// Has an answer gone on with that the conversation has already begun.
  fileprivate mutating func continueLastTurn() {
    guard case .array(var messages)? = members["messages"], case .object(var last)? = messages.last,
      last["role"] == "assistant", last["tool_calls"] == nil
    else { return }
    last["prefix"] = true
    messages[messages.count - 1] = .object(last)
    members["messages"] = .array(messages)
  }
}
