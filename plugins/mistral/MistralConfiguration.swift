import PluginKit

/// What stands beside `plugin: mistral` in sous.yaml.
public struct MistralConfiguration: Decodable, Sendable {
  static let defaultURL = "https://api.mistral.ai/v1"
  static let defaultModel = "mistral-small-latest"
  static let defaultEmbeddingModel = "mistral-embed"
  static let defaultTranscriptionModel = "voxtral-mini-latest"

  var apiKey: String?
  var baseURL: String?
  var model: String?
  var embeddingModel: String?
  var transcriptionModel: String?
  var timeout: Double?

  static let schema = JSONSchema.object(
    .optional("api_key", .string("The key", minimumLength: 1)),
    .optional("base_url", .string("The API, ending in /v1", minimumLength: 1, default: defaultURL)),
    .optional("model", .string("The model that answers", minimumLength: 1, default: defaultModel)),
    .optional(
      "embedding_model", .string("The model of embed.texts", minimumLength: 1, default: defaultEmbeddingModel)),
    .optional(
      "transcription_model",
      .string("The model of transcribe.audio", minimumLength: 1, default: defaultTranscriptionModel)),
    .optional(
      "timeout", .number("Seconds of silence after which a request is given up", minimum: 1, maximum: 86_400)))
}
