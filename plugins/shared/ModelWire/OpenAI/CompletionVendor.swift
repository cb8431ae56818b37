public import PluginKit

/// A service that speaks as OpenAI does, and what it has of its own: names, defaults, bounds.
public struct CompletionVendor: Sendable {
  /// Where its API is.
  public var baseURL: String
  /// The model of `chat.complete`, unless a setting or an input names one.
  public var model: String
  /// The model of `embed.texts`, likewise.
  public var embeddingModel: String
  /// The model of `transcribe.audio`, likewise.
  public var transcriptionModel: String
  /// The variable that mostly holds the key, for advice.
  public var keyVariable: String
  /// Whether a host is the vendor's own, in lower case; without a key it would only refuse.
  public var isOwn: @Sendable (_ host: String) -> Bool
  /// Writes into a request what the vendor calls otherwise than all: choice of tools, length, seed.
  public var complete: @Sendable (_ input: ChatInput, _ body: inout CompletionBody, _ isOwn: Bool) -> Void
  /// The fields of a streamed request beside `stream`.
  public var streaming: JSONObject = [:]
  /// The vendor's name for the length of vectors.
  public var dimensions = "dimensions"
  /// The id of a call of a tool as the vendor accepts it; `isOwn` as in `complete`.
  public var toolCallID: @Sendable (_ id: String, _ isOwn: Bool) -> String = { id, _ in id }
  /// How many texts go into one request for vectors.
  public var batches: EmbeddingBatches
  /// How it wants to be asked for times in a transcription.
  public var times: Transcription.Times

  /// Describes a vendor.
  public init(
    baseURL: String, model: String, embeddingModel: String, transcriptionModel: String, keyVariable: String,
    batches: EmbeddingBatches, times: Transcription.Times, isOwn: @escaping @Sendable (_ host: String) -> Bool,
    complete: @escaping @Sendable (_ input: ChatInput, _ body: inout CompletionBody, _ isOwn: Bool) -> Void
  ) {
    self.baseURL = baseURL
    self.model = model
    self.embeddingModel = embeddingModel
    self.transcriptionModel = transcriptionModel
    self.keyVariable = keyVariable
    self.batches = batches
    self.times = times
    self.isOwn = isOwn
    self.complete = complete
  }
}

/// The settings beside `plugin:` in sous.yaml for a service that speaks as OpenAI does.
public struct CompletionConfiguration: Decodable, Sendable {
  /// The key.
  public var apiKey: String?
  /// Where the API is; the vendor's own without it.
  public var baseURL: String?
  /// The model of `chat.complete`.
  public var model: String?
  /// The model of `embed.texts`.
  public var embeddingModel: String?
  /// The model of `transcribe.audio`.
  public var transcriptionModel: String?
  /// The organization that pays.
  public var organization: String?
  /// Seconds of silence after which a request is given up.
  public var timeout: Double?
}

extension CompletionVendor {
  /// The schema of the settings.
  ///
  /// - Parameter more: Settings of this vendor alone.
  public func configuration(_ more: JSONSchema.Property...) -> JSONSchema {
    .object(
      [
        .optional("api_key", .string("The key; servers of your own may need none", minimumLength: 1)),
        .optional("base_url", .string("The API, mostly ending in /v1", minimumLength: 1, default: baseURL)),
        .optional("model", .string("The model that answers", minimumLength: 1, default: model)),
        .optional(
          "embedding_model", .string("The model of embed.texts", minimumLength: 1, default: embeddingModel)),
        .optional(
          "transcription_model",
          .string("The model of transcribe.audio", minimumLength: 1, default: transcriptionModel)),
      ] + more + [
        .optional(
          "timeout", .number("Seconds of silence after which a request is given up", minimum: 1, maximum: 86_400))
      ])
  }
}
