extension Value {
  /// The text of a string; `nil` for anything else.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number of a signed or unsigned integer, or of a double without fraction, where it fits; `nil` otherwise.
  public var intValue: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number of any numeric value; `nil` for anything else. Large integers are rounded.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The truth value; `nil` for anything else.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of a list; `nil` for anything else.
  public var listValue: [Value]? {
    if case .list(let value) = self { value } else { nil }
  }

  /// The map; `nil` for anything else.
  public var mapValue: ValueMap? {
    if case .map(let value) = self { value } else { nil }
  }

  /// The bytes of a byte string; `nil` for anything else.
  public var bytesValue: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }

  /// Whether this is the null value.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The value of a map under a string key; `nil` if this is not a map or has no such key.
  public subscript(name: String) -> Value? {
    if case .map(let map) = self { map[name] } else { nil }
  }

  /// The element of a list; `nil` if this is not a list or is shorter.
  public subscript(position: Int) -> Value? {
    if case .list(let list) = self, list.indices.contains(position) { list[position] } else { nil }
  }

  /// The name of the value's type as the language knows it: `int`, `null_type`, `google.protobuf.Timestamp`.
  public var typeName: String { runtimeType.name }

  /// The type `type(value)` gives; lists, maps and optionals do not tell what they hold.
  var runtimeType: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .list: .list(.dynamic)
    case .map: .map(.dynamic, .dynamic)
    case .timestamp: .timestamp
    case .duration: .duration
    case .type: .type(.dynamic)
    case .optional: .optional(.dynamic)
    }
  }
}
