/// A value of the expression language: the CEL types, and what steps take and give.
///
/// JSON maps onto it: objects become ``map(_:)``, numbers without fraction or exponent that fit become ``int(_:)``,
/// other numbers ``double(_:)``. See the CEL language definition, section "Values".
public enum Value: Sendable, Hashable {
  /// The null value.
  case null
  /// A truth value.
  case bool(Bool)
  /// A signed 64-bit integer.
  case int(Int64)
  /// An unsigned 64-bit integer.
  case uint(UInt64)
  /// An IEEE 754 double.
  case double(Double)
  /// A Unicode string.
  case string(String)
  /// A run of bytes.
  case bytes([UInt8])
  /// An ordered list.
  case list([Value])
  /// A map; keys keep the order in which they came.
  case map(ValueMap)
  /// A point in time.
  case timestamp(Timestamp)
  /// A span of time.
  case duration(TimeSpan)
  /// A type as a value: `type(1)`.
  case type(ValueType)
  /// An optional value: `optional.of(1)`, or none.
  indirect case optional(Value?)
}
