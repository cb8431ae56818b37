public import Expressions

/// Why a service ended an answer before it was complete.
public enum AnswerCut: Sendable {
  /// The limit of the answer's length, or of the model's context, was reached.
  case length
  /// The service's content filter removed the rest.
  case filter

  /// Reads `finish_reason` of an output of `chat.complete`; `nil` for an answer that ended by itself.
  ///
  /// The contract's words are `length` and `content_filter`. The words of Mistral, Anthropic, Google, DeepSeek and Zhipu count
  /// too, because some providers and proxies pass them on.
  public init?(_ reason: Value?) {
    switch reason?.stringValue?.lowercased() {
    case "length", "model_length", "max_tokens", "max_output_tokens", "max_length", "model_context_window_exceeded",
      "context_length_exceeded", "insufficient_system_resource", "incomplete", "truncated":
      self = .length
    case "content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "spii",
      "sensitive":
      self = .filter
    default: return nil
    }
  }
}
