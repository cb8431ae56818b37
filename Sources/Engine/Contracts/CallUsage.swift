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

  /// More tokens than any call has: a service that says so counts wrongly, and sums of such numbers would overflow.
  private static let most: Int64 = 1_000_000_000

  /// Reads the field `usage` of an answer: `{prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens}`, also
  /// `{tokens}`; `nil` for anything else, and where a number is implausible.
  public init?(_ usage: Value?) {
    guard case .map(let map)? = usage, map.count > 0 else { return nil }
    var isPlausible = true
    func count(_ name: String) -> Int? {
      let number: Double
      switch map[name] {
      case .int(let value)?: number = Double(max(0, value))
      case .uint(let value)?: number = Double(value)
      case .double(let value)? where value >= 0: number = value
      default: return nil
      }
      guard number <= Double(Self.most) else {
        isPlausible = false
        return nil
      }
      return Int(number)
    }
    let prompt = count("prompt_tokens") ?? count("tokens")
    let others = ["completion_tokens", "cached_tokens", "reasoning_tokens"].map { count($0) ?? 0 }
    guard let prompt, isPlausible else { return nil }
    self.init(prompt: prompt, completion: others[0], cached: others[1], reasoning: others[2])
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
