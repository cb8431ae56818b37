public import Expressions

/// The part of JSON Schema 2020-12 that Sous describes values with: inputs, `with:`, outputs, configurations.
///
/// A schema is the JSON object it was read from; keywords beyond the supported ones are kept for readers and ignored.
public struct Schema: Sendable, Hashable {
  /// The schema as a value, keyword order kept.
  public var document: Value

  /// A schema that everything satisfies.
  public static let anything = Schema(document: .map([:]))

  /// Creates a schema from its JSON form.
  public init(document: Value) {
    self.document = document
  }
}
