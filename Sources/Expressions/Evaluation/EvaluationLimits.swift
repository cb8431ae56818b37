/// How much work one evaluation may do.
public struct EvaluationLimits: Sendable, Hashable {
  /// The cost an evaluation may reach; about one unit for each operation, element and 256 characters handled.
  public var cost: Int
  /// How deep calls and values may nest.
  public var depth: Int
  /// How large a result may be when it is written out, in bytes, roughly. Evaluation shares what occurs several times,
  /// so that little work can make a result that fills the memory once it is written.
  public var size: Int

  /// A million units, 250 levels, 64 MiB.
  public static let standard = EvaluationLimits(cost: 1_000_000, depth: 250)

  /// Creates limits.
  public init(cost: Int, depth: Int, size: Int = 64 << 20) {
    self.cost = cost
    self.depth = depth
    self.size = size
  }
}
