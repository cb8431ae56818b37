public import PluginKit

/// Turns many texts into vectors in requests that a service takes, and puts the vectors in the order of the texts.
public struct EmbeddingBatches: Sendable {
  /// The most texts of one request.
  let count: Int
  /// The most bytes of text of one request; a longer text goes alone.
  let bytes: Int

  /// Sets the bounds of a request.
  public init(count: Int, bytes: Int) {
    self.count = count
    self.bytes = bytes
  }

  /// The answer of a service to one batch.
  public struct Answer: Sendable {
    /// One vector for each text, in their order.
    public var vectors: [JSONValue]
    /// The model, where the service names it.
    public var model: String?
    /// The tokens that were read.
    public var tokens: Int64

    /// Creates an answer.
    public init(vectors: [JSONValue], model: String?, tokens: Int64) {
      self.vectors = vectors
      self.model = model
      self.tokens = tokens
    }
  }

  /// Asks for one batch after the other.
  ///
  /// - Returns: The output of `embed.texts`.
  /// - Throws: What `ask` throws; `protocol` where the number of vectors is not that of the texts.
  public func run(
    _ texts: [String], model: String, context: ActionContext,
    ask: ([String]) async throws(ActionError) -> Answer
  ) async throws(ActionError) -> JSONValue {
    var vectors: [JSONValue] = []
    var (named, tokens) = (model, Int64(0))
    for batch in split(texts) {
      let answer = try await ask(Array(batch))
      guard answer.vectors.count == batch.count else {
        throw ActionError(
          .protocol, "The service sent \(answer.vectors.count) vectors for \(batch.count) texts.",
          german: "Der Dienst schickte \(answer.vectors.count) Vektoren für \(batch.count) Texte.")
      }
      vectors += answer.vectors
      named = answer.model ?? named
      tokens += answer.tokens
      if texts.count > batch.count { context.progress(vectors.count, of: texts.count, "embeddings") }
    }
    return [
      "vectors": .array(vectors), "model": .string(named), "usage": ["prompt_tokens": .integer(tokens)],
    ]
  }

  func split(_ texts: [String]) -> [ArraySlice<String>] {
    var batches: [ArraySlice<String>] = []
    var (start, size) = (0, 0)
    for (index, text) in texts.enumerated() {
      let length = text.utf8.count
      if index > start, index - start >= count || size + length > bytes {
        batches.append(texts[start..<index])
        (start, size) = (index, 0)
      }
      size += length
    }
    if start < texts.count { batches.append(texts[start...]) }
    return batches
  }

  /// Reads `{model, data: [{index, embedding}], usage: {prompt_tokens}}`, in the order of the indices.
  ///
  /// - Throws: `protocol` where an index is missing, twice, or out of range, or a vector is none.
  public static func openAI(_ value: JSONValue, count: Int) throws(ActionError) -> Answer {
    var vectors = [JSONValue?](repeating: .none, count: count)
    let data = value["data"]?.array ?? []
    for (place, element) in data.enumerated() {
      guard let index = Int(exactly: element["index"]?.integer ?? Int64(place)), vectors.indices.contains(index),
        vectors[index] == .none, let vector = element["embedding"], isVector(vector)
      else { throw malformed }
      vectors[index] = .some(vector)
    }
    let complete = vectors.compactMap { $0 }
    guard complete.count == count else { throw malformed }
    return Answer(
      vectors: complete, model: value["model"]?.string,
      tokens: TokenUsage.count(value["usage"]?["prompt_tokens"]) ?? 0)
  }

  /// Whether a value is a list of numbers.
  public static func isVector(_ value: JSONValue) -> Bool {
    guard let numbers = value.array, !numbers.isEmpty else { return false }
    return numbers.allSatisfy {
      switch $0 {
      case .integer, .number: true
      default: false
      }
    }
  }

  private static var malformed: ActionError {
    ActionError(
      .protocol, "The service did not send one vector for each text.",
      german: "Der Dienst schickte nicht einen Vektor für jeden Text.")
  }
}
