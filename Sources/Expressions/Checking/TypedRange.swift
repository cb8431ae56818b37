/// A part of an expression and the type it has.
public struct TypedRange: Sendable, Hashable {
  /// The part's UTF-8 offsets in the text that was compiled.
  public var range: Range<Int>
  /// Its type as far as it is known.
  public var type: ValueType

  /// Creates a typed range.
  public init(range: Range<Int>, type: ValueType) {
    self.range = range
    self.type = type
  }
}

extension Sequence<TypedRange> {
  /// The shortest range that has a place in it, or ends there.
  func smallest(at offset: Int) -> TypedRange? {
    var best: TypedRange?
    for candidate in self where candidate.range.lowerBound <= offset && offset <= candidate.range.upperBound {
      // At a border the part that begins there goes before the one that ends.
      let begins = offset < candidate.range.upperBound
      if let found = best {
        let foundBegins = offset < found.range.upperBound
        if begins != foundBegins ? foundBegins : candidate.range.count >= found.range.count { continue }
      }
      best = candidate
    }
    return best
  }
}
