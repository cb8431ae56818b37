/// A type of the expression language, as the checker sees it.
public indirect enum ValueType: Sendable, Hashable {
  /// Not known before evaluation.
  case dynamic
  /// The type of `null`.
  case null
  /// Truth values.
  case bool
  /// Signed integers.
  case int
  /// Unsigned integers.
  case uint
  /// Floating point numbers.
  case double
  /// Strings.
  case string
  /// Byte strings.
  case bytes
  /// Points in time.
  case timestamp
  /// Spans of time.
  case duration
  /// Lists of one element type.
  case list(ValueType)
  /// Maps of one key and one value type.
  case map(ValueType, ValueType)
  /// A map with known string keys, each with its own type.
  case object(ObjectType)
  /// A value that may be absent.
  case optional(ValueType)
  /// The type of a type.
  case type(ValueType)
  /// A type parameter of a generic function, `T`.
  case parameter(String)
}

/// A map type whose string keys are known: a step's output, an event, the inputs of a recipe.
public struct ObjectType: Sendable, Hashable {
  /// What people call it: `output of step 'unread'`.
  public var name: String
  /// The known fields.
  public var fields: [String: ValueType]
  /// Whether fields beyond the known ones may exist; they are ``ValueType/dynamic`` then.
  public var isOpen: Bool

  /// Creates an object type.
  public init(name: String, fields: [String: ValueType], isOpen: Bool = false) {
    self.name = name
    self.fields = fields
    self.isOpen = isOpen
  }
}
