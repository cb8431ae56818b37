import PluginKit

/// What stands beside `plugin: ollama` in sous.yaml.
public struct OllamaConfiguration: Decodable, Sendable {
  static let defaultURL = "http://localhost:11434"
  static let defaultModel = "llama3:8b"
  static let defaultEmbeddingModel = "nomic-embed-text"
  static let defaultContext = 8192

  var apiKey: String?
  var baseURL: String?
  var model: String?
  var embeddingModel: String?
  var numCtx: Int?
  var keepAlive: JSONValue?
  var timeout: Double?

  static let schema = JSONSchema.object(
    .optional("base_url", .string("Where the server is", minimumLength: 1, default: defaultURL)),
    .optional("model", .string("The model that answers", minimumLength: 1, default: defaultModel)),
    .optional(
      "embedding_model", .string("The model of embed.texts", minimumLength: 1, default: defaultEmbeddingModel)),
    .optional(
      "num_ctx",
      .integer(
        "Tokens that prompt and answer may have together; more takes more memory", minimum: 256, maximum: 10_000_000,
        default: defaultContext)),
    .optional(
      "keep_alive",
      .oneOf(
        .number("Seconds; negative: for ever"), .string("A duration: 10m", minimumLength: 1),
        description: "How long a model stays in memory")),
    .optional("api_key", .string("A key, where a proxy in front of the server wants one", minimumLength: 1)),
    .optional(
      "timeout", .number("Seconds of silence after which a request is given up", minimum: 1, maximum: 86_400)))
}
