/// What calls of language models may use; a call that would exceed it does not begin.
public struct Budget: Sendable, Hashable {
  /// The most of one period; what is `nil` has no bound.
  public struct Bound: Sendable, Hashable {
    /// Money, in the currency of the prices.
    public var cost: Double?
    /// Tokens: what is asked and what is answered, together.
    public var tokens: Int?

    /// Creates a bound.
    public init(cost: Double? = nil, tokens: Int? = nil) {
      self.cost = cost
      self.tokens = tokens
    }
  }

  /// For each run, with the runs that its steps run.
  public var run: Bound?
  /// For each day of the local time zone.
  public var day: Bound?
  /// For each month of the local time zone.
  public var month: Bound?

  /// Creates a budget without any bound.
  public init(run: Bound? = nil, day: Bound? = nil, month: Bound? = nil) {
    self.run = run
    self.day = day
    self.month = month
  }

  /// Whether nothing is bounded.
  public var isEmpty: Bool { run == nil && day == nil && month == nil }
}

/// The budget of a run that others run as steps.
public struct RunBudget: Sendable, Hashable {
  /// The run; empty for the run that a call itself belongs to.
  public var run: String
  /// The name of its recipe.
  public var recipe: String
  /// What its recipe says.
  public var budget: Budget

  /// Creates a run's budget.
  public init(run: String, recipe: String, budget: Budget) {
    self.run = run
    self.recipe = recipe
    self.budget = budget
  }
}
