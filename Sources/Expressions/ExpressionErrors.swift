/// Every problem found in one expression or template; never empty.
public struct ExpressionErrors: Error, Sendable {
  /// The problems in source order.
  public var all: [ExpressionError]

  /// Collects problems.
  public init(_ all: [ExpressionError]) {
    self.all = all
  }
}
