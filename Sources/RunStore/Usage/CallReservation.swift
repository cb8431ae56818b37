public import Engine
public import Expressions
public import Plans

/// A call of a model that is about to begin.
public struct CallReservation: Sendable {
  /// The run; `nil` outside of runs.
  public var run: RunID?
  /// The recipe's name; empty outside of runs.
  public var recipe = ""
  /// The step.
  public var step: String?
  /// The item of the step.
  public var item: Int?
  /// The attempt.
  public var attempt: Int?
  /// The action: `chat.complete`.
  public var action: String
  /// The provider's configured name.
  public var provider: String
  /// The model that is asked; empty where nobody says.
  public var model: String
  /// Tokens that it may use.
  public var tokens: Int
  /// What they cost; `nil` where no price is known.
  public var cost: Double?
  /// When it begins.
  public var at: Timestamp
  /// The day of the local time zone: `2026-11-23`.
  public var day: String

  /// Creates a call outside of runs.
  public init(
    action: String, provider: String, model: String, tokens: Int, cost: Double?, at: Timestamp, day: String
  ) {
    self.action = action
    self.provider = provider
    self.model = model
    self.tokens = tokens
    self.cost = cost
    self.at = at
    self.day = day
  }
}

/// A bound that calls count for.
public struct BudgetBound: Sendable, Hashable {
  /// Whose calls count.
  public enum Scope: Sendable, Hashable {
    /// Those of a run and of the runs that its steps run.
    case run(RunID)
    /// Those of all runs of a recipe.
    case recipe(String)
    /// Those of a provider.
    case provider(String)
    /// All.
    case all
  }

  /// Over which time.
  public enum Period: String, Sendable {
    /// A run.
    case run
    /// A day.
    case day
    /// A month.
    case month
  }

  /// Whose calls count.
  public var scope: Scope
  /// Over which time.
  public var period: Period
  /// What they may use.
  public var bound: Budget.Bound

  /// Creates a bound.
  public init(_ scope: Scope, _ period: Period, _ bound: Budget.Bound) {
    self.scope = scope
    self.period = period
    self.bound = bound
  }
}

/// What came of a reservation.
public enum CallAdmission: Sendable {
  /// The call may begin; its row has this number.
  case admitted(Int64)
  /// A budget would be exceeded.
  case refused(BudgetExcess)
}

/// Why a budget does not admit a call.
public struct BudgetExcess: Sendable, Hashable {
  /// The bound.
  public var budget: BudgetBound
  /// Tokens that calls have used, or may yet use.
  public var tokens: Int
  /// What they cost.
  public var cost: Double
  /// Whether the call was refused since nobody knows what it costs.
  public var isUnpriced: Bool
  /// Whether it would be admitted as soon as calls that are under way have used less than they may.
  public var mayPass = false

  init(budget: BudgetBound, tokens: Int, cost: Double, isUnpriced: Bool) {
    self.budget = budget
    self.tokens = tokens
    self.cost = cost
    self.isUnpriced = isUnpriced
  }
}
