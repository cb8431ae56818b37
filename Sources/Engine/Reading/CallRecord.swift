public import Expressions

/// One call of a model as the run log knows it.
public struct CallRecord: Sendable {
  /// When it began.
  public var at: Timestamp
  /// The step that made it; `nil` outside of runs.
  public var step: String?
  /// The item of the step.
  public var item: Int?
  /// The attempt of the step.
  public var attempt: Int?
  /// The action: `chat.complete`.
  public var action: String
  /// The provider's configured name.
  public var provider: String
  /// The model that answered, or that was asked; empty where nobody says.
  public var model: String
  /// How it has ended.
  public var state: CallUsage.State
  /// What sort of failure it was.
  public var failure: ActionFailure.Kind?
  /// What it has used, as far as that is known.
  public var tokens: TokenCount
  /// What that costs; `nil` where no price was known.
  public var cost: Double?
  /// Seconds until its end.
  public var duration: Double?
  /// Seconds until the first piece of the answer.
  public var firstPiece: Double?

  package init(
    at: Timestamp, step: String?, item: Int?, attempt: Int?, action: String, provider: String, model: String,
    state: CallUsage.State, failure: ActionFailure.Kind?, tokens: TokenCount, cost: Double?, duration: Double?,
    firstPiece: Double?
  ) {
    self.at = at
    self.step = step
    self.item = item
    self.attempt = attempt
    self.action = action
    self.provider = provider
    self.model = model
    self.state = state
    self.failure = failure
    self.tokens = tokens
    self.cost = cost
    self.duration = duration
    self.firstPiece = firstPiece
  }

  /// The call for `sous show --json`: `{at, step, item, attempt, action, provider, model, state, failure, prompt_tokens,
  /// cached_tokens, completion_tokens, reasoning_tokens, cost, duration_ms, first_token_ms}`.
  public var json: Value {
    .object([
      ("at", .time(at)), ("step", .text(step)), ("item", .number(item)), ("attempt", .number(attempt)),
      ("action", .string(action)), ("provider", .string(provider)), ("model", .string(model)),
      ("state", .string(state.rawValue)), ("failure", .text(failure?.rawValue)),
      ("prompt_tokens", .number(tokens.prompt)), ("cached_tokens", .number(tokens.cached)),
      ("completion_tokens", .number(tokens.completion)), ("reasoning_tokens", .number(tokens.reasoning)),
      ("cost", cost.map { .double($0) } ?? .null), ("duration_ms", .milliseconds(duration)),
      ("first_token_ms", .milliseconds(firstPiece)),
    ])
  }
}
