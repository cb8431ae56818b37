/// How much work one evaluation may do.
public struct EvaluationLimits: Sendable, Hashable {
  /// The cost an evaluation may reach; about one unit for each operation, element and 10 characters handled.
  public var cost: Int
  /// How deep calls and values may nest.
  public var depth: Int

  /// A million units, 250 levels.
  public static let standard = EvaluationLimits(cost: 1_000_000, depth: 250)

  /// Creates limits.
  public init(cost: Int, depth: Int) {
    self.cost = cost
    self.depth = depth
  }
}
