/// How large a JSON text may be.
public struct JSONLimits: Sendable, Hashable {
  /// How deep arrays and objects may nest.
  public var depth: Int
  /// The length of the text in bytes.
  public var size: Int

  /// 128 levels, 64 MiB.
  public static let standard = JSONLimits(depth: 128, size: 64 << 20)

  /// Creates limits.
  public init(depth: Int, size: Int) {
    self.depth = depth
    self.size = size
  }
}
