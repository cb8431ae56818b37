/// Limits that keep a hostile message from costing more than its size is worth.
public struct ParsingLimits: Sendable, Hashable {
  /// How deep multiparts and enclosed messages may be nested.
  public var nestingDepth: Int
  /// How many parts a message may have, all levels together.
  public var partCount: Int
  /// How many header fields one message or part may have.
  public var headerFieldCount: Int

  /// Creates limits; the defaults are far above anything that mail programs write.
  public init(nestingDepth: Int = 24, partCount: Int = 2000, headerFieldCount: Int = 2000) {
    self.nestingDepth = nestingDepth
    self.partCount = partCount
    self.headerFieldCount = headerFieldCount
  }
}
