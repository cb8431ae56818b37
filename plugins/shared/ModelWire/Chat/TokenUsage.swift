public import PluginKit

/// The usage of an answer, in tokens.
public struct TokenUsage: Sendable, Hashable {
  /// Input tokens.
  public var prompt: Int64 = 0
  /// Output tokens.
  public var completion: Int64 = 0
  /// How much of the prompt came from a cache.
  public var cached: Int64?
  /// How much of what was written is thought.
  public var reasoning: Int64?

  /// Creates a usage of nothing.
  public init() {}

  /// Reads `{prompt_tokens, completion_tokens, prompt_tokens_details?, completion_tokens_details?}`; `nil` for what is not a
  /// such object.
  public init?(openAI value: JSONValue?) {
    guard let value, case .object = value else { return nil }
    prompt = Self.count(value["prompt_tokens"]) ?? 0
    completion = Self.count(value["completion_tokens"]) ?? 0
    cached = Self.count(value["prompt_tokens_details"]?["cached_tokens"])
    reasoning = Self.count(value["completion_tokens_details"]?["reasoning_tokens"])
  }

  /// An upper bound, far above any call: sums of larger numbers could overflow.
  private static let most: Int64 = 1_000_000_000_000_000

  /// A token count: `nil` if the value is not a number, 0 if it is negative.
  public static func count(_ value: JSONValue?) -> Int64? {
    switch value {
    case .integer(let number): max(0, min(most, number))
    case .number(let number): number.isFinite && number < 1e15 ? Int64(max(0, number)) : nil
    default: nil
    }
  }

  /// The usage as the contract shows it.
  public var json: JSONValue {
    var members: JSONObject = ["prompt_tokens": .integer(prompt), "completion_tokens": .integer(completion)]
    if let cached { members["cached_tokens"] = .integer(cached) }
    if let reasoning { members["reasoning_tokens"] = .integer(reasoning) }
    return .object(members)
  }
}

extension ActionError {
  /// The error with what the answer has used that cannot be taken, where the service has counted it.
  func paid(_ usage: TokenUsage) -> ActionError {
    guard usage.prompt + usage.completion > 0 else { return self }
    var error = self
    error.usage = usage.json
    return error
  }
}
