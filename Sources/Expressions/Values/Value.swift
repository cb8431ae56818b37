/// A value of the expression language: the CEL types, and what steps take and give.
///
/// JSON maps onto it: objects become ``map(_:)``, numbers without fraction or exponent that fit become ``int(_:)``,
/// other numbers ``double(_:)``. See the CEL language definition, section "Values".
///
/// `==` is exact: the same case, the same bytes; `.int(1)` is not `.double(1)`. The language's own equality, which
/// compares numbers across their types, is what `==` inside an expression does.
public enum Value: Sendable {
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

extension Value: Hashable {
  /// Whether two values are the same: equal cases with equal contents, strings byte by byte.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right || (left.isNaN && right.isNaN)
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.type(let left), .type(let right)): left == right
    case (.optional(let left), .optional(let right)): left == right
    default: false
    }
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? Double.nan.bitPattern : (value == 0 ? 0 : value.bitPattern))
    case .string(let value): value.hashBytes(into: &hasher)
    case .bytes(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .map(let value): hasher.combine(value)
    case .timestamp(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    case .type(let value): hasher.combine(value)
    case .optional(let value): hasher.combine(value)
    }
  }
}
