public import ModelWire
public import PluginKit

/// Language models of OpenAI, and of every server that speaks as OpenAI's does: `chat`, `embed` and `transcribe`.
public struct OpenAIPlugin: CompletionPlugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "openai", version: "1.0.0",
      summary: "Language models of OpenAI and of every compatible server",
      summaryGerman: "Sprachmodelle von OpenAI und jedem kompatiblen Server",
      contracts: ["chat/1", "embed/1", "transcribe/1"],
      configuration: vendor.configuration(
        .optional(
          "organization", .string("The organization that pays, where a key belongs to several", minimumLength: 1))),
      hosts: ["api.openai.com", "{base_url}"], secrets: ["api_key"], files: [])
  }

  /// What OpenAI has of its own.
  public static let vendor: CompletionVendor = {
    var vendor = CompletionVendor(
      baseURL: "https://api.openai.com/v1", model: "gpt-4o-mini", embeddingModel: "text-embedding-3-small",
      transcriptionModel: "whisper-1", keyVariable: "OPENAI_API_KEY",
      // At most 2048 texts and 300 000 tokens to a request; a token has two bytes or more but for odd texts.
      batches: EmbeddingBatches(count: 2048, bytes: 512 << 10), times: .verboseFormat,
      isOwn: { $0 == "api.openai.com" || $0.hasSuffix(".openai.com") || $0.hasSuffix(".openai.azure.com") }
    ) { input, body, isOwn in
      if let choice = input.toolChoice {
        body.members["tool_choice"] = CompletionBody.choice(choice, words: ["auto", "none", "required"])
      }
      // The newer models of OpenAI itself know only the longer name, other servers mostly the shorter.
      if let limit = input.maxTokens {
        body.members[isOwn ? "max_completion_tokens" : "max_tokens"] = .integer(Int64(limit))
      }
      if let seed = input.seed { body.members["seed"] = .integer(Int64(seed)) }
    }
    // Other servers may read their own ids again: LiteLLM keeps signatures in them.
    vendor.toolCallID = { id, isOwn in isOwn ? ToolCallIDs.bounded(id) : id }
    vendor.streaming = ["stream_options": ["include_usage": true]]
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
