public import Expressions

/// Tokens of one call of a model, as the service counts them.
public struct TokenCount: Sendable, Hashable {
  /// What was asked, ``cached`` among it.
  public var prompt: Int
  /// What was answered, ``reasoning`` among it.
  public var completion: Int
  /// What of the prompt the service had read before.
  public var cached: Int
  /// What the model thought and did not say.
  public var reasoning: Int

  /// Creates a count.
  public init(prompt: Int = 0, completion: Int = 0, cached: Int = 0, reasoning: Int = 0) {
    self.prompt = prompt
    self.completion = completion
    self.cached = cached
    self.reasoning = reasoning
  }

  /// Reads the field `usage` of an answer: `{prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens}`, also
  /// `{tokens}`; `nil` for anything else.
  public init?(_ usage: Value?) {
    guard case .map(let map)? = usage, map.count > 0 else { return nil }
    func count(_ name: String) -> Int? {
      switch map[name] {
      case .int(let number)?: return Int(clamping: max(0, number))
      case .uint(let number)?: return Int(clamping: number)
      case .double(let number)? where number.isFinite && number >= 0 && number < 1e15: return Int(number)
      default: return nil
      }
    }
    guard let prompt = count("prompt_tokens") ?? count("tokens") else { return nil }
    self.init(
      prompt: prompt, completion: count("completion_tokens") ?? 0, cached: count("cached_tokens") ?? 0,
      reasoning: count("reasoning_tokens") ?? 0)
  }

  /// All together.
  public var total: Int { prompt.addingReportingOverflow(completion).partialValue }
}

/// What has become of one call of a model, as the table of usage keeps it.
public struct CallUsage: Sendable {
  /// How a call has ended.
  public enum State: String, Sendable, CaseIterable {
    /// It has begun, and its end is not known.
    case open
    /// It was answered.
    case answered
    /// It failed; what it has used stands with it, mostly nothing.
    case failed
    /// It has ended without an answer; whether the service has worked for it is not known.
    case unknown
  }

  /// The row of the call, from its reservation.
  public var number: Int64
  /// How it has ended.
  public var state: State
  /// The model that answered, by its own word; `nil` where nobody said.
  public var model: String?
  /// What it has used.
  public var tokens: TokenCount
  /// What that costs; `nil` where no price is known.
  public var cost: Double?
  /// Tokens that still count for budgets, since the service may have used them.
  public var heldTokens = 0
  /// What those cost.
  public var heldCost = 0.0
  /// Seconds until its end.
  public var duration: Double
  /// Seconds until the first piece of the answer; `nil` where it came in one.
  public var firstPiece: Double?
  /// What sort of failure it was.
  public var failure: ActionFailure.Kind?

  /// Creates what has become of a call.
  public init(number: Int64, state: State, tokens: TokenCount = TokenCount(), duration: Double) {
    self.number = number
    self.state = state
    self.tokens = tokens
    self.duration = duration
  }
}

/// Counts what calls of models use, and hands it over for the journal.
public protocol CallMeter: Sendable {
  /// The calls of an attempt that have ended and are not written down, which whoever asks now writes.
  func take(_ request: ActionRequest) -> [CallUsage]
}
