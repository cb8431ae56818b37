/// The values an evaluation works with.
public struct Bindings: Sendable {
  /// The variables by name.
  public var variables: [String: Value]
  /// The keywords by name.
  public var keywords: [String: Value]
  /// The current time, for expressions that use it.
  public var now: Timestamp?

  /// Creates bindings.
  public init(variables: [String: Value] = [:], keywords: [String: Value] = [:], now: Timestamp? = nil) {
    self.variables = variables
    self.keywords = keywords
    self.now = now
  }
}
