/// How long ended runs are kept; what exceeds a bound goes, oldest first.
///
/// Runs that have not ended are never removed, nor runs that one of them belongs to or repeats. A run that a step runs goes
/// with the run of that step.
public struct RetentionPolicy: Sendable, Hashable {
  /// Seconds after their end; `nil` for no bound.
  public var age: Double?
  /// How many at most; `nil` for no bound.
  public var runs: Int?
  /// Bytes that the database file may have; `nil` for no bound.
  public var size: Int?
  /// Versions of each recipe's file, the newest ones.
  public var versions = 100
  /// What holds for single recipes, by name, instead of ``age`` and ``runs``; ``runs`` and ``size`` still bound them all
  /// together.
  public var recipes: [String: Limits]

  /// What bounds the runs of one recipe.
  public struct Limits: Sendable, Hashable {
    /// Seconds after their end; `nil` for no bound.
    public var age: Double?
    /// How many at most; `nil` for no bound.
    public var runs: Int?

    /// Creates bounds.
    public init(age: Double? = nil, runs: Int? = nil) {
      self.age = age
      self.runs = runs
    }
  }

  /// Seconds after which no run is kept any more, whatever its recipe is; `nil` if some runs have no bound in time.
  var longestAge: Double? {
    guard let age else { return nil }
    return recipes.values.reduce(age) { max($0, $1.age ?? age) }
  }

  /// Creates a policy; without arguments, one that keeps all runs.
  public init(age: Double? = nil, runs: Int? = nil, size: Int? = nil, recipes: [String: Limits] = [:]) {
    self.age = age
    self.runs = runs
    self.size = size
    self.recipes = recipes
  }
}
