public import Expressions

/// Which calls of models a summary is about.
public struct UsageFilter: Sendable {
  /// Only from this time on.
  public var since: Timestamp?
  /// Only before this time.
  public var until: Timestamp?
  /// Only those of a run and of the runs that its steps run.
  public var run: RunID?
  /// Only those of a recipe.
  public var recipe: String?
  /// Only those of a provider.
  public var provider: String?

  /// Creates a filter that lets everything through.
  public init() {}
}

/// What the rows of a summary stand for.
public enum UsageGrouping: String, Sendable, CaseIterable {
  /// A run.
  case run
  /// A recipe.
  case recipe
  /// A step of a recipe.
  case step
  /// A provider.
  case provider
  /// A model.
  case model
  /// A day.
  case day
  /// An action: `chat.complete`.
  case action
}

/// What calls of models have used, together.
public struct UsageSummary: Sendable, Hashable {
  /// What they have in common: a run, a recipe, a day; empty where that is nothing.
  public var key: String
  /// How many there were.
  public var calls = 0
  /// Those that failed.
  public var failed = 0
  /// Those whose process has ended, or whose answer was lost: what they have used is not known.
  public var unknown = 0
  /// Those that have not ended.
  public var open = 0
  /// What is known to be used.
  public var tokens = TokenCount()
  /// What that costs, as far as prices are known; `nil` where none is.
  public var cost: Double?
  /// Tokens whose price is not known.
  public var unpriced = 0
  /// Seconds of the answered calls, all together.
  public var duration = 0.0
  /// How many were answered.
  public var answered = 0
  /// Seconds until the first piece, of those that came in pieces, all together.
  public var firstPiece = 0.0
  /// How many came in pieces.
  public var streamed = 0

  /// Creates a summary of nothing.
  public init(key: String) { self.key = key }

  /// Takes another summary in.
  public mutating func add(_ other: UsageSummary) {
    calls += other.calls
    failed += other.failed
    unknown += other.unknown
    open += other.open
    tokens.prompt += other.tokens.prompt
    tokens.completion += other.tokens.completion
    tokens.cached += other.tokens.cached
    tokens.reasoning += other.tokens.reasoning
    if let more = other.cost { cost = (cost ?? 0) + more }
    unpriced += other.unpriced
    duration += other.duration
    answered += other.answered
    firstPiece += other.firstPiece
    streamed += other.streamed
  }

  /// The summary for `sous usage --json`.
  ///
  /// `{key, calls, answered, failed, unknown, open, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens,
  /// cost, unpriced_tokens, latency_ms, first_token_ms}`; the last two are means.
  public var json: Value {
    .map([
      "key": .string(key), "calls": .int(Int64(calls)), "answered": .int(Int64(answered)),
      "failed": .int(Int64(failed)), "unknown": .int(Int64(unknown)), "open": .int(Int64(open)),
      "prompt_tokens": .int(Int64(tokens.prompt)), "cached_tokens": .int(Int64(tokens.cached)),
      "completion_tokens": .int(Int64(tokens.completion)), "reasoning_tokens": .int(Int64(tokens.reasoning)),
      "cost": cost.map { .double($0) } ?? .null, "unpriced_tokens": .int(Int64(unpriced)),
      "latency_ms": Self.mean(duration, answered), "first_token_ms": Self.mean(firstPiece, streamed),
    ])
  }

  private static func mean(_ seconds: Double, _ count: Int) -> Value {
    count == 0 ? .null : .double((seconds / Double(count) * 1_000_000).rounded() / 1000)
  }
}
