import PluginKit

/// The input of `chat.complete`, as far as a plugin without a model can use it.
///
/// What steers a model (`system`, `model`, `temperature`, `seed`, `stop`) is accepted and has no effect, so that this
/// plugin can stand at the end of a list of providers.
struct CompletionRequest: Decodable, Sendable {
  /// One turn of a conversation.
  struct Turn: Decodable, Sendable {
    /// `system`, `user` or `assistant`.
    var role: String
    /// What was said.
    var content: String
  }

  /// The instruction; the text itself where there is neither `input` nor a message of the user.
  var prompt: String?
  /// The text to work on.
  var input: String?
  /// A conversation; its last user turn is the text.
  var messages: [Turn]?
  /// JSON Schema of the answer.
  var schema: JSONValue?
  /// Bounds the summary, four characters to a token.
  var maxTokens: Int?

  /// The text to work on, or nil where there is none or only space.
  var subject: String? {
    let candidates = [input, messages?.last { $0.role == "user" }?.content, prompt]
    guard let first = candidates.lazy.compactMap({ $0 }).first else { return nil }
    return first.contains { !$0.isWhitespace } ? first : nil
  }
}
