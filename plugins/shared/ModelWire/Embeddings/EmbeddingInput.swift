/// The input of `embed.texts`, as the contract defines it.
public struct EmbeddingInput: Decodable, Sendable {
  /// The texts for the vectors.
  public var texts: [String]
  /// The model; `nil` for that of the settings.
  public var model: String?
  /// The length of a vector.
  public var dimensions: Int?
}
