public import RecipeSyntax

/// A value together with its place in the source.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// Where it stands.
  public var range: SourceRange

  /// Creates a located value.
  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}
