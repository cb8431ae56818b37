public import Expressions

/// What became of the runs of one recipe.
public struct RecipeStatistics: Sendable {
  /// What a language model was asked and answered.
  public struct ModelUsage: Sendable, Hashable {
    /// The model's name, as it gave it.
    public var model: String
    /// How often it answered.
    public var calls: Int
    /// Tokens of what it was asked.
    public var promptTokens: Int
    /// Tokens of what it answered.
    public var completionTokens: Int
    /// What that cost; `nil` where nobody said what the model costs.
    public var cost: Double?

    package init(model: String, calls: Int, promptTokens: Int, completionTokens: Int, cost: Double? = nil) {
      self.model = model
      self.calls = calls
      self.promptTokens = promptTokens
      self.completionTokens = completionTokens
      self.cost = cost
    }
  }

  /// What models cost, for a million tokens, by their names or beginnings of them.
  public struct Prices: Sendable {
    private let prices: [(name: String, input: Double, output: Double)]

    /// Takes prices; of several beginnings that fit a name the longest counts.
    public init(_ prices: [(name: String, input: Double, output: Double)] = []) {
      self.prices = prices.sorted { $0.name.utf8.count > $1.name.utf8.count }
    }

    /// What a model costs; `nil` where nobody said so.
    public func cost(of model: String, prompt: Int, completion: Int) -> Double? {
      guard let price = prices.first(where: { model.hasPrefix($0.name) }) else { return nil }
      return (Double(prompt) * price.input + Double(completion) * price.output) / 1_000_000
    }
  }

  /// The recipe's name.
  public var recipe: String
  /// How many runs began.
  public var runs: Int
  /// How many runs stand where.
  public var statuses: [RunStatus: Int]
  /// Seconds that half of the runs that succeeded or failed took at most, waits included.
  public var median: Double?
  /// Seconds that 95 % of them took at most.
  public var percentile95: Double?
  /// The attempts of all steps.
  public var attempts: Int
  /// How many of them repeated a failed one.
  public var retries: Int
  /// When the newest run began.
  public var lastStart: Timestamp
  /// What language models were asked, by model; answers that came from the cache cost nothing and do not count.
  public var models: [ModelUsage]

  package init(
    recipe: String, runs: Int, statuses: [RunStatus: Int], median: Double? = nil, percentile95: Double? = nil,
    attempts: Int, retries: Int, lastStart: Timestamp, models: [ModelUsage]
  ) {
    self.recipe = recipe
    self.runs = runs
    self.statuses = statuses
    self.median = median
    self.percentile95 = percentile95
    self.attempts = attempts
    self.retries = retries
    self.lastStart = lastStart
    self.models = models
  }

  /// The share of runs that succeeded among those that succeeded, failed or need attention; `nil` where there is none.
  public var successRate: Double? {
    let count = { (status: RunStatus) in statuses[status] ?? 0 }
    let all = count(.succeeded) + count(.failed) + count(.needsAttention)
    return all > 0 ? Double(count(.succeeded)) / Double(all) : nil
  }

  /// Tokens of what models were asked.
  public var promptTokens: Int { models.reduce(0) { $0 + $1.promptTokens } }
  /// Tokens of what models answered.
  public var completionTokens: Int { models.reduce(0) { $0 + $1.completionTokens } }
  /// What models cost, as far as prices are known; `nil` where none is.
  public var cost: Double? {
    let known = models.compactMap(\.cost)
    return known.isEmpty ? nil : known.reduce(0, +)
  }

  /// The statistics for `sous stats --json`.
  ///
  /// `{recipe, runs, statuses, success_rate, p50_ms, p95_ms, attempts, retries, last_started_at, prompt_tokens,
  /// completion_tokens, cost, models}`: `statuses` counts runs by status, `success_rate` lies between 0 and 1, `models` is
  /// a list of `{model, calls, prompt_tokens, completion_tokens, cost}`; null where nothing is known.
  public var json: Value {
    .object([
      ("recipe", .string(recipe)), ("runs", .number(runs)),
      (
        "statuses",
        .object(RunStatus.allCases.compactMap { status in statuses[status].map { (status.rawValue, .number($0)) } })
      ),
      ("success_rate", successRate.map(Value.double) ?? .null), ("p50_ms", .milliseconds(median)),
      ("p95_ms", .milliseconds(percentile95)), ("attempts", .number(attempts)), ("retries", .number(retries)),
      ("last_started_at", .time(lastStart)), ("prompt_tokens", .number(promptTokens)),
      ("completion_tokens", .number(completionTokens)), ("cost", cost.map(Value.double) ?? .null),
      (
        "models",
        .list(
          models.map { usage in
            .object([
              ("model", .string(usage.model)), ("calls", .number(usage.calls)),
              ("prompt_tokens", .number(usage.promptTokens)), ("completion_tokens", .number(usage.completionTokens)),
              ("cost", usage.cost.map(Value.double) ?? .null),
            ])
          })
      ),
    ])
  }
}
