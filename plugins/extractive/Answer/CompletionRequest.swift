import PluginKit

/// The input of `chat.complete`, as far as a plugin without a model can use it.
///
/// Input for models (`prompt`, `messages`, `system`, `model`, `temperature`, `seed`, `stop`) is accepted and has no effect, so
/// that this plugin can be used at the end of a list of providers. An answer is never cut from it.
struct CompletionRequest: Decodable, Sendable {
  /// The kind of work.
  var task: String?
  /// The text to work on.
  var input: String?
  /// JSON Schema of the answer.
  var schema: JSONValue?
  /// Bounds the summary, four characters to a token.
  var maxTokens: Int?

  /// The text to work on, or nil if there is none or only space.
  var subject: String? {
    guard let input, input.contains(where: { !$0.isWhitespace }) else { return nil }
    return input
  }
}
