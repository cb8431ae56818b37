import PluginKit

/// What stands beside `plugin: openai` in sous.yaml.
public struct OpenAIConfiguration: Decodable, Sendable {
  /// Where requests go unless a setting says otherwise.
  static let defaultURL = "https://api.openai.com/v1"
  static let defaultModel = "gpt-4o-mini"
  static let defaultEmbeddingModel = "text-embedding-3-small"
  static let defaultTranscriptionModel = "whisper-1"

  var apiKey: String?
  var baseURL: String?
  var model: String?
  var embeddingModel: String?
  var transcriptionModel: String?
  var organization: String?
  var timeout: Double?

  static let schema = JSONSchema.object(
    .optional("api_key", .string("The key; servers of your own may need none", minimumLength: 1)),
    .optional("base_url", .string("The API, mostly ending in /v1", minimumLength: 1, default: defaultURL)),
    .optional("model", .string("The model that answers", minimumLength: 1, default: defaultModel)),
    .optional(
      "embedding_model", .string("The model of embed.texts", minimumLength: 1, default: defaultEmbeddingModel)),
    .optional(
      "transcription_model",
      .string("The model of transcribe.audio", minimumLength: 1, default: defaultTranscriptionModel)),
    .optional("organization", .string("The organization that pays, where a key belongs to several", minimumLength: 1)),
    .optional(
      "timeout", .number("Seconds of silence after which a request is given up", minimum: 1, maximum: 86_400)))
}
