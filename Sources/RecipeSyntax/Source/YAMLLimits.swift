/// What a YAML file may ask of its reader.
public struct YAMLLimits: Sendable, Hashable {
  /// The most bytes a file may have.
  public var size: Int
  /// How deep collections may nest.
  public var depth: Int
  /// How many nodes all aliases of a file together may stand for.
  public var aliasNodes: Int
  /// After how many problems reading stops.
  public var problems: Int

  /// 4 MiB, 64 levels, 100 000 nodes by alias, 100 problems.
  public static let standard = YAMLLimits()

  /// Creates limits.
  public init(size: Int = 4 << 20, depth: Int = 64, aliasNodes: Int = 100_000, problems: Int = 100) {
    self.size = size
    self.depth = depth
    self.aliasNodes = aliasNodes
    self.problems = problems
  }
}
